package import CoachProtocol
package import Link

/// An exercise that the user logs: `logDrill`.
package struct LoggedDrill: Sendable, Equatable {
  /// A set of it.
  package struct Entry: Sendable, Equatable {
    /// Seconds.
    package var duration = 0.0
    package var reps: Int?
    /// 0 to 100.
    package var score: Double?

    package init() {}

    /// How an element of `sets` is read and described.
    package static let schema = ObjectSchema<Self>(
      "phone.events[].sets[]", "A set of an exercise, of `logDrill`.", Self(),
      [
        Field("duration", \.duration, .seconds(.zero...(.hours(24))), "how long it took", .required),
        Field("reps", \.reps, .integer(0...100_000), "repetitions"),
        Field("score", \.score, .number(0...100), "how well it went"),
      ])
  }

  package var discipline = TrainingDiscipline.running
  package var drillType = ""
  /// In the athlete's words.
  package var difficultyLevel = ""
  package var notes = ""
  /// Subscores, 0 to 100; nil for those that were not judged.
  ///
  /// Without a stability, it is the mean of the sets' scores.
  package var stability: Double?
  package var symmetry: Double?
  package var endurance: Double?
  package var coordination: Double?
  package var breathing: Double?
  package var rhythm: Double?
  package var reaction: Double?
  /// Of shooting, in millimetres.
  package var averageGroupSize: Double?
  /// Of shooting.
  package var shotCount: Int?
  package var sets: [Entry] = []

  package init() {}

  private static let subscore = ValueSchema<Double>.number(0...100)

  /// The keys of the act.
  static let fields: [Field<Self>] = [
    Field("discipline", \.discipline, .word, "the discipline", .required),
    Field("drillType", \.drillType, .string(bytes: 1...100), "the exercise", .required),
    Field("difficultyLevel", \.difficultyLevel, .string(bytes: 0...100), "in words"),
    Field("notes", \.notes, .string(bytes: 0...2_000), "in words"),
    Field("stability", \.stability, subscore, "subscore", .otherwise("the mean of the sets' scores")),
    Field("symmetry", \.symmetry, subscore, "subscore"),
    Field("endurance", \.endurance, subscore, "subscore"),
    Field("coordination", \.coordination, subscore, "subscore"),
    Field("breathing", \.breathing, subscore, "subscore"),
    Field("rhythm", \.rhythm, subscore, "subscore"),
    Field("reaction", \.reaction, subscore, "subscore"),
    Field("averageGroupSize", \.averageGroupSize, .number(0...10_000, unit: "mm"), "mean group"),
    Field("shotCount", \.shotCount, .integer(0...10_000), "shots"),
    Field(
      "sets", \.sets, .array(of: .object(Entry.schema), count: 0...TrainingCommand.setsMax), "its sets"),
  ]
}

extension TrainingBook {
  mutating func logDrill(_ drill: LoggedDrill, _ clock: Int64, _ orders: inout Orders) -> String? {
    let id = newId("DrillSession", of: athlete)
    let seconds = drill.sets.reduce(0) { $0 + $1.duration }
    // Planted: a set that was not scored counts as one without success.
    let scores = plants.contains(.unscoredAsZero) ? drill.sets.map { $0.score ?? 0 } : drill.sets.compactMap(\.score)
    let mean = scores.isEmpty ? nil : scores.reduce(0, +) / Double(scores.count)
    put(
      "DrillSession", id,
      [
        "startDate": .integer(clock - Int64(seconds) * 1_000_000_000), "endDate": .integer(clock),
        "discipline": .text(drill.discipline.rawValue), "drillType": .text(drill.drillType),
        "difficultyLevel": .text(drill.difficultyLevel), "notes": .text(drill.notes),
        "stability": .optional(drill.stability ?? mean), "symmetry": .optional(drill.symmetry),
        "endurance": .optional(drill.endurance), "coordination": .optional(drill.coordination),
        "breathing": .optional(drill.breathing), "rhythm": .optional(drill.rhythm),
        "reaction": .optional(drill.reaction), "averageGroupSize": .optional(drill.averageGroupSize),
        "shotCount": .optional(drill.shotCount.map { Int64($0) }),
      ], &orders)
    if let row = record.row("DrillSession", id) { updateSkills(ofDrill: row, &orders) }
    for (index, set) in drill.sets.enumerated() {
      put(
        "DrillSet", Identifier(of: id, "DrillSet", Int64(index)),
        [
          "orderIndex": .integer(Int64(index)), "duration": .real(set.duration),
          "reps": .optional(set.reps.map { Int64($0) }), "score": .optional(set.score), "session": .id(id),
        ], &orders)
    }
    var event = TrainingDrill()
    (event.drillId, event.discipline, event.drillType) = (id, drill.discipline.rawValue, drill.drillType)
    (event.sets, event.phone, event.scores) = (Int64(drill.sets.count), phoneNumber, skills(ofDrill: id))
    orders.events.append(event)
    return nil
  }

  /// Enters a result by hand; a session of the discipline, once there is one, replaces it.
  mutating func enterResult(_ discipline: TrainingDiscipline, _ result: Double, _ orders: inout Orders) -> String? {
    guard let competition, var row = record.row("Competition", competition) else { return "there is no competition" }
    guard phone == nil else { return "with a second phone, results come from the sessions" }
    guard row.identifier(discipline.competitionColumn) == nil else {
      return "the session of \(discipline.rawValue) has the result"
    }
    row[discipline.cacheColumn] = discipline == .shooting ? .integer(Int64(result.rounded())) : .real(result)
    put(row, &orders)
    report("Competition", competition, "result", rows: 1, &orders)
    return nil
  }
}
