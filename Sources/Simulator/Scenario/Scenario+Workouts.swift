import Console
import CoachProtocol
import Link
import PhoneSim
import WatchSim

/// Several workouts in one run: `workouts` of a scenario.
extension Scenario {
  /// The most workouts of a scenario.
  static let workoutsMax = 32

  /// All planned workouts, in the order of their starts.
  package var workouts: [WorkoutPlan] { [workout] + laterWorkouts }

  /// Whether a workout is not a run.
  ///
  /// The personality's own lines and those of the edge are about running, so the coach then speaks only what the
  /// scenario's script says, or with an edge only in the runs (``coachesRunsOnly``).
  var hasOtherDisciplines: Bool {
    workouts.contains { if case .discipline = $0.source { true } else { false } }
  }

  /// Whether the coach asks the edge for scripts of the runs, and is silent in the other workouts.
  ///
  /// Not in a race, which must work without a network.
  var coachesRunsOnly: Bool {
    hasOtherDisciplines && edge != nil && scriptSource == .fallback && workout.mode != .race
  }

  /// When the last workout starts, or is requested; ``VirtualTime/start`` if there is only one.
  ///
  /// The run continues after the end of a workout that began earlier.
  var lastStart: VirtualTime { laterWorkouts.last?.at ?? .start }

  /// All of them if there are several; nil for one.
  var listedWorkouts: [WorkoutPlan]? {
    get { laterWorkouts.isEmpty ? nil : workouts }
    set {
      guard let first = newValue?.first else { return }
      workout = first
      laterWorkouts = Array(newValue?.dropFirst() ?? [])
    }
  }

  /// Checks the rules of several workouts.
  func checkWorkouts(_ reader: JSONObjectReader) {
    guard let list = reader.array("workouts") else { return }
    if reader.has("workout") { reader.error("workout and workouts are alternatives") }
    var last: VirtualTime?
    for (plan, value) in zip(workouts, list) {
      defer { last = plan.at }
      guard let before = last, let one = value.object() else { continue }
      for key in WorkoutPlan.sharedKeys {
        one.value(key)?.refuse(expected: "it in workouts[0]: the phone's coach is the same for all of them")
      }
      guard plan.at <= before else { continue }
      let expected = "expected a later start than the workout's before it (\(StoryText.clock(before)))"
      if let at = one.value("at") {
        at.error("found \(at.node.value.kindAndText), \(expected)")
      } else {
        one.error("found no at, \(expected)")
      }
    }
  }
}
