/// Records what an app sends and receives over its link, as a trace.
///
/// For an app's own session delegate on a real device. It reads no clock and opens no file: the caller passes the time
/// of each call, in nanoseconds since the beginning of the recording, and takes the lines. One recorder records one
/// side; calls must not overlap. A time earlier than the one before counts as equal to it.
///
/// ```swift
/// var recorder = TraceRecorder(on: .phone, name: "sunday-run", startedAt: "2026-04-12T06:30:00Z") { file.write($0) }
/// recorder.activated(at: 0)
/// recorder.messageReceived(payload, kind: "liveMetrics", at: now)
/// recorder.close(at: now)
/// ```
///
/// `sim-runner replay --phone-only` replays a phone's recording to the simulated phone, since payloads are included;
/// `sim-runner profile` fits a recording of either side.
public struct TraceRecorder {
  /// A message that waits for its reply.
  public struct Question: Sendable {
    fileprivate var sent: Int64
    fileprivate var payload: [UInt8]
    fileprivate var seq: UInt64
  }

  /// Why a message did not get through.
  public enum Failure: Sendable {
    /// The other side was not reachable, so the message was not sent.
    case notReachable
    /// No reply arrived.
    case noReply
  }

  /// The longest payload that is recorded, in bytes: the largest that a session sends.
  public static let payloadBytesMax = Frame.payloadBytesMax

  private let role: NodeRole
  private let sink: ([UInt8]) -> Void
  private var writer = TraceWriter()
  private var now = VirtualTime.start
  private var frames: UInt64 = 0
  private var isClosed = false
  /// The next sequence number on each channel, of this side and of the other.
  private var own = Numbers()
  private var others = Numbers()
  private var outstanding: [Identifier] = []

  /// The next sequence numbers of one side.
  private struct Numbers {
    private var next: [Channel: UInt64] = [:]

    mutating func claimNext(_ channel: Channel) -> UInt64 {
      defer { next[channel, default: 1] += 1 }
      return next[channel, default: 1]
    }
  }

  /// Begins a recording and writes its first line.
  ///
  /// - Parameters:
  ///   - role: The device: watch or phone.
  ///   - name: The name of the recording.
  ///   - startedAt: The date of its beginning in ISO 8601 with a zone, by this device's clock.
  ///   - timeZone: The zone's name: `Europe/Berlin`.
  ///   - duration: Its longest possible length.
  ///   - plan: The planned run, if any: `distance` in metres, `time` in seconds.
  ///   - sink: Receives each line, including its line feed.
  public init(
    on role: NodeRole, name: String, startedAt: String, timeZone: String = "UTC",
    duration: VirtualTime.Span = .seconds(6 * 3_600), plan: (distance: Double, time: Double)? = nil,
    sink: @escaping ([UInt8]) -> Void
  ) {
    precondition(role != .edge, "an edge has no link to a watch")
    self.role = role
    self.sink = sink
    var header = TraceHeader(
      scenario: name, seed: 0, startedAt: startedAt, timeZone: timeZone, duration: duration)
    if let plan {
      header.plan = JSONNode(
        .object([JSONMember("distance", .plain(plan.distance)), JSONMember("time", .plain(plan.time))]))
    }
    header.extras = [JSONMember("capture", .string(role.text))]
    var bytes: [UInt8] = []
    header.append(to: &bytes)
    sink(bytes)
  }

  // MARK: The session

  /// Records that the session is active: from here on both sides know each other.
  ///
  /// - Parameters:
  ///   - nanoseconds: The instant in the recording's time, in nanoseconds.
  ///   - clock: The other side's clock in nanoseconds since 1970; 0 if unknown.
  public mutating func activated(at nanoseconds: Int64, clock: Int64 = 0) {
    advance(nanoseconds)
    let hello = Hello(clock: clock, nextSeqs: [1, 1, 1, 1], nextComplication: 1)
    writeArrival(.hello, .message, 0, hello.encoded, sentAt: nil)
  }

  /// Records that the other side became reachable or unreachable.
  public mutating func reachabilityChanged(to isReachable: Bool, at nanoseconds: Int64) {
    advance(nanoseconds)
    write("reachability", on: role.place, [.init("reachable", .bool(isReachable)), .init("cause", .string("capture"))])
  }

