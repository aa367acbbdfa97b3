import Console
package import CoachProtocol
package import Link
import PhoneSim
package import WatchSim

/// The workout that the watch records: `workout` of a scenario.
package struct WorkoutPlan: Sendable {
  /// The source of the run.
  package enum Source: Sendable {
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
  package enum Starter: String, CaseIterable, Sendable {
    case watch, phone
    /// A tap on the watch's face, which opens an app that is down.
    case complication
  }

  package var source = Source.model(RunnerParameters())
  var mode = RunMode.training
  var personality = "encouraging"
  var runType = RunType.outdoor
  package var startedBy = Starter.watch
  package var at: VirtualTime = .start
  package var preparing: VirtualTime.Span = .seconds(3)
  /// Where the scenario names the source's file, as `file:line:column: error: key`; nil for no file.
  var sourcePlace: String?
  /// What happens on the watch.
  var events: [Scenario.TimedCommand] = []
  /// The discipline that was read, for the source that follows it.
  private var named: TrainingDiscipline?

  init() {}
}

extension WorkoutPlan {
  /// The keys of `workout`, and of each of `workouts`.
  static let schema = ObjectSchema<Self>(
    "workout", "What the watch records.", Self(),
    [
      Field(
        "discipline", \.discipline, .word,
        "what the athlete does: a [discipline](built-in-apps.md#disciplines). Another than running has its model, and no"
          + " coach's lines but those of `script`; beside `import`, what a file is that names no sport",
        .otherwise("running")),
      Field(
        "source", as: .object(SourceKeys.schema(.running).description), "where the motion comes from",
        .otherwise("the model"),
        read: { value, plan in
          let schema = SourceKeys.schema(plan.named ?? .running)
          guard let keys = value.object().flatMap({ schema.readWhole($0) }) else { return false }
          plan.source = keys.source(plan.named) ?? plan.source
          plan.sourcePlace = plan.source.file.flatMap { name, _ in
            value.node[name].map { value.place(of: $0, key: name) }
          }
          return true
        },
        write: { plan, style in
          .object(SourceKeys.schema(.running).members(of: SourceKeys(plan.source), style))
        }),
      Field("mode", \.mode, .word, "what the workout is for"),
      Field("personality", \.personality, .string, "the coach's voice: \(voices), or another"),
      Field("runType", \.runType, .word, "where it is run"),
      Field("at", \.at, .instant, "when it starts, or is asked for"),
      Field("preparing", \.preparing, .duration(), "how long the watch prepares"),
      Field(
        "startedBy", \.startedBy, .word,
        "who starts it; the phone [asks the watch](built-in-apps.md#starts-by-the-phone), one tap on the complication starts the app as well"
      ).omittedAtDefault,
      Field(
        "events", \.events,
        .array(
          of: Scenario.TimedCommand.schema(
            "workout.events[]", "A press on the watch.", Scenario.TimedCommand.watchForms), count: 0...10_000),
        "what the athlete does on the watch"
      ).omittedAtDefault,
    ])

  private static let voices = FallbackScript.personalities.joined(separator: ", ")

  /// Keys that only the first of several workouts has: the phone's coach is the same for all of them.
  static let sharedKeys = ["mode", "personality", "runType"]

  /// The discipline that the scenario names; nil for a run.
  private var discipline: TrainingDiscipline? {
    get {
      switch source {
      case .discipline(let plan): plan.discipline
      case .recorded(_, _, _, let discipline): discipline
      case .model, .traced: nil
      }
    }
    set {
      named = newValue
      if let plan = newValue.flatMap({ DisciplinePlan($0) }) { source = .discipline(plan) }
    }
  }
}

extension ValueSchema where Value == [WorkoutPlan] {
  /// Several workouts.
  static var workouts: Self {
    var schema = array(of: .object(WorkoutPlan.schema), count: 1...Scenario.workoutsMax)
    schema.write = { plans, style in
      .array(
        plans.enumerated().map { index, plan in
          let members = WorkoutPlan.schema.members(of: plan, style)
          return JSONNode(.object(members.filter { index == 0 || !WorkoutPlan.sharedKeys.contains($0.key) }))
        })
    }
    return schema
  }
}

/// The keys of `workout.source`.
private struct SourceKeys: Sendable {
  var model: Model?
  var file: String?
  var number: Int?
  var stretch = RecordedStretch.whole
  var trace: String?

  /// The model of a discipline.
  enum Model: Sendable {
    case runner(RunnerParameters)
    case discipline(DisciplinePlan)
  }

  init() {}

  init(_ source: WorkoutPlan.Source) {
    switch source {
    case .model(let runner): model = .runner(runner)
    case .discipline(let plan): model = .discipline(plan)
    case .recorded(let path, let number, let stretch, _): (file, self.number, self.stretch) = (path, number, stretch)
    case .traced(let path): trace = path
    }
  }

  /// The source; nil if no key names one.
  func source(_ discipline: TrainingDiscipline?) -> WorkoutPlan.Source? {
    if let file { return .recorded(path: file, number: number, stretch: stretch, discipline: discipline) }
    if let trace { return .traced(path: trace) }
    return switch model {
    case .runner(let runner): .model(runner)
    case .discipline(let plan): .discipline(plan)
    case nil: nil
    }
  }

  static func schema(_ discipline: TrainingDiscipline) -> ObjectSchema<Self> {
    ObjectSchema(
      "workout.source", "One of `model`, `import` and `trace`.", Self(),
      [
        Field(
          "model", as: modelDescription, "a made-up athlete, from the seed", .otherwise("none"),
          read: { value, keys in
            guard let reader = value.object() else { return false }
            defer { reader.finish() }
            if discipline == .running {
              keys.model = RunnerParameters.schema.read(reader).map { Model.runner($0) }
            } else {
              keys.model = DisciplinePlan(discipline, reader).map { Model.discipline($0) }
            }
            return keys.model != nil
          },
          write: { keys, style in
            switch keys.model {
            case .runner(let runner): .object(RunnerParameters.schema.members(of: runner, style))
            case .discipline(let plan): .object(plan.members)
            case nil: nil
            }
          }),
        Field(
          "import", \.file, .path,
          "a recorded workout (\(ImporterCatalog.formats)), relative to the scenario's folder"),
        Field(
          "workout", \.number, .integer(1...1_000_000),
          "beside `import`: which of the file's workouts, as `import --list` numbers them"),
        Field(
          "from", \.stretch.from, .wholeSeconds,
          "beside `import`: where in the recording the workout begins, in whole seconds"
        ).omittedAtDefault,
        Field(
          "to", \.stretch.to, .wholeSeconds,
          "beside `import`: where in the recording the workout ends, in whole seconds",
          .otherwise("its end")),
        Field(
          "trace", \.trace, .path, "the watch of a trace, second by second ([replay](recordings.md#replay))"),
      ]
    ) { keys, reader in check(keys, discipline, reader) }
  }

  private static func check(_ keys: Self, _ discipline: TrainingDiscipline, _ reader: JSONObjectReader) -> Bool {
    if ["model", "import", "trace"].count(where: { reader.has($0) }) > 1 {
      reader.error("model, import and trace are alternatives")
      return false
    }
    if discipline != .running, reader.has("trace") {
      reader.value("trace")?.refuse(expected: "a model or a file beside discipline: a trace names its sport")
      return false
    }
    if keys.file == nil, let key = ["workout", "from", "to"].first(where: { reader.has($0) }) {
      reader.error("\(key) goes with import")
      return false
    }
    if let to = keys.stretch.to, to <= keys.stretch.from {
      reader.value("to")?.refuse(expected: "more than from (\(keys.stretch.from) s)")
      return false
    }
    return true
  }

  /// A runner, or a model of another discipline.
  private static let modelDescription = ValueDescription.named(
    "object",
    .either(
      [.object(RunnerParameters.schema.description)]
        + DisciplineCatalog.all.map { model in
          func description<Model: DisciplineSource>(_ model: Model.Type) -> ValueDescription {
            .object(model.schema.description)
          }
          return description(model)
        }))
}

extension WorkoutPlan.Source {
  /// The key of a source that is a file, with the file's path; nil for a model.
  package var file: (key: String, path: String)? {
    switch self {
    case .model, .discipline: nil
    case .recorded(let path, _, _, _): ("import", path)
    case .traced(let path): ("trace", path)
    }
  }

  /// The source with another path.
  func mappingFile(_ path: (String) -> String) -> Self {
    switch self {
    case .model, .discipline: self
    case .recorded(let file, let number, let stretch, let discipline):
      .recorded(path: path(file), number: number, stretch: stretch, discipline: discipline)
    case .traced(let file): .traced(path: path(file))
    }
  }
}

extension RunnerParameters {
  /// The keys of `workout.source.model` of a run.
  static let schema = ObjectSchema<Self>(
    "workout.source.model", "An athlete with a pace, hills and a heart.", Self(),
    [
      Field(
        "distance", \.distance, .number(1...1_000_000, unit: "metres"),
        "the workout ends at the first whole second at or past it"
      ).alwaysWritten,
      Field("pace", \.pace, .pace, "target pace on the level", .otherwise("5:30/km")).alwaysWritten,
      Field(
        "drift", \.drift, .number(-300...300, unit: "s/km per km"), "what the pace grows by with each kilometre"
      ).omittedAtDefault,
      Field(
        "pacing", \.pacing, .word,
        "how the pace is spread: with `negative` the first half is 2 % slower, the second 2 % faster; not in intervals"
      ).omittedAtDefault,
      Field(
        "hills", \.hills, .number(0...40, unit: "metres"),
        "from the mean height to the tops; hill and valley take a kilometre"
      ).omittedAtDefault,
      Field("restingHeartRate", \.restingHeartRate, .integer(30...120), "beats per minute").omittedAtDefault,
      Field(
        "maximumHeartRate", \.maximumHeartRate, .integer(40...250).named("at least 10 above resting, to 250"),
        "beats per minute"
      ).omittedAtDefault,
      Field("noise", \.noise, .number(0...10), "0 is a machine, 1 a person").omittedAtDefault,
      Field(
        "stops", \.stops, .array(of: .object(Stop.schema), count: 0...1_000), "where the athlete stops for a while"
      ).omittedAtDefault,
      Field(
        "intervals", \.intervals, .array(of: .object(Interval.schema), count: 0...100),
        "what is run from the start on, one after another; the rest of the distance follows at the run's pace"
      ).omittedAtDefault,
    ]
  ) { model, reader in
    do throws(MotionError) { try model.validate() } catch {
      reader.error("\(error.key): found \(error.found), expected \(error.expected)")
      return false
    }
    return true
  }
}

extension RunnerParameters.Stop {
  fileprivate static let schema = ObjectSchema<Self>(
    "workout.source.model.stops[]", "A stop.", Self(atMeters: 0, forSeconds: 1),
    [
      Field("at", \.atMeters, .number(0...1_000_000, unit: "metres"), "from the start", .required),
      Field(
        "for", \.forSeconds, .seconds(.seconds(1)...(.hours(24))), "how long; rounded to whole seconds", .required),
    ])
}

extension RunnerParameters.Interval {
  fileprivate static let schema = ObjectSchema<Self>(
    "workout.source.model.intervals[]", "An interval of a run.", Self(distance: 400),
    [
      Field("distance", \.distance, .number(10...100_000, unit: "metres"), "its target", .required),
      Field("pace", \.pace, .pace, "its target on the level", .otherwise("the run's pace")),
      Field("rest", \.rest, .seconds(.zero...(.hours(1))), "how long the walk after it is; whole seconds"),
    ])
}

extension ValueSchema where Value == String {
  /// A file's path, relative to the folder of the text; absolute once it is read.
  fileprivate static var path: Self {
    string.named("path").map(
      reading: { FilePath.resolve($0, in: $1.collector.folder) }, writing: { $0 })
  }
}

extension ValueSchema where Value == Int {
  /// A place in a recording.
  fileprivate static var wholeSeconds: Self {
    ValueSchema<VirtualTime.Span>.duration().satisfying("whole seconds, at most \(ReplayTimeline.wallSecondsMax)") {
      $0.nanoseconds % 1_000_000_000 == 0 && $0 <= .seconds(Int64(ReplayTimeline.wallSecondsMax))
    }.map(reading: { span, _ in Int(span.nanoseconds / 1_000_000_000) }, writing: { .seconds(Int64($0)) })
  }
}

extension ValueSchema where Value == Double {
  /// A pace, in seconds per kilometre.
  fileprivate static var pace: Self {
    Self(
      .named("`\"5:30/km\"`, or seconds per km, 90 to 3600", .either([.string(), .number(90...3_600)])),
      read: { Pace($0)?.secondsPerKilometre }, write: { pace, _ in .plain(pace) })
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
