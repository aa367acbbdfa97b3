import CoachProtocol
import EdgeSim
import Link
import PhoneSim
import WatchSim

/// The keys of a scenario, section by section: what the reference page lists, and what a test compares with the reader.
enum ScenarioKeys {
  /// Every section, in the order of the page.
  static let sections =
    [top, workout, source, model, stops] + disciplines + [
      workoutEvents, ghost, phone, phoneEvents, ingestion, storeFailures,
      ingestionEvents, daily, dailyChat, dailyEvents, chatEvents, training, sync, trainingEvents, drillSets,
      plannedIntervals, voice, probes,
      watch,
      actKeys, payload,
      checks, apps, plan,
      health,
      run, race,
      raceCues, link, edge,
      edgeFailures, edgeEvents, edgeWorkouts, edgeWorkoutFailures, nemesis,
    ]

  private static let top = Section(
    path: "", about: "The whole file is one object.",
    keys: [
      Key("scenario", .string(), nil, "the name, in reports and in the trace"),
      Key("about", .string(), "\"\"", "what it shows"),
      Key("seed", seed, "1", "all randomness comes from it; `--seed` wins"),
      Key("startedAt", .named("ISO 8601 date", .string()), "2026-01-01T08:00:00Z", "the date at the run's start"),
      Key(
        "timeZone", .named("IANA name", .string()), "UTC",
        "for `time_of_day_hour`; changes of the clock in the run are honoured"),
      Key(
        "flights", parts(StartInstant.flightsMax), "none",
        "changes of the time zone, by time, each as `{ at, timeZone }`: a day is the user's local day"),
      Key("duration", .duration(.zero ... .hours(336)), "6h", "the run ends here at the latest"),
      Key("workout", part, "the model's 5 km", "what the watch records"),
      Key(
        "workouts",
        .named("array, 1 to \(Scenario.workoutsMax)", .array(of: .any, count: 1...Scenario.workoutsMax)), "none",
        "several workouts, one after another, instead of `workout`: each an object like it with a later `at`;"
          + " `mode`, `personality` and `runType` in the first only"),
      Key("phone", part, "nothing", "what happens to the phone, and which program plays it"),
      Key("watch", part, "nothing", "its store, and which program plays it"),
      Key("payload", part, "no names", "how the messages of apps are named in the trace"),
      Key("checks", part, "none", "what faults must not change in the facts of apps"),
      Key("apps", part, "as below", "how the programs of `phone` and `watch` run in virtual time"),
      Key("plan", part, "no plan", "what the runner set out to do"),
      Key(
        "script", .named("path of a script, or a script", .either([.string(), part])), "the personality's own lines",
        "what may be said"),
      Key("link", part, "`ideal`", "the watch-phone link without faults"),
      Key(
        "uplink", part, "`none`, or `lte` with an `edge`",
        "the link between phone and edge; if it exists, the run has an edge"),
      Key("edge", part, "none without an uplink", "the cloud the phone talks to ([edge.md](edge.md))"),
      Key("faults", parts(10_000), "none", "what goes wrong, and when"),
      Key("nemesis", part, "none", "adds faults that are drawn from the seed"),
      Key(
        "memory", .object(anyKeys), "empty", "what the phone knows about the runner; `\"hr.max\": 188` sets the zones"),
      Key(
        "health", part, "none", "the phone's access to what the watch's health store has; `{}` for a lag of 30 s"),
      Key("run", part, "nothing", "what the runner writes about the run"),
      Key("race", part, "none", "the race that is run, with `workout.mode` `race`"),
      Key(
        "replyTimeout", duration, "10s; of an app of your own 300s",
        "how long a message waits for its reply, or for the receipt that its sender asks for"),
      Key(
        "plants", .named("array of names", .array(of: .string(), count: 0 ... .max)), "none",
        "bugs that the nodes have on purpose; `sim-runner plants` lists them"),
      Key("expect", parts(10_000), "none", "what must be true of the run, besides the invariants"),
      Key(
        "sometimes", parts(Situation.countMax), "none",
        "what some seed of a sweep must reach, each as `{ event, where, name }`"),
      Key(
        "$schema", .string(), "none",
        "path or address of [scenario.schema.json](scenario.schema.json), for editors; ignored"),
    ])

