import CoachProtocol
import Link
import WatchSim

/// The workout that the watch records: `workout` of a scenario.
struct WorkoutPlan: Sendable {
  /// The source of the run.
  enum Source: Sendable {
    case model(RunnerParameters)
    /// The model of a discipline other than running.
    case discipline(DisciplinePlan)
    /// A recorded workout, by the absolute path of its file; which of several in it, from 1; the part that is replayed; and
    /// what it is, if the file does not say so.
    case recorded(path: String, number: Int?, stretch: RecordedStretch = .whole, discipline: TrainingDiscipline? = nil)
    /// The watch of a trace, by the absolute path of its file.
    case traced(path: String)
  }

  /// Who starts it.
  enum Starter: String, CaseIterable, Sendable {
    case watch, phone
  }

  var source = Source.model(RunnerParameters())
  var mode = RunMode.training
  var personality = "encouraging"
  var runType = RunType.outdoor
  var startedBy = Starter.watch
  var at: VirtualTime = .start
  var preparing: VirtualTime.Span = .seconds(3)

  /// For the trace's header; a file is named without its folder, which differs between machines.
  var json: JSONValue {
    var from: [JSONMember] = []
    if case .model(let model) = source { from.append(JSONMember("model", .object(model.members))) }
    if case .discipline(let plan) = source { from.append(JSONMember("model", .object(plan.members))) }
    if let (key, path) = source.file {
      from.append(JSONMember(key, .string(path.split(separator: "/").last.map(String.init) ?? path)))
    }
    if case .recorded(_, let number, let stretch, _) = source {
      if let number { from.append(JSONMember("workout", .integer(Int64(number)))) }
      if stretch.from > 0 { from.append(JSONMember("from", .integer(Int64(stretch.from)))) }
      if let to = stretch.to { from.append(JSONMember("to", .integer(Int64(to)))) }
    }
    var members: [JSONMember] = []
    if let discipline = source.namedDiscipline {
      members.append(JSONMember("discipline", .string(discipline.rawValue)))
    }
    members += [
      JSONMember("source", .object(from)), JSONMember("mode", .string(mode.rawValue)),
      JSONMember("personality", .string(personality)), JSONMember("runType", .string(runType.rawValue)),
      JSONMember("at", .plain((at - .start).seconds)), JSONMember("preparing", .plain(preparing.seconds)),
    ]
    if startedBy != .watch { members.append(JSONMember("startedBy", .string(startedBy.rawValue))) }
    return .object(members)
  }

  /// ``json`` of a workout after the first, without the keys that only the first one has.
  var followingJSON: JSONValue {
    guard case .object(let members) = json else { return json }
    return .object(members.filter { !["mode", "personality", "runType"].contains($0.key) })
  }

  /// Reads `workout`, and reports errors.
  ///
  /// - Parameter folder: The base of a relative path.
  static func read(_ reader: JSONObjectReader, folder: String) -> (plan: WorkoutPlan, events: [JSONValueReader]) {
    var plan = WorkoutPlan()
    let named = reader.oneOf("discipline", TrainingDiscipline.self)
    let discipline = named ?? .running
    if let standard = DisciplinePlan(discipline) { plan.source = .discipline(standard) }
    reader.object("source") { source in
      if ["model", "import", "trace"].count(where: { source.has($0) }) > 1 {
        source.error("model, import and trace are alternatives")
      }
      if discipline != .running, source.has("trace") {
        source.value("trace")?.refuse(expected: "a model or a file beside discipline: a trace names its sport")
      }
      let number = source.integer("workout", in: 1...1_000_000).map { Int($0) }
      if number != nil, !source.has("import") { source.error("workout goes with import") }
      let stretch = Self.stretch(source)
      if let path = source.string("import") {
        plan.source = .recorded(
          path: FilePath.resolve(path, in: folder), number: number, stretch: stretch, discipline: named)
      }
      if let path = source.string("trace") { plan.source = .traced(path: FilePath.resolve(path, in: folder)) }
      if discipline == .running {
        if let model = source.object("model", { Self.model($0) }) { plan.source = .model(model) }
      } else if let model = source.object("model", { DisciplinePlan(discipline, $0) }) {
        plan.source = .discipline(model)
      }
      return ()
    }
    if let mode = reader.oneOf("mode", RunMode.self) { plan.mode = mode }
    if let personality = reader.string("personality") { plan.personality = personality }
    if let runType = reader.oneOf("runType", RunType.self) { plan.runType = runType }
    if let startedBy = reader.oneOf("startedBy", Starter.self) { plan.startedBy = startedBy }
    if let at = reader.duration("at") { plan.at = .start + at }
    if let preparing = reader.duration("preparing") { plan.preparing = preparing }
    return (plan, reader.array("events", countMax: 10_000) ?? [])
  }

