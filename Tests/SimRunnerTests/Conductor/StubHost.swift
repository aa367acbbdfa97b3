import Link
import LinkTransport

@testable import Simulator

/// A node that does what a test says, and tells what it was asked.
struct StubHost: NodeHost {
  /// One grant.
  struct Call: Equatable {
    var role: NodeRole
    var at: VirtualTime
    var inputs: [NodeInput]
    var fires: Bool
  }

  /// What both nodes of a run and its sink write into.
  final class Diary {
    var calls: [Call] = []
    /// Grants and lines in the order in which they happened, in short words.
    var words: [String] = []
  }

  let role: NodeRole
  let diary: Diary
  /// Where it is to stop, and which of its reactions, told by their seq, pass which point at their end.
  private(set) var armed: [CrashPoint] = []
  private(set) var isRunning = true
  private(set) var epoch = Epoch(1)
  var deadlines: [VirtualTime] = []
  var isWorkoutOver = false
  /// What the node does with an input, or with nil when its timers fire; at a crash point that is armed it stops.
  var react: (inout StubHost, NodeInput?, VirtualTime) -> [Turn.Item] = { _, _, _ in [] }

  var nextDeadline: VirtualTime? { isRunning ? deadlines.min() : nil }

  mutating func grant(_ inputs: inout [NodeInput], fire: Bool, in turn: inout Turn) throws(NodeFailure) -> GrantEnding {
    let now = turn.now
    precondition(isRunning, "the \(role.text) is asked although it is down")
    diary.calls.append(Call(role: role, at: now, inputs: inputs, fires: fire))
    for input in inputs {
      diary.words.append("\(role.text) \(Self.word(input))")
      if let point = act(input, now, &turn) { return .stopped(at: point) }
      turn.items.append(.handled)
    }
    guard fire else { return .complete }
    diary.words.append("\(role.text) timers")
    deadlines.removeAll { $0 <= now }
    return act(nil, now, &turn).map { .stopped(at: $0) } ?? .complete
  }

  private mutating func act(_ input: NodeInput?, _ now: VirtualTime, _ turn: inout Turn) -> CrashPoint? {
    for item in react(&self, input, now) {
      // As from another process: of a crash point there is no word in an answer.
      guard case .crashPoint(let point) = item else {
        turn.items.append(item)
        continue
      }
      if armed.contains(point) { return point }
    }
    return nil
  }

  mutating func arm(_ points: [CrashPoint]) {
    armed = points
    diary.words.append("\(role.text) armed \(points.map(\.name))")
  }

  mutating func kill() {
    precondition(isRunning, "the \(role.text) is killed although it is down")
    isRunning = false
    diary.words.append("\(role.text) is killed")
  }

  mutating func start(at now: VirtualTime) throws(NodeFailure) -> Epoch {
    precondition(!isRunning, "the \(role.text) is started although it runs")
    isRunning = true
    armed = []
    epoch = Epoch(epoch.rawValue + 1)
    diary.words.append("\(role.text) is started")
    return epoch
  }

  private static func word(_ input: NodeInput) -> String {
    switch input {
    case .link(let isUp): isUp ? "link up" : "link down"
    case .uplink(let isUp): isUp ? "uplink up" : "uplink down"
    case .frame(let frame): "frame \(frame.seq.rawValue)"
    case .command(let command): command.name
    case .condition(let condition): "\(condition)"
    case .page: "page"
    }
  }

  /// A request, or an answer of the edge.
  static func http(_ seq: UInt64, kind: Frame.Kind = .data, bytes: Int = 0) -> Turn.Item {
    .frame(
      Frame(
        kind: kind, channel: .http, epoch: Epoch(1), seq: SequenceNumber(seq), transfer: Identifier(high: 1, low: seq),
        payload: [UInt8](repeating: 0, count: bytes)))
  }

  /// A message of so many bytes.
  static func frame(_ seq: UInt64, bytes: Int = 0) -> Turn.Item {
    .frame(
      Frame(
        kind: .data, channel: .message, epoch: Epoch(1), seq: SequenceNumber(seq),
        payload: [UInt8](repeating: 0, count: bytes)))
  }
}

/// A conductor over two stubs, or three.
struct StubRun {
  let diary = StubHost.Diary()
  var watch: StubHost
  var phone: StubHost
  /// Nil for a run without an edge.
  var edge: StubHost?
  var uplink = LinkProfile(latency: .milliseconds(5))
  var faults: [PlannedFault] = []
  var commands: [(at: VirtualTime, role: NodeRole, name: String)] = []
  var link = LinkProfile(latency: .milliseconds(5))
  var duration = VirtualTime.Span.seconds(10)

  init() {
    watch = StubHost(role: .watch, diary: diary)
    phone = StubHost(role: .phone, diary: diary)
  }

  /// What a run came to.
  struct Outcome {
    var lines: [TraceEvent] = []
    var failure: NodeFailure?
    var end = VirtualTime.start
    var frames: UInt64 = 0

    func lines(_ name: TraceEvent.Name) -> [TraceEvent] { lines.filter { $0.name == name } }
    func times(_ name: TraceEvent.Name) -> [VirtualTime] { lines(name).map(\.time) }
  }

  /// Runs, and keeps every line.
  func run() -> Outcome {
    final class Box { var lines: [TraceEvent] = [] }
    let box = Box()
    let diary = diary
    var sink = TraceSink(level: .judged)
    sink.onEvent = { event, _ in
      box.lines.append(event)
      diary.words.append("\(event.place.text): \(event.name.text)")
    }
    var conductor = Conductor(
      RunPlan(
        seed: 1, link: link, uplink: uplink, faults: faults,
        commands: commands.map { DeviceCommand(at: $0.at, role: $0.role, command: NodeCommand($0.name)) },
        duration: duration),
      [Device(.watch, watch), Device(.phone, phone)] + (edge.map { [Device(.edge, $0)] } ?? []), sink: sink)
    var outcome = Outcome()
    do throws(NodeFailure) { try conductor.run() } catch { outcome.failure = error }
    _ = conductor.finish(failure: outcome.failure)
    outcome.lines = box.lines
    outcome.end = conductor.now
    outcome.frames = conductor.world.exchange.log.frames
    return outcome
  }
}