  private static let workout = Section(
    path: "workout", about: "What the watch records.",
    keys: [
      Key(
        "discipline", words(TrainingDiscipline.allCases.map(\.rawValue)), "running",
        "what the athlete does ([disciplines.md](disciplines.md)); another than running has a model of its own, and no"
          + " coach's lines but those of `script`; beside `import`, what a file is that names no sport"),
      Key("source", part, "the model", "where the motion comes from"),
      Key("mode", words(RunMode.allCases.map(\.rawValue)), "training", "what the run is for"),
      Key("personality", .string(), FallbackScript.personalityDefault, "the coach's voice: \(voices), or another"),
      Key("runType", words(RunType.allCases.map(\.rawValue)), "outdoor", "where it is run"),
      Key(
        "startedBy", words(WorkoutPlan.Starter.allCases.map(\.rawValue)), "watch",
        "who starts it; the phone asks the watch ([start.md](start.md))"),
      Key("at", duration, "0s", "when it starts, or is asked for"),
      Key("preparing", duration, "3s", "how long the watch prepares"),
      Key("events", parts(10_000), "none", "what the runner does on the watch"),
    ])

  private static let source = Section(
    path: "workout.source", about: "One of the two.",
    keys: [
      Key("model", part, "none", "a made-up runner, from the seed"),
      Key(
        "import", .named("path", .string()), "none",
        "a recorded workout (\(ImporterCatalog.formats)), relative to the scenario's folder"),
      Key(
        "workout", .named("1 and more", .integer(1 ... .max)), "none",
        "beside `import`: which of the file's workouts, as `import --list` numbers them"),
      Key("from", duration, "0s", "beside `import`: where in the recording the run begins, in whole seconds"),
      Key("to", duration, "its end", "beside `import`: where in the recording the run ends, in whole seconds"),
      Key(
        "trace", .named("path", .string()), "none", "the watch of a trace, second by second (replay.md), named likewise"
      ),
    ])

  private static let workoutEvents = Section(
    path: "workout.events[]", about: "A press on the watch.",
    keys: [
      Key("at", duration, nil, "since the run's start"),
      Key(
        "do",
        .named(
          "end, pause, resume, talk, sendAgain or ghost",
          .words(["end", "pause", "resume", "talk", "sendAgain", "ghost"])), nil,
        "what is pressed; sendAgain sends the workout's events once more, by message; or ghost or test traffic, as below"
      ),
      Key(
        "seconds", .number(0.001...3_600, unit: "seconds"), nil,
        "of talk: how long the button is held; a note has at most 30 s"),
      Key("says", .string(bytes: 0...1_024), "nothing", "of talk: what the recogniser will hear"),
      Key(
        "transcription", .named("done or failed", .words(["done", "failed"])), "done",
        "of talk: how the transcription ends"),
    ])

  private static let ghost = Section(
    path: "workout.events[]: ghost",
    about: "A message of another workout session on the watch, which no runner started.",
    keys: [
      Key("at", duration, nil, "since the run's start"), Key("do", .words(["ghost"]), nil, "sends its message"),
      Key(
        "says", words(GhostCommand.Words.allCases.map(\.rawValue)), nil,
        "whether it reports a start, or a running workout with zeros"),
      Key("age", duration, "0s", "how far in the past its message is stamped"),
    ])

