import CoachProtocol
import Link
import PhoneSim
import WatchSim

/// Keys of the models of all disciplines, and of training sessions.
extension ScenarioKeys {
  static let model = Section(
    path: "workout.source.model", about: "A runner with a pace, hills and a heart.",
    keys: [
      Key(
        "distance", .number(1...1_000_000, unit: "metres"), "5000",
        "the run ends at the first whole second at or past it"),
      Key(
        "pace", .named("`\"5:30/km\"`, or seconds per km, 90 to 3600", .either([.string(), .number(90...3_600)])),
        "5:30/km", "target pace on the level"),
      Key("drift", .number(-300...300, unit: "s/km per km"), "0", "what the pace grows by with each kilometre"),
      Key(
        "hills", .number(0...40, unit: "metres"), "0",
        "from the mean height to the tops; hill and valley take a kilometre"),
      Key("restingHeartRate", .number(30...120), "60", "beats per minute"),
      Key(
        "maximumHeartRate", .named("at least 10 above resting, to 250", .number(40...250)), "190", "beats per minute"),
      Key("noise", .number(0...10), "1", "0 is a machine, 1 a runner"),
      Key("stops", parts(1_000), "none", "where the runner stops for a while"),
    ])

  static let stops = Section(
    path: "workout.source.model.stops[]", about: "A stop.",
    keys: [
      Key("at", .number(0...1_000_000, unit: "metres"), nil, "from the start"),
      Key("for", .duration(.seconds(1) ... .hours(24)), nil, "how long; rounded to whole seconds"),
    ])

  static let training = Section("phone.training", TrainingSetup.schema.description)

  static let sync = Section("phone.training.sync", SyncSetup.schema.description)

  static let trainingEvents = Section(
    path: "phone.events[]: training", about: "What the athlete does in the app with training sessions.",
    keys: [
      Key("at", duration, nil, "since the run's start"),
      Key(
        "do", .words(TrainingCommand.words), nil,
        "correctShot changes a shot of the newest shooting session; scoreRide enters a judge's score of the newest ride;"
          + " addPhoto belongs to the newest ride, scanTarget to an end of the newest shooting session; recordWeather and"
          + " removeSession concern the newest session of a discipline"),
      Key("end", .integer(1...1_000), "needed", "of correctShot and scanTarget: the end, from 1"),
      Key("shot", .integer(1...1_000), "needed", "of correctShot: the shot in its end, from 1"),
      Key("score", .number(0...100), "needed", "of correctShot: rings, 0 to 10; of scoreRide: 0 to 100"),
      Key(
        "discipline", words(TrainingDiscipline.allCases.map(\.rawValue)), "needed",
        "of logDrill: what is exercised; of planWorkout, recordWeather and removeSession; a plan has no shooting"),
      Key("drillType", .string(bytes: 1...100), "needed", "of logDrill: the exercise"),
      Key("sets", parts(TrainingCommand.setsMax), "none", "of logDrill: its sets"),
      Key("file", .string(bytes: 1...200), "needed", "of addPhoto and scanTarget: the file's name"),
      Key(
        "digest", .named("64 hexadecimal digits", .string(bytes: 64...64)), "that of the name",
        "of addPhoto and scanTarget: SHA-256 of the file"),
      Key("groupSize", .number(0...10_000, unit: "mm"), "none", "of scanTarget: the size of the group of shots"),
      Key("title", .string(bytes: 1...200), "needed", "of addTask and completeTask: the task of the competition"),
      Key("name", .string(bytes: 1...200), "needed", "of planWorkout: the workout's name"),
      Key("intervals", parts(TrainingCommand.setsMax), "needed", "of planWorkout: its intervals"),
      Key("temperature", .number(-90...60, unit: "degrees Celsius"), "needed", "of recordWeather"),
      Key("windSpeed", .number(0...100, unit: "m/s"), "none", "of recordWeather"),
      Key("condition", .string(bytes: 1...100), "none", "of recordWeather: in words"),
    ])

  static let plannedIntervals = Section("phone.events[].intervals[]", PlannedInterval.schema.description)

  static let drillSets = Section("phone.events[].sets[]", TrainingCommand.DrillEntry.schema.description)

  /// A section for the model of each discipline other than running.
  static let disciplines = DisciplineCatalog.all.map { model in
    func section<Model: DisciplineSource>(_ model: Model.Type) -> Section {
      Section("workout.source.model: \(model.discipline.rawValue)", model.schema.description)
    }
    return section(model)
  }
}
