package import Console
package import Link
package import LinkTransport

/// A watch that repeats what it did in a recorded run, whatever it receives.
///
/// What it did at one instant is split into parts: one for each frame that arrived, and one for everything else. A part
/// is emitted with the frame that it answered; parts without a frame are emitted at the watch's deadline.
package struct RecordedWatch: NodeHost {
  /// Something that the watch did.
  private enum Act {
    case send(Frame)
    case say(TraceEvent)
    /// It died here by itself, at a crash point or of a signal.
    case die(GrantEnding)
  }

  /// What the watch did at once.
  private struct Part {
    var at: VirtualTime
    /// Whether it followed a frame.
    var answersArrival: Bool
    var acts: [Act] = []
  }

  private var parts: [Part] = []
  private var next = 0
  private var epochs: [Epoch] = []
  private var isDown = false
  package private(set) var isWorkoutOver = false

  package init(_ trace: RecordedTrace, _ frames: RecordedFrames) {
    var toWatch: [UInt64] = []
    var isOpen = false
    for (index, event) in trace.events.enumerated() {
      switch (event.place, event.name.text) {
      case (.phone, "frame.sent"):
        if event.text("to") == "watch", let id = event.count("id") { toWatch.append(id) }
        isOpen = false
      case (.link, "frame.delivered"):
        isOpen = false
        // Ids are assigned in the order of the events, so they ascend.
        guard let id = event.count("id"), Self.contains(id, in: toWatch) else { continue }
        parts.append(Part(at: event.time, answersArrival: true))
        isOpen = true
      case (.watch, let name):
        if !isOpen || parts[parts.count - 1].at != event.time {
          parts.append(Part(at: event.time, answersArrival: false))
          isOpen = true
        }
        if name != "frame.sent" {
          parts[parts.count - 1].acts.append(.say(event))
          if name == "health.saved" { parts[parts.count - 1].acts += Self.health(of: event, frames).map { .send($0) } }
        } else if case .frame(let frame)? = frames.made[index] {
          parts[parts.count - 1].acts.append(.send(frame))
        }
      case (.link, "frame.dropped"), (.link, "frame.duplicated"):
        continue  // The immediate fate of what was sent just before.
      case (.runner, "node.killed"):
        if event.text("target") == "watch", let ending = Self.ending(event) {
          if !isOpen { parts.append(Part(at: event.time, answersArrival: false)) }
          parts[parts.count - 1].acts.append(.die(ending))
        }
        isOpen = false
      case (.runner, "node.started"):
        if event.text("target") == "watch", let epoch = event.count("epoch") {
          epochs.append(Epoch(UInt32(clamping: epoch)))
        }
        isOpen = false
      default: isOpen = false
      }
    }
    // The first start is the launch.
    if !epochs.isEmpty { epochs.removeFirst() }
  }

  private static func contains(_ id: UInt64, in sorted: [UInt64]) -> Bool {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low < sorted.count && sorted[low] == id
  }

  /// What the watch saved in its health store with a workout; not in the trace, so known of a repeated run only.
  private static func health(of event: TraceEvent, _ frames: RecordedFrames) -> [Frame] {
    let workout = event.identifier("workout")
    return frames.health.filter { $0.transfer == workout }
  }

  /// How a watch died that was not killed from outside; nil for a timed kill, which the conductor's fault does.
  private static func ending(_ event: TraceEvent) -> GrantEnding? {
    if let name = event.text("point") {
      return CrashPoint.all.first { $0.name == name }.map { .stopped(at: $0) }
    }
    return event.text("cause") == "signal" ? .died : nil
  }

  package var nextDeadline: VirtualTime? { isDown || next == parts.count ? nil : parts[next].at }

  package mutating func grant(
    _ inputs: inout [NodeInput], fire: Bool, in turn: inout Turn
  ) throws(NodeFailure) -> GrantEnding {
    let now = turn.now
    for input in inputs {
      if case .frame = input {
        // What the watch did at this instant before any frame came belongs before this one.
        while next < parts.count, parts[next].at < now || parts[next].at == now && !parts[next].answersArrival {
          if let ending = act(in: &turn) { return ending }
        }
        if next < parts.count, parts[next].at == now, let ending = act(in: &turn) { return ending }
      } else if next < parts.count, parts[next].at == now, !parts[next].answersArrival {
        if let ending = act(in: &turn) { return ending }
      }
      turn.items.append(.handled)
    }
    guard fire else { return .complete }
    while next < parts.count, parts[next].at <= now { if let ending = act(in: &turn) { return ending } }
    return .complete
  }

  /// Emits the next part; returns how the watch died in it.
  private mutating func act(in turn: inout Turn) -> GrantEnding? {
    let part = parts[next]
    next += 1
    for act in part.acts {
      switch act {
      case .send(let frame): turn.send(frame)
      case .say(let event):
        turn.record(event)
        if event.endsWorkout { isWorkoutOver = true }
      case .die(let ending): return ending
      }
    }
    return nil
  }

  package mutating func arm(_ points: [CrashPoint]) {}

  package mutating func kill() { isDown = true }

  package mutating func start(at now: VirtualTime) -> Epoch {
    isDown = false
    return epochs.isEmpty ? Epoch(1) : epochs.removeFirst()
  }
}

