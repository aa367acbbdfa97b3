import CoachProtocol
import Console
package import EdgeSim
import HealthSim
package import Link
package import PhoneSim
import WatchSim

/// The content of a scenario file: workout, script, link, faults, expectations (spec 5.1).
package struct Scenario: Sendable {
  package var name = "unnamed"
  package var about = ""
  package var seed: UInt64 = 1
  var start = StartInstant()
  /// The latest end of the run.
  package var duration: VirtualTime.Span = .seconds(6 * 3_600)
  package var workout = WorkoutPlan()
  /// The workouts after it, each with a later start.
  package var laterWorkouts: [WorkoutPlan] = []
  package var plan = Plan()
  /// The lines that may be spoken; the personality's own if the scenario has none.
  ///
  /// With the lines of a race, which ``ownScript`` lacks.
  package var script = Script(messages: []) { didSet { scriptText = script.canonicalText } }
  /// The script as text, cached because every run writes it; nil until the script is set.
  private(set) var scriptText: String?
  /// The scenario's own script, if any.
  package var ownScript: Script?
  /// Warnings about the script that the scenario is about.
  var acceptedWarnings: [ScriptWarning] = []
  package var scriptSource = ScriptSource.fallback
  package var link = LinkProfile(latency: .milliseconds(5))
  /// The link between phone and edge.
  var uplink = LinkProfile(latency: .milliseconds(5), exists: false)
  /// The cloud the phone talks to, if any.
  package var edge: EdgeSetup?
  /// The faults in the file; see ``faultPlan`` for all faults of a run.
  package var faults: [PlannedFault] = []
  /// The nemesis, which draws further faults, if any.
  package var nemesis: Nemesis?
  /// Facts about the athlete that the phone remembers, by key.
  var memory: [JSONMember] = []
  /// The ingestion of Apple data, if any.
  var ingestion: IngestionSetup?
  /// Meals and daily aggregates, if any.
  var daily: DailySetup?
  /// The user's unit of length.
  var units = LengthUnit.kilometres
  /// The coach's voice; nil for the standard one.
  var voice: VoiceSetup?
  /// Training sessions, if any.
  var training: TrainingSetup?
  /// Whether the run lasts its whole duration, even after its workouts have ended.
  var lastsWholeDuration: Bool { daily != nil || training != nil }
  /// The athlete's remarks about the workout.
  var remarks = RunRemarks()
  /// The race that is run, if any.
  var race: RaceSetup?
  /// How long a message waits for its reply; nil for the default.
  var ownReplyTimeout: VirtualTime.Span?
  var replyTimeout: VirtualTime.Span { ownReplyTimeout ?? .seconds(10) }
  /// Whether a message of the watch launches the phone's app; nil means that it does if the phone is an app.
  var launchesPhone: Bool?
  /// What a loss of power leaves of the devices' stores.
  var watchDurability = StoreDurability.full
  var phoneDurability = StoreDurability.full
  package var phoneCommands: [TimedCommand] = []
  /// The enabled checks of apps.
  var checks: [AppCheck] = []
  /// The path to the names of apps' payloads, if any.
  var payloadName: PayloadPath?
  /// The users' acts in apps.
  package var acts: [TimedAct] = []
  package var expectations: [ReadExpectation] = []
  /// Situations that some seed of a sweep should reach.
  package var situations: [Situation] = []
  /// The planted bugs.
  package var plants: Plants = []
  /// The user's programs that play nodes.
  package var programs = UserPrograms()
  /// How apps run in virtual time.
  package var appTime = AppTime()
  /// What is drawn of users' acts; nil for a scenario whose acts are written out.
  var actDraw: ActDraw?
  /// Who uses the devices.
  var athleteSetup = AthleteSetup()
  /// The phone's access to the watch's health store, if any.
  var health: HealthAccess?
  /// What apps that import HealthKit meet, if the scenario says anything of it.
  var ownHealthKit: HealthSettings?
  /// What apps that import Apple's modules for the rest of a device meet, if the scenario says anything of it.
  var ownSystem: SystemSettings?
  /// Whether the file was saved by this program, and may be someone else's: its programs need a permission.
  package var isSaved = false
  /// The groups it belongs to, by which `test --filter` finds it.
  package var tags: [String] = []
  /// Whether the runner writes what the athlete really did; nil to decide by the other keys.
  package var ownTruth: Bool?
  /// Whether the phone may start a run.
  var startsByPhone: Bool { phoneCommands.contains { $0.command.name == TimedCommand.startWorkout } }

  package init() {}

  /// The memory's `hr.max`; nil if unknown.
  var maximumHeartRate: Int? {
    guard let member = memory.first(where: { $0.key == "hr.max" }) else { return nil }
    switch member.node.value {
    case .integer(let value): return Int(exactly: value)
    case .number(let value): return Int(exactly: value.rounded())
    case .null, .bool, .string, .array, .object: return nil
    }
  }

  /// The first line of the trace: everything that a re-run or a checker needs.
  package var header: TraceHeader {
    var header = TraceHeader(
      scenario: name, seed: seed, startedAt: start.text, timeZone: start.timeZone,
      utcOffsets: start.offsets.map { TraceHeader.UTCOffset(from: $0.from, seconds: Int($0.seconds)) },
      duration: duration)
    header.plan = JSONNode(
      .fields([
        "distance": plan.distance.map { .plain($0) }, "time": plan.time.map { .plain($0) },
        "pacing": plan.pacing == .even ? nil : .string(plan.pacing.rawValue),
      ]))
    // The phone's own script is in the line that reports its loading.
    if scriptSource == .scenario { header.script = JSONNode(script.json) }
    header.expectedScript = scriptText
    header.memory = JSONNode(.object(memory))
    header.link = JSONNode(link.params)
    header.uplink = JSONNode(uplink.params)
    header.faults = JSONNode(.array(faultPlan.map { JSONNode($0.json) }))
    header.build = Version.text
    header.extras = repeatMembers
    if let health {
      header.extras.append(
        JSONMember("health", .fields(["syncLag": .integer(health.syncLag.nanoseconds)])))
    }
    if let programs = ProgramsHeader.member(self, isVirtual: true) { header.extras.append(programs) }
    if !plants.isEmpty { header.extras.append(PlantCatalog.member(plants)) }
    return header
  }

  /// The members of the header that checkers do not need, and with which the trace alone repeats the run.
  private var repeatMembers: [JSONMember] {
    // Files are named without their folder, which differs between machines; programs have a member of their own.
    var scenario = mappingFiles { $0.split(separator: "/").last.map(String.init) ?? $0 }
    scenario.programs = UserPrograms()
    scenario.watchCommands = watchCommands
    scenario.checks.removeAll { $0.isImplied }
    let keys = [
      "workout", "workouts", "phone", "watch", "run", "race", "payload", "checks", "edge", "athlete", "truth",
      "healthKit", "system", "units",
    ]
    var members = Self.schema.members(of: scenario).filter { keys.contains($0.key) }
    if replyTimeout != Scenario().replyTimeout {
      members.append(JSONMember("replyTimeout", .integer(replyTimeout.nanoseconds)))
    }
    return members
  }

  /// The scenario with the path of each workout's file replaced.
  func mappingFiles(_ path: (String) -> String) -> Scenario {
    var scenario = self
    scenario.workout.source = workout.source.mappingFile(path)
    for index in laterWorkouts.indices {
      scenario.laterWorkouts[index].source = laterWorkouts[index].source.mappingFile(path)
    }
    return scenario
  }
}

/// The release's number: the `build` of a trace's header.
package enum Version {
  package static let text = "0.1.0"
}
