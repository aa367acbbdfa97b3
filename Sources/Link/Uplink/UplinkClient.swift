/// The phone's end of the uplink: retransmits requests until they are answered or abandoned.
///
/// While the phone knows that the edge is unreachable, nothing is sent; pending requests are sent at once when it is
/// reachable again. Otherwise a request is retransmitted after 1 s, 2 s, 4 s and then every 8 s. Nothing survives a
/// crash: callers store the requests that are still owed.
public struct UplinkClient: Sendable, Equatable {
  /// The wait after the first transmission; doubles with each further one.
  public static let retransmitAfter = VirtualTime.Span.seconds(1)
  /// The longest wait between two transmissions.
  public static let retransmitAfterMax = VirtualTime.Span.seconds(8)
  /// The most remembered answers, for detecting duplicates.
  private static let answersMax = 256

  private struct Pending: Sendable, Equatable {
    var id: Identifier
    var seq: SequenceNumber
    var payload: [UInt8]
    /// The number of transmissions.
    var attempt: UInt16 = 0
    /// The number of transmissions since the edge became reachable.
    var waits = 0
    var due = VirtualTime.start
  }

  /// What identifies the request that an answer answers.
  private struct Asking: Sendable, Equatable {
    var id: Identifier
    var epoch: Epoch
    var seq: UInt64
  }

  private let epoch: Epoch
  private var nextSeq = SequenceNumber(1)
  /// In the order of sending.
  private var pending: [Pending] = []
  /// The last answered requests, in the order of their answers.
  private var answered: [Asking] = []
  /// Whether the phone believes the edge reachable.
  public private(set) var isReachable = false
  /// The instant by which ``fire(in:)`` must be called; nil if nothing is to be retransmitted.
  public private(set) var nextDeadline: VirtualTime?

  /// Creates the client for a start of the phone's app.
  public init(epoch: Epoch) { self.epoch = epoch }

  /// The number of pending requests.
  public var pendingCount: Int { pending.count }

  /// Handles a change of the edge's reachability.
  public mutating func receive(isUp: Bool, in turn: inout Turn) {
    guard isUp != isReachable else { return }
    isReachable = isUp
    turn.record(UplinkReachabilityChanged.self, on: .phone) {
      $0.reachable = isUp
    }
    if isUp {
      for index in pending.indices {
        pending[index].waits = 0
        transmit(index, in: &turn)
      }
    }
    refreshDeadline()
  }

  /// Sends a request, or stores it until the edge is reachable.
  ///
  /// A pending request with the same id is replaced; an answer to it is then no longer awaited.
  ///
  /// - Parameters:
  ///   - id: Its identifier; the edge executes an id once, unless it failed.
  ///   - path: The call: `/chat-reply`.
  ///   - body: JSON text.
  ///   - turn: Receives frames and lines.
  /// - Returns: False for a request over the limit of a frame, which is recorded and not sent.
  @discardableResult
  public mutating func send(_ id: Identifier, path: String, body: [UInt8], in turn: inout Turn) -> Bool {
    forget(id)
    let payload = UplinkText.request(id, path: path, body: body)
    guard payload.count <= Frame.payloadBytesMax else {
      turn.record(UplinkRefused.self, on: .phone) {
        $0.id = id
        $0.path = path
        $0.bytes = Int64(payload.count)
        $0.error = "payloadTooLarge"
      }
      return false
    }
    pending.append(Pending(id: id, seq: nextSeq, payload: payload))
    nextSeq.rawValue += 1
    if isReachable { transmit(pending.count - 1, in: &turn) }
    refreshDeadline()
    return true
  }

  /// Abandons a request; an answer that still arrives is reported.
  public mutating func forget(_ id: Identifier) {
    pending.removeAll { $0.id == id }
    refreshDeadline()
  }

  /// Handles a frame from the uplink.
  ///
  /// - Returns: The answer, once; nil for duplicates and for frames that cannot be decoded, which are recorded.
  public mutating func receive(_ frame: Frame, in turn: inout Turn) -> UplinkResponse? {
    let now = turn.now
    guard frame.kind == .reply, frame.channel == .http else {
      turn.record(frame.refused(why: "no answer of the edge", at: now, on: .phone))
      return nil
    }
    let asking = Asking(id: frame.transfer, epoch: frame.peerEpoch, seq: frame.offset)
    guard !answered.contains(asking) else {
      turn.record(UplinkDuplicate.self, on: .phone) {
        $0.id = frame.transfer
      }
      return nil
    }
    let place =
      frame.peerEpoch == epoch
      ? pending.firstIndex { $0.id == frame.transfer && $0.seq.rawValue == frame.offset } : nil
    let response: UplinkResponse
    do throws(UplinkTextError) {
      response = try UplinkText.reading(frame) { UplinkResponse(frame.transfer, isAwaited: place != nil, $0) }
    } catch {
      turn.record(frame.undecodable(error, at: now, on: .phone))
      return nil
    }
    if answered.count == Self.answersMax { answered.removeFirst(Self.answersMax / 2) }
    answered.append(asking)
    if let place {
      pending.remove(at: place)
      refreshDeadline()
    }
    return response
  }

  /// Retransmits due requests.
  public mutating func fire(in turn: inout Turn) {
    let now = turn.now
    guard isReachable else { return }
    for index in pending.indices where pending[index].due <= now { transmit(index, in: &turn) }
    refreshDeadline()
  }

  private mutating func transmit(_ index: Int, in turn: inout Turn) {
    let attempt = pending[index].attempt
    pending[index].attempt = attempt == .max ? .max : attempt + 1
    let doublings = min(pending[index].waits, 3)
    pending[index].waits = doublings + 1
    pending[index].due = turn.now + min(Self.retransmitAfter * Int64(1 << doublings), Self.retransmitAfterMax)
    turn.send(
      Frame(
        kind: .data, channel: .http, attempt: pending[index].attempt, epoch: epoch, seq: pending[index].seq,
        transfer: pending[index].id, payload: pending[index].payload))
  }

  private mutating func refreshDeadline() { nextDeadline = isReachable ? pending.lazy.map(\.due).min() : nil }
}