/// Collects frames.
package final class FrameBasket {
  /// What the watch saved in its health store, in order.
  private(set) var health: [Frame] = []
  /// Frames that differ only in their payloads share a key.
  private var frames: [RecordedFates.Key: [Frame]] = [:]

  package init() {}

  func add(_ frame: Frame, _ direction: Direction) {
    guard frame.channel != .health else { return health.append(frame) }
    frames[RecordedFates.Key(frame, direction), default: []].append(frame)
  }

  /// The first frame of a key with this digest; nil if there is none.
  func frame(_ key: RecordedFates.Key, _ digest: UInt64) -> Frame? {
    frames[key]?.first { Digest.prefix($0.payload) == digest }
  }
}

extension ScenarioRun {
  /// The phone in this process, with its state in memory.
  package static func phone(of scenario: Scenario) throws -> Device {
    Device(
      .phone,
      try InProcessHost(store: NodeStores.phone(), files: NodeStores.files(), build: NodeBuilder.phone(scenario)))
  }

  /// The watch in this process, with its state in memory; the frames that it sends are also collected.
  package static func watch(of scenario: Scenario, into basket: FrameBasket) throws -> Device {
    let watch = try InProcessHost(
      store: NodeStores.watch(), files: NodeStores.files(), build: NodeBuilder.watch(scenario))
    return Device(.watch, HarvestedHost(watch, .watchToPhone, into: basket))
  }
}

/// Collects the frames that a node sends.
private struct HarvestedHost<Base: NodeHost>: NodeHost {
  private var base: Base
  private let direction: Direction
  private let basket: FrameBasket

  init(_ base: Base, _ direction: Direction, into basket: FrameBasket) {
    self.base = base
    self.direction = direction
    self.basket = basket
  }

  var nextDeadline: VirtualTime? { base.nextDeadline }
  var isWorkoutOver: Bool { base.isWorkoutOver }

  mutating func grant(_ inputs: inout [NodeInput], fire: Bool, in turn: inout Turn) throws(NodeFailure) -> GrantEnding {
    let first = turn.items.count
    let ending = try base.grant(&inputs, fire: fire, in: &turn)
    for item in turn.items[first...] {
      if case .frame(let frame) = item { basket.add(frame, direction) }
    }
    return ending
  }

  mutating func arm(_ points: [CrashPoint]) throws(NodeFailure) { try base.arm(points) }
  mutating func kill() { base.kill() }
  mutating func start(at now: VirtualTime) throws(NodeFailure) -> Epoch { try base.start(at: now) }
}

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