  private static let phone = Section(
    path: "phone", about: "What happens to the phone.",
    keys: [
      Key("events", parts(10_000), "none", "in any order"),
      durability,
      acts,
      Key(
        "command", .named("a program and its arguments", .string()), "the built-in phone",
        "an app of your own; its path is relative to the scenario's folder, without a slash it is looked up in `$PATH`;"
          + " `--phone-cmd` wins"),
      Key(
        "launchedByMessages", .bool, "true for an app of your own, false for the simulated phone",
        "a message of the watch starts the phone's app when it is dead, whatever its `restartAfter`; the watch needs no"
          + " running app to send one. The simulated watch sends a message each second, so every kill would be over"
          + " within one"),
      Key(
        "ingestion", part, "none", "ingests data of simulated HealthKit and EventKit stores; `{}` for the defaults"),
      Key(
        "daily", part, "none",
        "stores meals and posts daily totals to the edge; `{}` for the defaults. The run then lasts its whole"
          + " `duration`"),
      Key(
        "training", part, "none",
        "stores training sessions of all disciplines, which the watch reports; `{}` for the defaults. The run then lasts"
          + " its whole `duration`"),
    ])

  private static let ingestion = Section("phone.ingestion", IngestionSetup.schema.description)

  private static let storeFailures = Section("phone.ingestion.failures[]", StoreFailure.schema.description)

  private static let ingestionEvents = Section(
    path: "phone.events[]: ingestion", about: "What the user does in the settings of the ingestion.",
    keys: [
      Key("at", duration, nil, "since the run's start"),
      Key(
        "do", .words(IngestionCommand.words), nil,
        "refetchWeek queries the last seven days again; purgeNow deletes all parsed rows; updateParser installs an app"
          + " that understands the JSON of a newer system"),
      Key(
        "type", words(AppleDataType.allCases.map(\.rawValue)), "all",
        "of setIngestion and setRetention; the first needs it"),
      Key("on", .bool, "needed", "of setIngestion: whether the type is fetched"),
      Key(
        "keep", .duration(.zero ... .hours(9600)), "needed",
        "of setRetention: how long rows are kept after they were fetched"),
    ])

  private static let watch = Section(
    path: "watch", about: "The watch's store and program.",
    keys: [
      durability,
      Key(
        "command", .named("a program and its arguments", .string()), "the built-in watch",
        "as `phone.command`; `--watch-cmd` wins"),
      acts,
    ])

  private static let acts = Key(
    "acts", parts(10_000), "none", "what users do in an app of your own, in any order")

  private static let actKeys = Section(
    path: "phone.acts[] and watch.acts[]",
    about:
      "Something that a user does in an app ([watchconnectivity-reference.md](watchconnectivity-reference.md#facts-and-acts)).",
    keys: [
      Key("at", duration, nil, "since the run's start; an app that is down gets it at its next start"),
      Key(
        "do", .named("string, a letter, then letters, digits, - and _", .string()), nil,
        "the name under which the app has a handler"),
      Key("with", .named("object, at most 16384 bytes as JSON", .object(anyKeys)), "empty", "the arguments"),
      Key("launch", .bool, "false", "the act starts the app where it is down, as a user does who opens it"),
    ])

  private static let payload = Section(
    path: "payload",
    about:
      "What an app's messages, contexts and transfers are called: the `kind` of their lines"
      + " ([watchconnectivity-reference.md](watchconnectivity-reference.md#names-of-messages)).",
    keys: [
      Key(
        "name", .named("path, at most 200 bytes", .string()), nil,
        "into the dictionary: `$.kind`, `$.event.name`, `$['a key']`, `$.list[0]`; bytes on the way are read as JSON")
    ])

  private static let checks = Section(
    path: "checks",
    about:
      "Checks of apps, each an object. Those about facts: `{}` compares all, `{ facts: [\"counted\"] }` those of some names"
      + " ([watchconnectivity-reference.md](watchconnectivity-reference.md#checks)).",
    keys: AppCheck.Kind.allCases.map { Key($0.rawValue, part, "off", $0.about) })

