import CoachProtocol
import Link
import PhoneSim
import WatchSim

/// Several workouts in one run: `workouts` of a scenario.
extension Scenario {
  /// The most workouts of a scenario.
  static let workoutsMax = 32

  /// All planned workouts, in the order of their starts.
  var workouts: [WorkoutPlan] { [workout] + laterWorkouts }

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

  /// Reads `workout` or `workouts`, and reports errors.
  ///
  /// - Returns: The events of all of them.
  mutating func readWorkouts(_ reader: JSONObjectReader, folder: String) -> [JSONValueReader] {
    var events: [JSONValueReader] = []
    if reader.has("workout"), reader.has("workouts") { reader.error("workout and workouts are alternatives") }
    reader.object("workout") { (workout, events) = WorkoutPlan.read($0, folder: folder) }
    guard let list = reader.array("workouts", countMax: Self.workoutsMax) else { return events }
    if list.isEmpty { reader.value("workouts")?.refuse(expected: "a workout at least") }
    for (index, element) in list.enumerated() {
      guard let one = element.object() else { continue }
      let (plan, own) = WorkoutPlan.read(one, folder: folder)
      if index > 0 { refuseShared(one) }
      if index > 0, plan.at <= lastStart || plan.at <= workout.at {
        let before = StoryText.clock(max(lastStart, workout.at))
        if let at = one.value("at") {
          at.refuse(expected: "a later start than the workout's before it (\(before))")
        } else {
          one.error("found no at, expected a later start than the workout's before it (\(before))")
        }
      }
      one.finish()
      events += own
      if index == 0 { workout = plan } else { laterWorkouts.append(plan) }
    }
    return events
  }

  /// Refuses keys of a later workout that apply to all workouts.
  private func refuseShared(_ reader: JSONObjectReader) {
    for key in ["mode", "personality", "runType"] {
      reader.value(key)?.refuse(expected: "it in workouts[0]: the phone's coach is the same for all of them")
    }
  }

  /// Replaces the path of each workout that is a file.
  static func setPaths(of workouts: [WorkoutPlan], in members: inout [JSONMember], _ path: (String) -> String) {
    for (number, workout) in workouts.enumerated() {
      guard let (key, file) = workout.source.file else { continue }
      let name = JSONNode(.string(path(file)))
      if number == 0, let index = members.firstIndex(where: { $0.key == "workout" }) {
        members[index].node = members[index].node.replacing(["source", key], with: name)
      } else if let index = members.firstIndex(where: { $0.key == "workouts" }),
        case .array(var list) = members[index].node.value, number < list.count
      {
        list[number] = list[number].replacing(["source", key], with: name)
        members[index].node.value = .array(list)
      }
    }
  }
}
