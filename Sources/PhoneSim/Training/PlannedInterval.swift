import CoachProtocol
package import Link

/// An interval of a planned workout: what is to be done.
package struct PlannedInterval: Sendable, Equatable {
  package var name = ""
  /// Metres.
  package var distance: Double?
  /// Seconds.
  package var duration: Double?
  /// Seconds after it.
  package var rest: Double?
  /// Seconds for 100 m.
  package var pace: Double?
  /// Of riding.
  package var gait: String?
  /// Of riding.
  package var intensity: String?

  /// How an element of `intervals` is read and described.
  package static let schema = ObjectSchema<Self>(
    "phone.events[].intervals[]", "An interval of a planned workout, of `planWorkout`.", Self(),
    [
      Field("name", \.name, .string(bytes: 1...200), "its name", .required),
      Field("distance", \.distance, .number(0...1_000_000, unit: "metres"), "its target"),
      Field("duration", \.duration, .seconds(.zero...(.hours(24))), "its target"),
      Field("rest", \.rest, .seconds(.zero...(.hours(24))), "the rest after it"),
      Field("pace", \.pace, .number(1...10_000, unit: "seconds for 100 m"), "its target"),
      Field("gait", \.gait, .words(["halt", "walk", "trot", "canter"]), "of riding: the gait, as `targetGait`"),
      Field("intensity", \.intensity, .string(bytes: 1...40), "of riding, in the trainer's words"),
    ])
}

/// Plans that a session carried out.
extension TrainingBook {
  /// The newest plan of a discipline whose intervals are those of a session, as far as it came; nil for none.
  ///
  /// The watch knows targets and no names, so that a plan is known by its distances, that of a ride by its times.
  func plan(
    carriedOutBy units: [SessionUnit], _ discipline: TrainingDiscipline
  ) -> (id: Identifier, intervals: [TrainingRow])? {
    let done = units.filter { $0.kind == .interval }
    guard !done.isEmpty else { return nil }
    let plans = record.rows("WorkoutTemplate").filter { $0.text("discipline") == discipline.rawValue }
      .sorted { ($0.integer("createdAt") ?? 0, $0.id) > ($1.integer("createdAt") ?? 0, $1.id) }
    for plan in plans {
      let intervals = record.rows("Interval").filter { $0.identifier("workoutTemplate") == plan.id }
        .sorted { ($0.integer("orderIndex") ?? 0, $0.id) < ($1.integer("orderIndex") ?? 0, $1.id) }
      let isSame = zip(done, intervals).allSatisfy { unit, interval in
        func thousandths(_ column: String) -> Int64 { Int64(((interval.real(column) ?? 0) * 1_000).rounded()) }
        let distance = thousandths("targetDistance")
        guard distance == unit["targetDistance"] else { return false }
        // Those of a ride have a time.
        return distance > 0 || unit["targetDuration"] > 0 && thousandths("targetDuration") == unit["targetDuration"]
      }
      if done.count <= intervals.count, isSame { return (plan.id, intervals) }
    }
    return nil
  }
}

extension TrainingRow {
  /// Whether it is an interval, and done.
  var isCompletedInterval: Bool { entity.name == "Interval" && integer("isCompleted") == 1 }
}