  private static let apps = Section(
    path: "apps", about: "How apps run in virtual time (virtual-time.md).",
    keys: [
      Key(
        "threads", words(AppTime.Policy.allCases.map(\.rawValue)), AppTime().policy.rawValue,
        "which runnable thread continues"),
      Key(
        "threadsSeed", seed, "the run's seed", "of the threads' order, and of jitter"),
      Key("jitter", .duration(.zero ... .seconds(60)), "0s", "an app's timers are late by a drawn time below this"),
    ])

  private static let phoneEvents = Section(
    path: "phone.events[]", about: "One thing that happens to the phone.",
    keys: [
      Key("at", duration, nil, "since the run's start"),
      Key(
        "do",
        .named(
          "interrupt, interruptionEnd, mute, unmute, startWorkout, endWorkout, record, history, wipe, switchWatch,"
            + " unpairWatch, pairWatch, disableComplication or enableComplication",
          .words([
            "interrupt", "interruptionEnd", "mute", "unmute", "startWorkout", "endWorkout", "record", "history", "wipe",
            "switchWatch", "unpairWatch", "pairWatch", "disableComplication", "enableComplication",
          ])), nil,
        "an interruption is a phone call; startWorkout asks the watch for a run ([start.md](start.md)), endWorkout ends"
          + " it, and a start after the last workout is refused; record takes a voice note, with the keys of talk; history"
          + " looks at the list of runs, and wipe deletes"
          + " all that the app keeps of runs and runner, both with `health`; unpairWatch cuts the link until pairWatch, or until the run's"
          + " end; these, switchWatch and the complication are for an app of your own (watchconnectivity.md); or test"
          + " traffic, as below"),
      Key("shouldResume", .bool, "false", "of interruptionEnd: the queue goes on, instead of being emptied"),
    ])

  private static let voice = Section(
    path: "phone.events[]: record", about: "A voice note of the phone.",
    keys: [
      Key("at", duration, nil, "since the run's start"), Key("do", .words(["record"]), nil, "holds the button"),
      Key("seconds", .number(0.001...3_600, unit: "seconds"), nil, "how long it is held; a note has at most 30 s"),
      Key("says", .string(bytes: 0...1_024), "nothing", "what the recogniser will hear"),
      Key(
        "transcription", .named("done or failed", .words(["done", "failed"])), "done", "how the transcription ends"),
    ])

  private static let probes = Section(
    path: "workout.events[] and phone.events[]", about: "Test traffic, which has no effect but its lines.",
    keys: [
      Key("do", .words(ProbeCommand.words), nil, "which channel is driven"),
      Key("count", .integer(1...10_000), "1", "how many messages or user infos"),
      Key(
        "bytes", .named("0 to 524288; of a file to 67108864", .integer(0...67_108_864)), "256",
        "how large each payload is; a file must say it"),
      Key("wantsReply", .bool, "false", "of sendMessage"),
      Key(
        "payload", words(ProbePayload.allCases.map(\.rawValue)), ProbePayload.probe.rawValue,
        "of sendMessage, transferUserInfo and updateApplicationContext: what another build says, bytes that are no"
          + " property list, or the command to begin a run, which a watch obeys"),
      Key("name", .string(bytes: 1...255), "its number", "of transferFile"),
    ])

  private static let plan = Section(
    path: "plan", about: "What the runner set out to do; target pace is time over distance.",
    keys: [
      Key(
        "distance", .number(1...1_000_000, unit: "metres"), "not planned",
        "for `halfway`, `near_finish` and the target pace"),
      Key(
        "time", .named("duration above 0", duration), "not planned",
        "for the target pace, and for `halfway` without a distance"),
    ])

  private static let health = Section(
    path: "health", about: "The health store's own synchronisation.",
    keys: [Key("syncLag", duration, "30s", "until a finished workout can be read on the phone")])

  private static let run = Section(
    path: "run", about: "What the runner writes about the run: columns of the companion store's row.",
    keys: [
      Key("label", .string(bytes: 0...200), "none", "what the runner calls it"),
      Key("userNotes", .string(bytes: 0...10_000), "none", "free text, written when the run is finished"),
      Key("perceivedEffort", .integer(1...10), "none", "how hard it felt"),
    ])

