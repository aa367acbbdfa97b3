package import CoachProtocol
package import Link

/// An act of the user on training sessions: a word of `phone.events`.
package enum TrainingCommand: Sendable, Equatable {
  /// Corrects the score of a shot of the newest shooting session; end and shot count from 1.
  case correctShot(end: Int, shot: Int, score: Int)
  /// Enters a judge's score of the newest ride.
  case scoreRide(Double)
  case logDrill(TrainingDiscipline, drillType: String, sets: [DrillEntry])
  /// Adds a photo to the newest ride.
  case addPhoto(TrainingFile)
  /// Adds the scan of a target to an end of the newest shooting session, from 1; the size of the group in millimetres.
  case scanTarget(end: Int, TrainingFile, groupSize: Double?)
  case addTask(title: String)
  /// Completes the first open task with a title.
  case completeTask(title: String)
  case planWorkout(TrainingDiscipline, name: String, intervals: [PlannedInterval])
  /// Enters the weather at the newest session of a discipline, as a JSON object.
  case recordWeather(TrainingDiscipline, weather: String)
  /// Removes the newest session of a discipline.
  case removeSession(TrainingDiscipline)

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
  package static let words = [
    "correctShot", "scoreRide", "logDrill", "addPhoto", "scanTarget", "addTask", "completeTask", "planWorkout",
    "recordWeather", "removeSession",
  ]
  package static let setsMax = 100

  /// Reads the members of a scenario's event besides `at` and `do`; nil after reporting errors.
  package init?(_ word: String, _ reader: JSONObjectReader) {
    let read: Self? =
      switch word {
      case "correctShot", "scoreRide", "scanTarget", "addPhoto": Self.readResult(word, reader)
      case "addTask": Self.text("title", reader).map { .addTask(title: $0) }
      case "completeTask": Self.text("title", reader).map { .completeTask(title: $0) }
      case "logDrill", "planWorkout", "recordWeather", "removeSession": Self.readOfDiscipline(word, reader)
      default: nil
      }
    guard let read else { return nil }
    self = read
  }

  private static func readResult(_ word: String, _ reader: JSONObjectReader) -> Self? {
    switch word {
    case "correctShot":
      let end = reader.integer("end", in: 1...1_000, required: true)
      let shot = reader.integer("shot", in: 1...1_000, required: true)
      let score = reader.integer("score", in: 0...10, required: true)
      guard let end, let shot, let score else { return nil }
      return .correctShot(end: Int(end), shot: Int(shot), score: Int(score))
    case "scoreRide": return reader.number("score", in: 0...100, required: true).map { .scoreRide($0) }
    case "scanTarget":
      let end = reader.integer("end", in: 1...1_000, required: true)
      let file = TrainingFile(reader)
      let hasGroup = reader.has("groupSize")
      let group = reader.number("groupSize", in: 0...10_000)
      guard let end, let file, !hasGroup || group != nil else { return nil }
      return .scanTarget(end: Int(end), file, groupSize: group)
    default: return TrainingFile(reader).map { .addPhoto($0) }
    }
  }

  private static func readOfDiscipline(_ word: String, _ reader: JSONObjectReader) -> Self? {
    let discipline = reader.oneOf("discipline", TrainingDiscipline.self)
    if discipline == nil, !reader.has("discipline") { reader.error("found no discipline, expected one") }
    switch word {
    case "logDrill":
      let type = text("drillType", bytesMax: 100, reader)
      let list = reader.array("sets", countMax: setsMax) ?? []
      let sets = list.compactMap { $0.object().flatMap { DrillEntry.schema.readWhole($0) } }
      guard let discipline, let type, sets.count == list.count else { return nil }
      return .logDrill(discipline, drillType: type, sets: sets)
    case "planWorkout":
      let name = text("name", reader)
      let list = reader.array("intervals", countMax: setsMax, required: true) ?? []
      let intervals = list.compactMap { $0.object().flatMap { PlannedInterval.schema.readWhole($0) } }
      guard let discipline, let name, intervals.count == list.count else { return nil }
      guard discipline.partWord != nil else {
        reader.value("discipline")?.refuse(expected: "a discipline with intervals: running, riding or swimming")
        return nil
      }
      return .planWorkout(discipline, name: name, intervals: intervals)
    case "recordWeather":
      let temperature = reader.number("temperature", in: -90...60, required: true)
      let wind = reader.number("windSpeed", in: 0...100)
      let condition = reader.has("condition") ? text("condition", bytesMax: 100, reader) : nil
      guard let discipline, let temperature, reader.has("windSpeed") == (wind != nil),
        reader.has("condition") == (condition != nil)
      else { return nil }
      var members = [JSONMember("temperature", .plain(temperature))]
      if let wind { members.append(JSONMember("windSpeed", .plain(wind))) }
      if let condition { members.append(JSONMember("condition", .string(condition))) }
      let weather = String(decoding: JSONWriter.compact(JSONNode(.object(members))), as: UTF8.self)
      return .recordWeather(discipline, weather: weather)
    default: return discipline.map { .removeSession($0) }
    }
  }

  private static func text(_ key: String, bytesMax: Int = 200, _ reader: JSONObjectReader) -> String? {
    guard let text = reader.string(key, required: true) else { return nil }
    guard (1...bytesMax).contains(text.utf8.count) else {
      reader.value(key)?.refuse(expected: "1 to \(bytesMax) bytes")
      return nil
    }
    return text
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
