import CSystem
import Foundation
import Link
import LinkTransport

/// Where commands come from: keys on a terminal, or a socket.
protocol ControlSource: AnyObject {
  /// What may become readable, to be waited on.
  var descriptors: [Int32] { get }
  /// Takes what has come, without waiting, and hands the commands to `control`.
  func take(_ control: RunControl)
  /// Answers whoever ordered something.
  func answer(_ asker: Int?, _ outcome: LiveOutcome)
}

/// Reaches into a run that is going on: waits between its instants, takes commands meanwhile, and sets its pace.
///
/// Everything here happens on the run's own thread, between two instants.
final class RunControl: LiveControls {
  /// What is known of the run.
  private(set) var state: LiveState
  private(set) var clock: LiveClock
  /// The fault plan as it became; nil while nobody has ordered anything.
  private(set) var plan: [PlannedFault]?
  /// Whether the user wants the run to stop.
  private(set) var isStopped = false
  /// How far the run is.
  private(set) var position = VirtualTime.start
  /// Where commands come from, in the order in which they are asked.
  var sources: [any ControlSource] = []
  /// Is called some ten times a second, and before every wait.
  var onRefresh: (() -> Void)?

  private let hasEdge: Bool
  private var queue: [(order: LiveOrder, source: (any ControlSource)?, change: PaceChange?)] = []
  private var askers: [any ControlSource] = []
  private var calls = 0
  /// Commands that may wait for their instant.
  private static let queueMax = 256

  /// What a command does to the pace of the run.
  private enum PaceChange {
    case pause, resume
    case speed(Double?)
  }

  /// - Parameter factor: Virtual seconds a real second; nil for as fast as the run goes.
  init(_ scenario: Scenario, factor: Double?) {
    state = LiveState(scenario)
    clock = LiveClock(factor: factor, at: .now)
    hasEdge = scenario.edge != nil
  }

  /// Sees every event of the run.
  func observe(_ event: TraceEvent, story: [StoryLine]) { state.observe(event, story: story) }

  /// Whether a wait is over before it begins, so that nothing is looked at.
  private var isHurried: Bool { clock.factor == nil && !clock.isPaused && queue.isEmpty && calls & 63 != 0 }

  // MARK: Commands

  /// Takes a command of a source.
  ///
  /// - Returns: An answer that is there at once; nil for one that comes when the command is carried out.
  func take(
    _ words: [String], by origin: LiveOrder.Origin, from source: any ControlSource, asker: Int?
  ) throws(ControlCommand.Refusal) -> [JSONMember]? {
    let command = try ControlCommand(words, hasEdge: hasEdge)
    guard queue.count < Self.queueMax else { throw ControlCommand.Refusal(text: "too many commands wait") }
    var change: PaceChange?
    var text = CommandWords.join(words)
    switch command {
    case .order: break
    case .pause: change = .pause
    case .resume: change = .resume
    case .speed(let factor): change = .speed(factor)
    case .mark(let said): text = "mark \(said)"
    case .status: return state.members(at: position, clock: clock)
    case .stop: isStopped = true
    }
    guard let action = command.action else { return [JSONMember("effect", .string("the run stops"))] }
    let order = LiveOrder(origin: origin, command: text, action: action, asker: asker)
    queue.append((order, source, change))
    return nil
  }

  // MARK: Waiting

  func wait(from now: VirtualTime, to next: VirtualTime) -> LiveStep {
    calls &+= 1
    position = now
    if isHurried { return StopSignal.isRaised ? .stop : .advance }
    onRefresh?()
    var isFirst = true
    while true {
      if StopSignal.isRaised || isStopped { return .stop }
      if let step = takeOrder(from: now, to: next) { return step }
      let left = clock.wait(for: next, at: .now)
      if let left, left <= 0, !isFirst { return .advance }
      // What has come is looked at in every round, also where there is no time to wait.
      poll(seconds: min(left ?? 1, 0.1))
      isFirst = false
      if let time = clock.time(at: .now) { position = min(max(time, now), next) }
      onRefresh?()
    }
  }

  private func takeOrder(from now: VirtualTime, to next: VirtualTime) -> LiveStep? {
    guard !queue.isEmpty else { return nil }
    let (order, source, change) = queue.removeFirst()
    let at = instant(from: now, to: next)
    switch change {
    case .pause: clock.setPaused(true, at: at, now: .now)
    case .resume: clock.setPaused(false, at: at, now: .now)
    case .speed(let factor): clock.setFactor(factor, at: at, now: .now)
    case nil: break
    }
    if let source { askers.append(source) }
    return .order(order, at: at)
  }

  /// The instant at which an order strikes: the whole millisecond that has come last, as far as there is one.
  private func instant(from now: VirtualTime, to next: VirtualTime) -> VirtualTime {
    guard let time = clock.time(at: .now) else { return next }
    let whole = VirtualTime(nanoseconds: time.nanoseconds / 1_000_000 * 1_000_000)
    return min(max(whole, VirtualTime(nanoseconds: now.nanoseconds + 1)), next)
  }

  func carriedOut(_ order: LiveOrder, _ outcome: LiveOutcome, plan: [PlannedFault]) {
    self.plan = plan
    guard !askers.isEmpty else { return }
    askers.removeFirst().answer(order.asker, outcome)
  }

  /// Waits for something to read, and has the sources take it.
  private func poll(seconds: Double) {
    var entries: [cs_poll_entry] = []
    for source in sources {
      for descriptor in source.descriptors {
        entries.append(cs_poll_entry(descriptor: descriptor, wanted: Int16(CS_POLL_READ), ready: 0))
      }
    }
    let descriptor = StopSignal.descriptor
    if let descriptor { entries.append(cs_poll_entry(descriptor: descriptor, wanted: Int16(CS_POLL_READ), ready: 0)) }
    guard cs_poll(&entries, entries.count, Int64(seconds * 1e9)) > 0 else { return }
    for source in sources { source.take(self) }
  }
}
