import CoachProtocol
package import Link

/// `session-adds-up`: the parts of a session make the session.
package struct SessionAddsUpChecker: Checker {
  package static let invariant = "session-adds-up"
  package static let about =
    "The lengths of a swim are its distance, but for one that was not finished; the gaits and the reins of a ride follow one another without a gap, to its end."
  package static let interests: [TraceEvent.Name] = ["transfer.queued"]

  private struct Sums {
    var splits: Int64 = 0
    var longest: Int64 = 0
    /// Where the last stretch of a gait, and of a rein, ended.
    var gaitEnd: Int64 = 0
    var reinEnd: Int64 = 0
    var hasGap = false
    var nextPart: Int64 = 1
  }

  /// Stretches end with a second of the model, the timer with the command.
  private static let slackMilliseconds: Int64 = 1_000

  private var sums: [Identifier: Sums] = [:]

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    guard case .transferQueued(let transfer) = event.body, let text = transfer.details.report?.text,
      let workout = transfer.details.workoutId, let session = SessionReport(workoutId: workout, traceText: text)
    else { return }
    // A watch that was killed between two parts sends all of them again.
    if session.part == 1 { sums[workout] = Sums() }
    guard var sum = sums[workout], sum.nextPart == session.part else { return }
    sum.nextPart += 1
    for unit in session.units { Self.add(unit, to: &sum) }
    sums[workout] = session.part == session.parts ? nil : sum
    guard session.part == session.parts, let why = Self.flaw(session, sum) else { return }
    report.append(Self.violation("\(why) in the report of \(workout.text)", at: event.time, lines: [line]))
  }

  private static func add(_ unit: SessionUnit, to sum: inout Sums) {
    switch unit.kind {
    case .split:
      sum.splits = sum.splits +| unit["distance"]
      sum.longest = max(sum.longest, unit["distance"])
    case .gait:
      if unit["from"] != sum.gaitEnd || unit["to"] < unit["from"] { sum.hasGap = true }
      sum.gaitEnd = unit["to"]
    case .rein:
      if unit["from"] != sum.reinEnd || unit["to"] < unit["from"] { sum.hasGap = true }
      sum.reinEnd = unit["to"]
    case .point, .interval, .shot, .heartRate: break
    }
  }

  /// What does not add up; nil if all does.
  private static func flaw(_ session: SessionReport, _ sum: Sums) -> String? {
    switch session.discipline {
    case .swimming:
      // Without a finished length nothing is known of the pool.
      guard sum.longest > 0 else { return nil }
      let rest = session.distanceMillimetres - sum.splits
      guard rest < 0 || rest >= sum.longest else { return nil }
      return "the lengths have \(sum.splits / 1_000) m of \(session.distanceMillimetres / 1_000) m"
    case .riding:
      let ends = [sum.gaitEnd, sum.reinEnd]
      if sum.hasGap { return "the stretches of gaits or reins have a gap" }
      // A recorded ride has neither gaits nor reins.
      guard ends.contains(where: { $0 > 0 }),
        ends.contains(where: { abs($0 - session.activeMilliseconds) > slackMilliseconds })
      else { return nil }
      return
        "the gaits end at \(sum.gaitEnd / 1_000) s, the reins at \(sum.reinEnd / 1_000) s, and the ride at \(session.activeMilliseconds / 1_000) s,"
    case .running, .shooting: return nil
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
