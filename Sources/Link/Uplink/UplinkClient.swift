/// The phone's end of the uplink: sends requests until they are answered or forgotten.
///
/// While the phone knows of no way to the edge nothing is sent, and what waits is sent at once when there is one again;
/// else a request is repeated after 1 s, 2 s, 4 s and then every 8 s. Nothing is kept across a crash: which requests
/// are still owed is for their maker to keep.
public struct UplinkClient: Sendable, Equatable {
  /// The time after which a first transmission is repeated; doubles with each further one.
  public static let retransmitAfter = VirtualTime.Span.seconds(1)
  /// The longest time between two transmissions.
  public static let retransmitAfterMax = VirtualTime.Span.seconds(8)
  /// Answers that are remembered, so that a second copy of one is not taken for another.
  private static let answersMax = 256

  private struct Pending: Sendable, Equatable {
    var id: Identifier
    var seq: SequenceNumber
    var payload: [UInt8]
    /// How often it was sent.
    var attempt: UInt16 = 0
    /// How often it was sent since the uplink was last found.
    var waits = 0
    var due = VirtualTime.start
  }

  /// What an answer says that it answers.
  private struct Asking: Sendable, Equatable {
    var id: Identifier
    var epoch: Epoch
    var seq: UInt64
  }

  private let epoch: Epoch
  private var nextSeq = SequenceNumber(1)
  /// In the order of their sending.
  private var pending: [Pending] = []
  /// What was answered last, in the order of the answers.
  private var answered: [Asking] = []
  /// Whether the phone knows of a way to the edge.
  public private(set) var isReachable = false
  /// The moment by which ``fire(at:into:)`` must be called; nil while nothing is to be repeated.
  public private(set) var nextDeadline: VirtualTime?

  /// Creates the client of a start of the phone's app.
  public init(epoch: Epoch) { self.epoch = epoch }

  /// How many requests wait for their answer.
  public var pendingCount: Int { pending.count }

  /// Learns that there is a way to the edge, or that there is none.
  public mutating func receive(isUp: Bool, at now: VirtualTime, into output: inout NodeOutput) {
    guard isUp != isReachable else { return }
    isReachable = isUp
    output.record(TraceEvent("uplink.reachability", at: now, on: .phone, [.init("reachable", .bool(isUp))]))
    if isUp {
      for index in pending.indices {
        pending[index].waits = 0
        transmit(index, at: now, into: &output)
      }
    }
    noteDeadline()
  }

  /// Sends a request, or keeps it until there is a way to the edge.
  ///
  /// One that is still waited for under the same id is asked anew; an answer to the earlier asking is then not waited
  /// for.
  ///
  /// - Parameters:
  ///   - id: Names it; the edge does what an id asks for once, unless that failed.
  ///   - path: What is asked for: `/chat-reply`.
  ///   - body: JSON text.
  /// - Returns: False for a request over the limit of a frame, which is recorded and not sent.
  @discardableResult
  public mutating func send(
    _ id: Identifier, path: String, body: [UInt8], at now: VirtualTime, into output: inout NodeOutput
  ) -> Bool {
    forget(id)
    let payload = UplinkText.request(id, path: path, body: body)
    guard payload.count <= Frame.payloadBytesMax else {
      output.record(
        TraceEvent(
          "uplink.refused", at: now, on: .phone,
          [
            .init("id", id.traceValue), .init("path", .string(path)), .init("bytes", .int(Int64(payload.count))),
            .init("error", .string("payloadTooLarge")),
          ]))
      return false
    }
    pending.append(Pending(id: id, seq: nextSeq, payload: payload))
    nextSeq.rawValue += 1
    if isReachable { transmit(pending.count - 1, at: now, into: &output) }
    noteDeadline()
    return true
  }

  /// Waits for a request no longer; an answer that comes all the same is still reported.
  public mutating func forget(_ id: Identifier) {
    pending.removeAll { $0.id == id }
    noteDeadline()
  }

  /// Takes a frame from the uplink.
  ///
  /// - Returns: The answer it carries, once; nil for a further copy, and for what cannot be understood, which are
  ///   recorded.
  public mutating func receive(_ frame: Frame, at now: VirtualTime, into output: inout NodeOutput) -> UplinkResponse? {
    guard frame.kind == .reply, frame.channel == .http else {
      output.record(frame.refused(why: "no answer of the edge", at: now, on: .phone))
      return nil
    }
    let asking = Asking(id: frame.transfer, epoch: frame.peerEpoch, seq: frame.offset)
    guard !answered.contains(asking) else {
      output.record(
        TraceEvent("uplink.duplicate", at: now, on: .phone, [.init("id", frame.transfer.traceValue)]))
      return nil
    }
    let place =
      frame.peerEpoch == epoch
      ? pending.firstIndex { $0.id == frame.transfer && $0.seq.rawValue == frame.offset } : nil
    let response: UplinkResponse
    do throws(UplinkTextError) {
      response = try UplinkText.reading(frame) { UplinkResponse(frame.transfer, isAwaited: place != nil, $0) }
    } catch {
      output.record(frame.undecodable(error, at: now, on: .phone))
      return nil
    }
    if answered.count == Self.answersMax { answered.removeFirst(Self.answersMax / 2) }
    answered.append(asking)
    if let place {
      pending.remove(at: place)
      noteDeadline()
    }
    return response
  }

  /// Repeats what is due.
  public mutating func fire(at now: VirtualTime, into output: inout NodeOutput) {
    guard isReachable else { return }
    for index in pending.indices where pending[index].due <= now { transmit(index, at: now, into: &output) }
    noteDeadline()
  }

  private mutating func transmit(_ index: Int, at now: VirtualTime, into output: inout NodeOutput) {
    let attempt = pending[index].attempt
    pending[index].attempt = attempt == .max ? .max : attempt + 1
    let doublings = min(pending[index].waits, 3)
    pending[index].waits = doublings + 1
    pending[index].due = now + min(Self.retransmitAfter * Int64(1 << doublings), Self.retransmitAfterMax)
    output.send(
      Frame(
        kind: .data, channel: .http, attempt: pending[index].attempt, epoch: epoch, seq: pending[index].seq,
        transfer: pending[index].id, payload: pending[index].payload))
  }

  private mutating func noteDeadline() { nextDeadline = isReachable ? pending.lazy.map(\.due).min() : nil }
}