  // MARK: Messages

  /// Records that a message was sent and waits for a reply; its travel time counts as half of the time until then.
  public mutating func messageSent(_ payload: [UInt8], at nanoseconds: Int64) -> Question {
    advance(nanoseconds)
    return Question(sent: now.nanoseconds, payload: payload, seq: own.claimNext(.message))
  }

  /// Records the reply to a message.
  public mutating func replied(to question: Question, at nanoseconds: Int64) {
    advance(nanoseconds)
    let half = (now.nanoseconds - question.sent) / 2
    let id = writeSent(
      .data, .message, question.seq, question.payload, from: role, sentAt: now.nanoseconds - half, wantsReply: true)
    write("frame.delivered", on: .link, [.init("id", .int(Int64(id))), .init("copy", .int(0))])
  }

  /// Records that a message failed.
  public mutating func failed(_ question: Question, _ failure: Failure, at nanoseconds: Int64) {
    advance(nanoseconds)
    let id = writeSent(
      .data, .message, question.seq, question.payload, from: role, sentAt: question.sent, wantsReply: true)
    let cause = failure == .notReachable ? DropCause.disconnected : .loss
    write(
      "frame.dropped", on: .link,
      [.init("id", .int(Int64(id))), .init("copy", .int(0)), .init("cause", .string(cause.text))])
  }

  /// Records that a message arrived.
  ///
  /// - Parameters:
  ///   - payload: Its bytes.
  ///   - kind: The app's name for the message, written as `appKind`; nil if the app cannot decode it. What the app does
  ///     with the message is not recorded and not judged.
  ///   - sentAt: When it was sent, in the recording's time; nil if the message does not say.
  ///   - nanoseconds: The instant in the recording's time, in nanoseconds.
  public mutating func messageReceived(_ payload: [UInt8], kind: String?, sentAt: Int64? = nil, at nanoseconds: Int64) {
    advance(nanoseconds)
    let seq = others.claimNext(.message)
    writeArrival(.data, .message, seq, payload, sentAt: sentAt)
    write(
      "message.received", on: role.place,
      [
        .init("from", .string(role.peer.text)), .init("kind", .null),
        .init("appKind", kind.map { .string($0) } ?? .null),
        .init("epoch", .int(1)),
        .init("seq", .int(Int64(seq))), .init("digest", .hex(Digest.prefix(payload))),
      ])
  }

  // MARK: Queued transfers and the context

  /// Records that this side queued a user info.
  public mutating func transferQueued(_ transfer: Identifier, _ payload: [UInt8], at nanoseconds: Int64) {
    advance(nanoseconds)
    outstanding.append(transfer)
    write("transfer.queued", on: role.place, Self.fields(transfer, own.claimNext(.userInfo), payload))
  }

  /// Records that a user info queued here has arrived, or has failed.
  public mutating func transferFinished(_ transfer: Identifier, error: String? = nil, at nanoseconds: Int64) {
    advance(nanoseconds)
    outstanding.removeAll { $0 == transfer }
    var fields: [TraceEvent.Field] = [
      .init("transfer", transfer.traceValue), .init("channel", .string(Channel.userInfo.text)),
    ]
    if let error { fields.append(.init("error", .string(error))) }
    write(error == nil ? "transfer.finished" : "transfer.failed", on: role.place, fields)
  }

  /// Records that a user info arrived.
  ///
  /// - Parameters:
  ///   - payload: Its bytes.
  ///   - transfer: Its identifier; nil to derive one from its number.
  ///   - nanoseconds: The instant in the recording's time, in nanoseconds.
  public mutating func transferReceived(_ payload: [UInt8], transfer: Identifier? = nil, at nanoseconds: Int64) {
    advance(nanoseconds)
    let seq = others.claimNext(.userInfo)
    let name = transfer ?? Identifier(high: 0, low: seq)
    let fields = Self.fields(name, seq, payload)
    write("transfer.queued", on: role.peer.place, fields)
    writeArrival(.data, .userInfo, seq, payload, transfer: name, sentAt: nil)
    write("transfer.delivered", on: role.place, fields)
  }

