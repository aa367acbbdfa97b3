import Console
import Link
import WatchSim

/// Finds an event that requests another run, which is an error because a scenario ends soon after its last workout.
struct SecondRun {
  /// A change of the run at an instant.
  enum Change {
    /// The phone or the watch starts a run; nil for one that no event orders.
    case start(Scenario.TimedCommand?)
    case end
  }

  let preparing: VirtualTime.Span
  /// The maximum length of a run that is not ended by an event; nil if unknown.
  let lengthMax: VirtualTime.Span?

  /// Reports the first start that comes after the end of an earlier run.
  ///
  /// A run that ends while it prepares does not count. One that the source ends is over after ``lengthMax``.
  func refuse(_ changes: [(at: VirtualTime, change: Change)], _ collector: DiagnosticsCollector) {
    _ = follow(changes, collector)
  }

  /// The latest end of the run; nil if unknown.
  func over(_ changes: [(at: VirtualTime, change: Change)]) -> VirtualTime? { follow(changes, nil) }

  private func follow(_ changes: [(at: VirtualTime, change: Change)], _ collector: DiagnosticsCollector?)
    -> VirtualTime?
  {
    var begun: VirtualTime?
    var over: VirtualTime?
    for (at, change) in Self.inOrder(changes) {
      if over == nil, let begun, let lengthMax, begun + preparing + lengthMax < at {
        over = begun + preparing + lengthMax
      }
      switch change {
      case .start(let what):
        if let over, at >= over + Self.afterglow {
          guard let collector, let what, !what.path.isEmpty else { return over }
          collector.error(
            "\(what.path): found a second run at \(StoryText.clock(at)), when the first one is over (\(StoryText.clock(over))),"
              + " expected it in workouts: what comes 5 s after the last workout never happens", at: what.position)
          return over
        }
        if over == nil, begun == nil { begun = at }
      case .end:
        guard over == nil, let since = begun else { continue }
        if at - since < preparing { begun = nil } else { over = at }
      }
    }
    guard over == nil, let begun, let lengthMax else { return over }
    return begun + preparing + lengthMax
  }

  /// How long a simulated run continues after its workout.
  static let afterglow = VirtualTime.Span.seconds(5)

  private static func inOrder(
    _ changes: [(at: VirtualTime, change: Change)]
  ) -> [(at: VirtualTime, change: Change)] {
    changes.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }
}

extension Scenario {
  /// Reports an event that requests a second run.
  func refuseSecondRun(_ collector: DiagnosticsCollector) { secondRun.refuse(changes, collector) }

  /// The latest end of a run of the scenario, according to the file.
  ///
  /// The end is unknown if the phone may start late, or track the run itself.
  var endAtLatest: VirtualTime {
    if lastsWholeDuration { return .start + duration }
    let limit = VirtualTime.start + duration
    guard !startsByPhone, faults.isEmpty, nemesis == nil, let over = secondRun.over(changes) else { return limit }
    return min(limit, max(over, lastStart) + SecondRun.afterglow)
  }

  private var secondRun: SecondRun {
    SecondRun(preparing: workouts.last?.preparing ?? .zero, lengthMax: workoutLengthMax)
  }

  /// The starts and ends of the last workout.
  private var changes: [(at: VirtualTime, change: SecondRun.Change)] {
    var changes: [(at: VirtualTime, change: SecondRun.Change)] = []
    if workout.startedBy != .phone { changes.append((workout.at, .start(nil))) }
    for timed in phoneCommands {
      switch timed.command.name {
      case TimedCommand.startWorkout: changes.append((timed.at, .start(timed)))
      case "endWorkout": changes.append((timed.at, .end))
      default: break
      }
    }
    for timed in watchCommands where timed.command.name == "end" { changes.append((timed.at, .end)) }
    guard let last = laterWorkouts.last else { return changes }
    // Of several workouts only the last one ends the run.
    changes.removeAll { $0.at < last.at }
    if last.startedBy != .phone { changes.append((last.at, .start(nil))) }
    return changes
  }

  /// How long the model's run may take; nil if faults, hills, intervals or an open pause may prolong it, or for a recorded one.
  private var workoutLengthMax: VirtualTime.Span? {
    guard faults.isEmpty, nemesis == nil, let seconds = modelSecondsMax, seconds.isFinite, seconds < 1e7 else {
      return nil
    }
    let length = VirtualTime.Span.milliseconds(Int64(seconds * 1_000))
    var pauses = VirtualTime.Span.zero
    var pausedAt: VirtualTime?
    let bareEnd = (workouts.last?.at ?? .start) + (workouts.last?.preparing ?? .zero) + length
    for timed in watchCommands.sorted(by: { $0.at < $1.at }) {
      // One that comes after the end prolongs nothing.
      if !startsByPhone, pausedAt == nil, timed.at > bareEnd + pauses { break }
      if timed.command.name == "pause" { pausedAt = pausedAt ?? timed.at }
      if timed.command.name == "resume", let since = pausedAt {
        pauses = pauses + (timed.at - since)
        pausedAt = nil
      }
    }
    guard pausedAt == nil else { return nil }
    return length + pauses
  }

  /// How long the last workout's model may take, pauses excluded; nil if that is not known.
  private var modelSecondsMax: Double? {
    switch workouts.last?.source {
    case .model(let model) where model.hills == 0 && model.intervals.isEmpty:
      let kilometres = model.distance / 1_000
      let moving = kilometres * model.pace + max(0, model.drift) * kilometres * kilometres
      return moving * 1.2 + model.stops.reduce(0) { $0 + $1.forSeconds }
    case .discipline(let plan): return Double(plan.secondsExpected) * 1.2
    case .model, .recorded, .traced, nil: return nil
    }
  }
}
