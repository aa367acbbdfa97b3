import Console
import Link

/// The state of the recorded watch's session at an instant, as far as frames depend on it.
struct WatchState {
  private var now = VirtualTime.start
  private var clock: NodeClock
  /// The phone's epoch according to its hellos.
  private var peerEpoch = Epoch(0)
  private var nextMessage: UInt64 = 1
  private var nextContext: UInt64 = 1
  private var nextInfo: UInt64 = 1
  private var nextFile: UInt64 = 1
  private var nextComplication: UInt64 = 1
  /// Transfers of either side that are complications; lookup only.
  private var complications: Set<Identifier> = []
  /// The phone's frames in flight, by id.
  private var underWay: [UInt64: Heard] = [:]
  /// What the watch received last, by kind, for acknowledgements and replies.
  private var heard: [[UInt64]: Heard] = [:]

  /// A frame of the phone.
  private struct Heard {
    var kind: String
    var channel: Channel
    var epoch: Epoch
    var seq: SequenceNumber
    var attempt: UInt64
  }

  init(startedAt: Int64) { clock = NodeClock(startedAt: startedAt) }

  /// Follows an event.
  mutating func follow(_ event: TraceEvent, at index: Int) {
    now = event.time
    guard event.isBelieved else { return }
    switch event.name.text {
    case "frame.sent": followSent(event)
    case "frame.delivered": followDelivered(event)
    case "snapshot", "ghost.snapshot", "message.refused":
      guard event.place == .watch, let seq = event.count("seq"), seq < .max else { return }
      nextMessage = max(nextMessage, seq + 1)
    case "context.set":
      guard event.place == .watch, let seq = event.count("seq"), seq < .max else { return }
      nextContext = max(nextContext, seq + 1)
    case "transfer.queued":
      if event["complication"]?.boolean == true, let transfer = event.identifier("transfer") {
        complications.insert(transfer)
      }
      guard event.place == .watch, let seq = event.count("seq"), seq < .max else { return }
      if event.text("channel") == "file" {
        nextFile = max(nextFile, seq + 1)
      } else if event["complication"]?.boolean == true {
        nextComplication = max(nextComplication, seq + 1)
      } else {
        nextInfo = max(nextInfo, seq + 1)
      }
    case "node.started":
      guard event.text("target") == "watch" else { return }
      peerEpoch = Epoch(0)
      nextMessage = 1
      heard = [:]
    case "fault.begin", "fault.end": followFault(event)
    default: return
    }
  }

  private mutating func followSent(_ event: TraceEvent) {
    if event.place == .watch {
      guard event.text("channel") == "message", event.text("kind") == "data", let seq = event.count("seq"), seq < .max
      else { return }
      nextMessage = max(nextMessage, seq + 1)
      return
    }
    guard event.place == .phone, let id = event.count("id"), let kind = event.text("kind"),
      let channel = event.text("channel").flatMap(Channel.init(text:)), let epoch = event.count("epoch"),
      let seq = event.count("seq")
    else { return }
    underWay[id] = Heard(
      kind: kind, channel: channel, epoch: Epoch(UInt32(clamping: epoch)), seq: SequenceNumber(seq),
      attempt: event.count("attempt") ?? 1)
  }

  private mutating func followDelivered(_ event: TraceEvent) {
    // Copies arrive too, so frames in flight are kept.
    guard let id = event.count("id"), let frame = underWay[id] else { return }
    if frame.kind == "hello" { peerEpoch = max(peerEpoch, frame.epoch) }
    heard[[UInt64(frame.channel.rawValue), frame.seq.rawValue]] = frame
  }

  private mutating func followFault(_ event: TraceEvent) {
    guard event.text("kind") == "clockSkew" else { return }
    if event.name == "fault.end" { return clock.set(offset: 0, driftPPM: 0, at: now) }
    guard case .json(let text)? = event["params"],
      let params = try? JSONParser.parse(text, dialect: .json), case .object(let members) = params.value,
      members.contains(where: { $0.key == "node" && $0.node.value == .string("watch") })
    else { return }
    func number(_ key: String) -> Double {
      switch members.first(where: { $0.key == key })?.node.value {
      case .integer(let value)?: Double(value)
      case .number(let value)?: value
      default: 0
      }
    }
    let offset = (number("offset") * 1e9).rounded()
    guard abs(offset) < 9e18 else { return }
    clock.set(offset: Int64(offset), driftPPM: number("driftPPM"), at: now)
  }

  /// A frame's header fields that its event lacks: answered epoch, attempt, lane.
  func frame(of kind: Frame.Kind, _ channel: Channel, _ seq: SequenceNumber, _ transfer: Identifier?) -> Frame {
    var frame = Frame(
      kind: kind, channel: channel, epoch: Epoch(0), peerEpoch: peerEpoch, seq: seq,
      transfer: transfer ?? Identifier(high: 0, low: 0))
    if kind == .ack || kind == .reply, let answered = heard[[UInt64(channel.rawValue), seq.rawValue]] {
      frame.peerEpoch = answered.epoch
      if kind == .ack { frame.offset = answered.attempt }
    }
    if let transfer, complications.contains(transfer) { frame.flags.insert(.complication) }
    return frame
  }

  /// The hello of this instant if it has this digest, in either length; nil for any other frame.
  func hello(_ kind: Frame.Kind, _ bytes: UInt64, _ digest: UInt64) -> [UInt8]? {
    guard kind == .hello else { return nil }
    let hello = hello(isLong: bytes > 42, clock: clock.reading(at: now))
    return Digest.prefix(hello) == digest ? hello : nil
  }

  /// A hello of this instant for one that another program encoded in its own way; nil for any other frame.
  func helloOfOthers(_ kind: Frame.Kind) -> [UInt8]? {
    kind == .hello ? hello(isLong: true, clock: clock.reading(at: now)) : nil
  }

  private func hello(isLong: Bool, clock: Int64) -> [UInt8] {
    var bytes: [UInt8] = [1, 0]
    let numbers = [UInt64(bitPattern: clock), nextMessage, nextContext, nextInfo, nextFile]
    for number in numbers + (isLong ? [nextComplication] : []) {
      for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
    }
    return bytes
  }
}