  /// Records that this side set the application context.
  public mutating func contextSet(_ payload: [UInt8], at nanoseconds: Int64) {
    advance(nanoseconds)
    write("context.set", on: role.place, Self.fields(own.claimNext(.applicationContext), payload))
  }

  /// Records that an application context arrived.
  public mutating func contextReceived(_ payload: [UInt8], at nanoseconds: Int64) {
    advance(nanoseconds)
    let seq = others.claimNext(.applicationContext)
    write("context.set", on: role.peer.place, Self.fields(seq, payload))
    writeArrival(.data, .applicationContext, seq, payload, sentAt: nil)
    write("context.received", on: role.place, Self.fields(seq, payload))
  }

  /// Ends the recording and writes its last line.
  public mutating func close(at nanoseconds: Int64) {
    advance(nanoseconds)
    let owed = outstanding.map { "\"\($0.text)\"" }.joined(separator: ",")
    write(
      "end", on: .runner,
      [
        .init("verdict", .string("pass")), .init("frames", .int(Int64(frames))),
        .init("outstanding", .json("[\(owed)]")),
        .init("violations", .json("[]")),
      ])
    isClosed = true
  }

  // MARK: Lines

  private mutating func advance(_ nanoseconds: Int64) {
    precondition(!isClosed, "the recording is closed")
    // A device's clock may be set back; the time of a trace never decreases.
    now = max(now, VirtualTime(nanoseconds: max(0, nanoseconds)))
  }

  private mutating func write(_ name: TraceEvent.Name, on place: TraceEvent.Place, _ fields: [TraceEvent.Field]) {
    var bytes: [UInt8] = []
    writer.append(TraceEvent(name, at: now, on: place, fields), to: &bytes)
    sink(bytes)
  }

  private mutating func writeArrival(
    _ kind: Frame.Kind, _ channel: Channel, _ seq: UInt64, _ payload: [UInt8], transfer: Identifier? = nil,
    sentAt: Int64?
  ) {
    let id = writeSent(kind, channel, seq, payload, from: role.peer, transfer: transfer, sentAt: sentAt)
    write("frame.delivered", on: .link, [.init("id", .int(Int64(id))), .init("copy", .int(0))])
  }

  /// Writes the line of a sent frame; returns its number.
  private mutating func writeSent(
    _ kind: Frame.Kind, _ channel: Channel, _ seq: UInt64, _ payload: [UInt8], from sender: NodeRole,
    transfer: Identifier? = nil, sentAt: Int64?, wantsReply: Bool = false
  ) -> UInt64 {
    frames += 1
    var fields: [TraceEvent.Field] = [
      .init("id", .int(Int64(frames))), .init("to", .string(sender.peer.text)), .init("kind", .string(kind.text)),
      .init("channel", .string(channel.text)), .init("epoch", .int(1)), .init("seq", .int(Int64(seq))),
      .init("bytes", .int(Int64(payload.count))), .init("digest", .hex(Digest.prefix(payload))),
    ]
    if let transfer { fields.append(.init("transfer", transfer.traceValue)) }
    if wantsReply { fields.append(.init("wantsReply", .bool(true))) }
    if let sentAt { fields.append(.init("t_send", .int(sentAt))) }
    if sender != role, payload.count <= Self.payloadBytesMax {
      fields.append(.init("payload", .string(Digest.text(payload))))
    }
    write("frame.sent", on: sender.place, fields)
    return frames
  }

  private static func fields(_ seq: UInt64, _ payload: [UInt8]) -> [TraceEvent.Field] {
    [.init("seq", .int(Int64(seq))), .init("digest", .hex(Digest.prefix(payload)))]
  }

  private static func fields(_ transfer: Identifier, _ seq: UInt64, _ payload: [UInt8]) -> [TraceEvent.Field] {
    [
      .init("transfer", transfer.traceValue), .init("channel", .string(Channel.userInfo.text)),
      .init("seq", .int(Int64(seq))), .init("bytes", .int(Int64(payload.count))),
      .init("digest", .hex(Digest.prefix(payload))),
    ]
  }
}
