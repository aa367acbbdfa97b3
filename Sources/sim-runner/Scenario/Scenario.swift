import EdgeSim
import Link
import PhoneSim
import WatchSim

/// One file that says what happens in a run: workout, script, link, faults, expectations (spec 5.1).
struct Scenario: Sendable {
  var name = "unnamed"
  var about = ""
  var seed: UInt64 = 1
  var start = StartInstant()
  /// When the run ends at the latest.
  var duration: VirtualTime.Span = .seconds(6 * 3_600)
  var workout = WorkoutPlan()
  /// The workouts after it, each with a later start.
  var laterWorkouts: [WorkoutPlan] = []
  var plan = Plan()
  /// What may be said; the personality's own lines where the scenario gives none.
  var script = Script(messages: []) { didSet { scriptText = script.canonicalText } }
  /// The script as text, made once as every run tells it; nil until the script is set.
  private(set) var scriptText: String?
  var scriptSource = ScriptSource.fallback
  var link = LinkProfile(latency: .milliseconds(5))
  /// The phone's way to the edge.
  var uplink = LinkProfile(latency: .milliseconds(5), exists: false)
  /// The cloud the phone talks to; nil for none.
  var edge: EdgeSetup?
  /// The faults that the file names; see ``faultPlan`` for all of a run.
  var faults: [PlannedFault] = []
  /// What draws further ones; nil for none.
  var nemesis: Nemesis?
  /// What the phone remembers of the runner, by key.
  var memory: [JSONMember] = []
  /// Whether the phone reads workouts from the health store at all: where the file has the key `health`.
  var syncsHealth = false
  /// How long a finished workout takes to get there.
  var healthSyncLag: VirtualTime.Span = .seconds(30)
  /// The ingestion of Apple data; nil where the phone ingests none.
  var ingestion: IngestionSetup?
  /// Meals and daily aggregates; nil where the phone stores none.
  var daily: DailySetup?
  /// Training sessions; nil where the phone stores none.
  var training: TrainingSetup?
  /// Whether the run goes on to its end whatever becomes of its workouts.
  var lastsWholeDuration: Bool { daily != nil || training != nil }
  /// What the runner writes about the run.
  var remarks = RunRemarks()
  /// The race that is run; nil for none.
  var race: RaceSetup?
  var replyTimeout: VirtualTime.Span = .seconds(10)
  /// Whether a message of the watch launches the phone's app; nil where it does if the phone is an app of its own.
  var launchesPhone: Bool?
  /// What a loss of power leaves of the devices' stores.
  var watchDurability = StoreDurability.full
  var phoneDurability = StoreDurability.full
  var watchCommands: [TimedCommand] = []
  var phoneCommands: [TimedCommand] = []
  /// Checks of apps that are switched on.
  var checks: [AppCheck] = []
  /// Where the payloads of apps have their names; nil for nowhere.
  var payloadName: PayloadPath?
  /// What users do in apps.
  var acts: [TimedAct] = []
  var expectations: [ReadExpectation] = []
  /// What some seed of a sweep should reach.
  var situations: [Situation] = []
  /// What the nodes do wrong on purpose.
  var plants: Plants = []
  /// The programs of the user's that play the nodes.
  var programs = UserPrograms()
  /// How those run that are apps, in virtual time.
  var appTime = AppTime()
  /// The scenario as one JSON object that needs no other file but a workout's: what a node process receives.
  var resolved = JSONNode(.object([]))
  /// The members of the file as they were written.
  var written: [JSONMember] = []

  /// Something a user does at a time.
  struct TimedCommand: Sendable {
    var at: VirtualTime
    var command: NodeCommand
    /// Where it is in the file.
    var position = TextPosition.nowhere
  }

  /// Whether the phone may start a run.
  var startsByPhone: Bool { phoneCommands.contains { $0.command.name == TimedCommand.startWorkout } }

  /// The memory's `hr.max`; nil where nothing is known.
  var maximumHeartRate: Int? {
    guard let member = memory.first(where: { $0.key == "hr.max" }) else { return nil }
    switch member.node.value {
    case .integer(let value): return Int(exactly: value)
    case .number(let value): return Int(exactly: value.rounded())
    case .null, .bool, .string, .array, .object: return nil
    }
  }

  /// The first line of the trace: everything that a re-run or a checker needs.
  var header: TraceHeader {
    var header = TraceHeader(
      scenario: name, seed: seed, startedAt: start.text, timeZone: start.timeZone,
      utcOffsets: start.offsets.map { TraceHeader.UTCOffset(from: $0.from, seconds: Int($0.seconds)) },
      duration: duration)
    var planned: [JSONMember] = []
    if let distance = plan.distance { planned.append(JSONMember("distance", .plain(distance))) }
    if let time = plan.time { planned.append(JSONMember("time", .plain(time))) }
    header.plan = JSONNode(.object(planned))
    // The phone's own script is in the line that reports its loading.
    if scriptSource == .scenario { header.script = JSONNode(script.json) }
    header.expectedScript = scriptText
    header.memory = JSONNode(.object(memory))
    header.link = JSONNode(link.params)
    header.uplink = JSONNode(uplink.params)
    header.faults = JSONNode(.array(faultPlan.map { JSONNode($0.json) }))
    header.build = Version.text
    header.extras = repeatMembers
    if syncsHealth {
      header.extras.append(
        JSONMember("health", .object([JSONMember("syncLag", .integer(healthSyncLag.nanoseconds))])))
    }
    if let programs = ProgramsHeader.member(self, isVirtual: true) { header.extras.append(programs) }
    if !plants.isEmpty { header.extras.append(PlantCatalog.member(plants)) }
    return header
  }
}

/// The release's number: the `build` of a trace's header.
enum Version {
  static let text = "0.1.0"
}