  private static let race = Section(
    path: "race", about: "A race: a row of the companion store, and lines of the script that are all local.",
    keys: [
      Key("name", .string(bytes: 0...200), nil, "what the runner calls it"),
      Key(
        "distanceMeters", .number(1...1_000_000, unit: "metres"), nil,
        "its length; the plan's distance, where there is no plan"),
      Key("targetTimeSeconds", .number(1...172_800, unit: "seconds"), nil, "the plan's time, where there is no plan"),
      Key("pacingStrategy", words(RaceSetup.PacingStrategy.allCases.map(\.rawValue)), "even", "stored for the runner"),
      Key("fuelingPlan", parts(RaceSetup.cueCountMax), "none", "where to eat"),
      Key("hydrationPlan", parts(RaceSetup.cueCountMax), "none", "where to drink"),
      Key("notes", .string(bytes: 0...10_000), "none", "remarks on the course"),
    ])

  private static let raceCues = Section(
    path: "race.fuelingPlan[] and race.hydrationPlan[]",
    about: "A cue of a race: its point, one of three, and its text. The watch taps, too.",
    keys: [
      Key("atMeters", .number(1...1_000_000, unit: "metres"), "none", "once, at this distance from the start"),
      Key(
        "everyMeters", .number(1...1_000_000, unit: "metres"), "none", "repeatedly, at each multiple of this distance"),
      Key("atSeconds", .number(1...172_800, unit: "seconds"), "none", "once, at this time of the run"),
      Key("text", .named("string of a word at least", .string(bytes: 1 ... .max)), nil, "what is said"),
    ])

  private static let link = Section("link and uplink", LinkProfile.schema.description)

  private static let edge = Section(
    path: "edge", about: "The cloud the phone talks to.",
    keys: [
      Key("latency", .duration(.zero ... .hours(24)), "800ms", "mean time from a request to its answer, 1ms at least"),
      Key("jitter", .duration(.zero ... .hours(24)), "200ms", "uniform variation in either direction"),
      Key(
        "failures", parts(EdgeSetup.failuresMax), "none",
        "its failures; the first that applies to a request counts"),
      Key("events", parts(EdgeEvent.countMax), "none", "what happens to the server and its files"),
      Key("workouts", part, "none", "an external service from which the server fetches workouts"),
    ])

  private static let edgeFailures = Section(
    path: "edge.failures[]", about: "A way in which the edge fails for a while.",
    keys: [
      Key("call", words(EdgeCall.allCases.map(\.rawValue)), "all of them", "which call fails"),
      Key("at", duration, "0s", "earlier requests are not affected"),
      Key("for", duration, "to the end", "for how long"),
      Key("times", .integer(1...1_000_000), "all in that period", "or how many requests fail"),
      Key("do", words(EdgeFailure.Effect.words), nil, "what happens to a request"),
      Key("by", .duration(.zero ... .hours(24)), "needed", "of late: how much later the answer comes"),
    ])

  private static let nemesis = Section("nemesis", Nemesis.schema(hasUplink: false).description)

  // MARK: Types of several keys

  private static let anyKeys = ObjectDescription(name: "", about: "", fields: [], allowsOthers: true)
  /// An object; with a section of its own, one with its keys.
  private static let part = ValueDescription.named("object", .object(anyKeys))
  /// An array; with a section of its own, one of such objects.
  static func parts(_ countMax: Int) -> ValueDescription { .array(of: .any, count: 0...countMax) }
  static let duration = ValueDescription.duration(ValueDescription.anyDuration)
  private static let seed = ValueDescription.named(
    "whole number, or a string of digits", .either([.integer(0 ... .max), .string(bytes: 1...20)]))
  static func words(_ words: [String]) -> ValueDescription { .words(words) }
  private static let voices = FallbackScript.personalities.joined(separator: ", ")
}
