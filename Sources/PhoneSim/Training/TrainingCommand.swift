package import CoachProtocol
package import Link

/// An act of the user on training sessions: a word of `phone.events`.
package enum TrainingCommand: Sendable, Equatable {
  /// Corrects the score of a shot of the newest shooting session; end and shot count from 1.
  case correctShot(end: Int, shot: Int, score: Int)
  /// Enters a judge's score of the newest ride.
  case scoreRide(Double)
  case logDrill(TrainingDiscipline, drillType: String, sets: [DrillEntry])

  /// A set of an exercise.
  package struct DrillEntry: Sendable, Equatable {
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

  /// The words of `do`.
  package static let words = ["correctShot", "scoreRide", "logDrill"]
  package static let setsMax = 100

  /// Reads the members of a scenario's event besides `at` and `do`; nil after reporting errors.
  package init?(_ word: String, _ reader: JSONObjectReader) {
    switch word {
    case "correctShot":
      let end = reader.integer("end", in: 1...1_000, required: true)
      let shot = reader.integer("shot", in: 1...1_000, required: true)
      let score = reader.integer("score", in: 0...10, required: true)
      guard let end, let shot, let score else { return nil }
      self = .correctShot(end: Int(end), shot: Int(shot), score: Int(score))
    case "scoreRide":
      guard let score = reader.number("score", in: 0...100, required: true) else { return nil }
      self = .scoreRide(score)
    case "logDrill":
      let discipline = reader.oneOf("discipline", TrainingDiscipline.self)
      if discipline == nil, !reader.has("discipline") { reader.error("found no discipline, expected one") }
      let type = reader.string("drillType", required: true)
      let list = reader.array("sets", countMax: Self.setsMax) ?? []
      let sets = list.compactMap { $0.object().flatMap { DrillEntry.schema.readWhole($0) } }
      guard let discipline, let type, sets.count == list.count else { return nil }
      guard (1...100).contains(type.utf8.count) else {
        reader.value("drillType")?.refuse(expected: "1 to 100 bytes")
        return nil
      }
      self = .logDrill(discipline, drillType: type, sets: sets)
    default: return nil
    }
  }

  /// Reads the order of a driver; nil if it is another one, or is not understood.
  init?(_ command: NodeCommand) {
    guard Self.words.contains(command.name),
      let node = try? JSONParser.parse(command.arguments, dialect: .json),
      let reader = JSONObjectReader(node, into: DiagnosticsCollector(file: "command"))
    else { return nil }
    self.init(command.name, reader)
  }
}
