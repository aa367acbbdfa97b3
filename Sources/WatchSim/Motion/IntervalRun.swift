import CoachProtocol

/// The intervals of a run, one after another from its start: what is planned, and what came of each.
///
/// Whole seconds of the timer: an interval ends at the first one at or past its distance.
struct IntervalRun: Sendable, Equatable {
  /// What the runner does in a second.
  enum Stretch: Sendable, Equatable {
    /// The run's own pace: there are no intervals, or all are done.
    case own
    /// Seconds per kilometre.
    case interval(Double)
    case rest
  }

  /// The interval that is being run, so far.
  private struct Tally: Sendable, Equatable {
    /// Micrometres since the start of the run.
    var from: Int64 = 0
    var to: Int64 = 0
    var seconds: Int64 = 0
    var beats: Int64 = 0
    var steps: Int64 = 0
  }

  /// The pace of a walk between two intervals, in seconds per kilometre.
  static let walk = 720.0
  /// Steps per minute of it.
  static let walkCadence: UInt16 = 115

  private let planned: [RunnerParameters.Interval]
  /// Of intervals that do not say one.
  private let pace: Double
  private var done: [SessionUnit] = []
  private var tally = Tally()
  private var restLeft: Int64 = 0

  init(_ parameters: RunnerParameters) {
    planned = parameters.intervals
    pace = parameters.pace
  }

  var isEmpty: Bool { planned.isEmpty }

  var stretch: Stretch {
    guard restLeft == 0 else { return .rest }
    return done.count < planned.count ? .interval(planned[done.count].pace ?? pace) : .own
  }

  /// Counts a second in which the timer ran.
  ///
  /// - Parameters:
  ///   - distance: Micrometres at its end.
  ///   - heartRate: In it, in beats per minute.
  ///   - cadence: In it, in steps per minute.
  mutating func pass(to distance: Int64, heartRate: UInt8, cadence: UInt16) {
    if restLeft > 0 {
      restLeft -= 1
      tally = Tally(from: distance, to: distance)
      return
    }
    guard done.count < planned.count else { return }
    tally.to = distance
    tally.seconds += 1
    tally.beats += Int64(heartRate)
    tally.steps += Int64(cadence)
    guard tally.to - tally.from >= target(of: done.count) * 1_000 else { return }
    done.append(unit(isCompleted: true))
    restLeft = planned[done.count - 1].restSeconds
    tally = Tally(from: distance, to: distance)
  }

  /// An interval for each that has begun.
  var units: [SessionUnit] { tally.seconds > 0 ? done + [unit(isCompleted: false)] : done }

  /// Millimetres.
  private func target(of index: Int) -> Int64 { Int64(planned[index].distance * 1_000 + 0.5) }

  private func unit(isCompleted: Bool) -> SessionUnit {
    let plan = planned[done.count]
    return SessionUnit(
      .interval,
      [
        target(of: done.count), Int64((plan.pace ?? pace) * plan.distance + 0.5), plan.restSeconds * 1_000,
        (tally.to - tally.from) / 1_000, tally.seconds * 1_000, 0, isCompleted ? 1 : 0,
        tally.beats / max(1, tally.seconds), tally.steps / max(1, tally.seconds),
      ])
  }
}