  /// Reads `from` and `to`, in whole seconds, and reports errors.
  private static func stretch(_ source: JSONObjectReader) -> RecordedStretch {
    var stretch = RecordedStretch.whole
    for key in ["from", "to"] {
      guard let span = source.duration(key) else { continue }
      if !source.has("import") { source.error("\(key) goes with import") }
      guard span.nanoseconds % 1_000_000_000 == 0, span <= .seconds(Int64(ReplayTimeline.wallSecondsMax)) else {
        source.value(key)?.refuse(expected: "whole seconds, at most \(ReplayTimeline.wallSecondsMax)")
        continue
      }
      let seconds = Int(span.nanoseconds / 1_000_000_000)
      if key == "from" { stretch.from = seconds } else { stretch.to = seconds }
    }
    if let to = stretch.to, to <= stretch.from {
      source.value("to")?.refuse(expected: "more than from (\(stretch.from) s)")
      stretch.to = nil
    }
    return stretch
  }

  private static func model(_ reader: JSONObjectReader) -> RunnerParameters? {
    var model = RunnerParameters()
    if let distance = reader.number("distance") { model.distance = distance }
    if let pace = reader.value("pace"), let seconds = Pace(pace) { model.pace = seconds.secondsPerKilometre }
    if let drift = reader.number("drift") { model.drift = drift }
    if let hills = reader.number("hills") { model.hills = hills }
    if let rate = reader.integer("restingHeartRate", in: 0...1_000) { model.restingHeartRate = Int(rate) }
    if let rate = reader.integer("maximumHeartRate", in: 0...1_000) { model.maximumHeartRate = Int(rate) }
    if let noise = reader.number("noise") { model.noise = noise }
    for stop in reader.array("stops", countMax: 1_000) ?? [] {
      guard let stop = stop.object() else { continue }
      let at = stop.number("at", required: true)
      let length = stop.duration("for", required: true)
      stop.finish()
      if let at, let length { model.stops.append(.init(atMeters: at, forSeconds: length.seconds)) }
    }
    do { try model.validate() } catch {
      reader.error("\(error.key): found \(error.found), expected \(error.expected)")
      return nil
    }
    return model
  }
}

/// A pace in a scenario.
struct Pace {
  var secondsPerKilometre: Double

  /// Reads `"5:30/km"`, `"5:30"`, or a number of seconds per kilometre; nil after reporting.
  init?(_ value: JSONValueReader) {
    switch value.node.value {
    case .integer, .number:
      guard let seconds = value.number(in: 1...86_400) else { return nil }
      secondsPerKilometre = seconds
    case .string(let text):
      let bare = text.hasSuffix("/km") ? text.dropLast(3) : text[...]
      let parts = bare.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let minutes = Int(parts[0]), let seconds = Int(parts[1]), parts[1].count == 2,
        (0...1_000).contains(minutes), (0..<60).contains(seconds), minutes + seconds > 0
      else {
        value.refuse(expected: "a pace such as \"5:30/km\"")
        return nil
      }
      secondsPerKilometre = Double(minutes * 60 + seconds)
    case .null, .bool, .array, .object:
      value.refuse(expected: "a pace such as \"5:30/km\"")
      return nil
    }
  }
}
