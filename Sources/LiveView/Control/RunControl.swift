import CSystem
import Console
import Foundation
package import Link
import LinkTransport
package import Simulator
package import TraceTools

/// A source of commands: keys on a terminal, or a socket.
package protocol ControlSource: AnyObject {
  /// Descriptors to wait on.
  var descriptors: [Int32] { get }
  /// Reads without waiting, and passes commands to `control`.
  func readCommands(for control: RunControl)
  /// Answers a control.
  func answer(_ asker: Int?, _ outcome: LiveOutcome)
}

/// Controls a running run: waits between its instants, receives commands meanwhile, and sets its pace.
///
/// Everything happens on the run's own thread, between two instants.
package final class RunControl: LiveControls {
  /// The state of the run for display.
  package private(set) var state: LiveState
  private(set) var clock: LiveClock
  /// Earlier states; empty unless ``keepsHistory``.
  private(set) var history = LiveHistory()
  /// Whether earlier states are kept.
  var keepsHistory = false
  /// The current fault plan; nil before the first control.
  package private(set) var plan: [PlannedFault]?
  /// The users' acts in apps, with their instants.
  package private(set) var acts: [TimedAct] = []
  /// Whether the user wants the run to stop.
  private(set) var isStopped = false
  /// The current instant.
  package private(set) var position = VirtualTime.start
  /// Polled in this order.
  package var sources: [any ControlSource] = []
  /// Called about ten times a second, and before every wait.
  package var onRefresh: (() -> Void)?

  private let hasEdge: Bool
  private var queue: [(order: LiveOrder, source: (any ControlSource)?, change: PaceChange?)] = []
  private var askers: [any ControlSource] = []
  private var calls = 0
  /// Limit of commands waiting for their instant.
  private static let queueMax = 256

  /// A change of the run's pace.
  private enum PaceChange {
    case pause, resume
    case speed(Double?)
  }

  /// - Parameter factor: Virtual seconds in a real second; nil for as fast as possible.
  package init(_ scenario: Scenario, factor: Double?) {
    state = LiveState(scenario)
    clock = LiveClock(factor: factor, at: .now)
    hasEdge = scenario.edge != nil
  }

  /// Observes every event of the run.
  package func observe(_ event: TraceEvent, story: [StoryLine]) {
    if keepsHistory { history.add(event, story, before: state) }
    state.observe(event, story: story)
  }

  /// Whether a wait is over at once, so that nothing need be checked.
  private var isHurried: Bool { clock.factor == nil && !clock.isPaused && queue.isEmpty && calls & 63 != 0 }

  // MARK: Commands

  /// Handles a command of a source.
  ///
  /// - Returns: The answer, if it is known at once; nil if it follows when the command is carried out.
  func handle(
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

  /// Skips real time during which the process was stopped, so that the run continues from the same instant.
  func skip(_ stopped: Duration) { clock.skip(stopped) }

  // MARK: Waiting

  package func wait(from now: VirtualTime, to next: VirtualTime) -> LiveStep {
    calls &+= 1
    position = now
    if isHurried { return StopSignal.isRaised ? .stop(at: now) : .advance }
    onRefresh?()
    var isFirst = true
    while true {
      if StopSignal.isRaised || isStopped {
        return .stop(at: min(max(clock.time(at: .now) ?? now, now), next))
      }
      if let step = nextOrder(from: now, to: next) { return step }
      let left = clock.wait(for: next, at: .now)
      if let left, left <= 0, !isFirst { return .advance }
      // Input is polled in every round, even without time to wait.
      poll(seconds: min(left ?? 1, 0.1))
      isFirst = false
      if let time = clock.time(at: .now) { position = min(max(time, now), next) }
      onRefresh?()
    }
  }

  private func nextOrder(from now: VirtualTime, to next: VirtualTime) -> LiveStep? {
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

  /// The instant of a control: the last whole millisecond that has passed, if there is one.
  private func instant(from now: VirtualTime, to next: VirtualTime) -> VirtualTime {
    guard let time = clock.time(at: .now) else { return next }
    let whole = VirtualTime(nanoseconds: time.nanoseconds / 1_000_000 * 1_000_000)
    return min(max(whole, VirtualTime(nanoseconds: now.nanoseconds + 1)), next)
  }

  package func carriedOut(_ order: LiveOrder, _ outcome: LiveOutcome, plan: [PlannedFault]) {
    self.plan = plan
    if case .act(var act) = order.action, !outcome.isRefused {
      act.at = outcome.time
      acts.append(act)
    }
    guard !askers.isEmpty else { return }
    askers.removeFirst().answer(order.asker, outcome)
  }

  /// Waits for input, and lets the sources read it.
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
    for source in sources { source.readCommands(for: self) }
  }
}

/// Maps real time to virtual time at a variable pace, or paused.
package struct LiveClock {
  /// Virtual seconds in a real second; nil for as fast as possible.
  private(set) var factor: Double?
  private(set) var isPaused = false
  private var real: ContinuousClock.Instant
  private var virtual: VirtualTime

  /// A clock at the run's start.
  package init(factor: Double?, at real: ContinuousClock.Instant) {
    precondition(factor.map { $0 > 0 } ?? true, "a pace of \(factor ?? 0)")
    self.factor = factor
    self.real = real
    virtual = .start
  }

  /// The current virtual time; nil if the run goes as fast as possible.
  func time(at now: ContinuousClock.Instant) -> VirtualTime? {
    if isPaused { return virtual }
    guard let factor else { return nil }
    let passed = real.duration(to: now) / .seconds(1) * factor * 1e9
    return virtual + VirtualTime.Span(nanoseconds: Int64(min(max(passed, 0), 4e18)))
  }

  /// Real seconds until `instant`; nil while paused.
  func wait(for instant: VirtualTime, at now: ContinuousClock.Instant) -> Double? {
    guard !isPaused else { return nil }
    guard let factor, let time = time(at: now) else { return 0 }
    return max(0, Double((instant - time).nanoseconds) / 1e9 / factor)
  }

  /// Pauses at `position`, or continues from there.
  mutating func setPaused(_ paused: Bool, at position: VirtualTime, now: ContinuousClock.Instant) {
    isPaused = paused
    anchor(position, now)
  }

  /// Changes the pace from `position` on.
  mutating func setFactor(_ factor: Double?, at position: VirtualTime, now: ContinuousClock.Instant) {
    self.factor = factor
    anchor(position, now)
  }

  /// Skips real time during which the process was stopped.
  mutating func skip(_ stopped: Duration) { real += stopped }

  private mutating func anchor(_ position: VirtualTime, _ now: ContinuousClock.Instant) {
    virtual = position
    real = now
  }

  /// The pace as text: `20x`, `paused at 20x`, `as fast as it goes`.
  var words: String {
    let pace = factor.map { TraceValue.number($0, places: 3).jsonText + "x" }
    return isPaused ? "paused" : pace ?? "as fast as possible"
  }
}
