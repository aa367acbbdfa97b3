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

/// Several workouts in one run: `workouts` of a scenario.
extension Scenario {
  /// The most workouts of a scenario.
  static let workoutsMax = 32

  /// All planned workouts, in the order of their starts.
  package var workouts: [WorkoutPlan] { [workout] + laterWorkouts }

  /// Whether a workout is not a run.
  ///
  /// The personality's own lines and those of the edge are about running, so the coach then speaks only what the
  /// scenario's script says, or with an edge only in the runs (``coachesRunsOnly``).
  var hasOtherDisciplines: Bool {
    workouts.contains { if case .discipline = $0.source { true } else { false } }
  }

  /// Whether the coach asks the edge for scripts of the runs, and is silent in the other workouts.
  ///
  /// Not in a race, which must work without a network.
  var coachesRunsOnly: Bool {
    hasOtherDisciplines && edge != nil && scriptSource == .fallback && workout.mode != .race
  }

  /// When the last workout starts, or is requested; ``VirtualTime/start`` if there is only one.
  ///
  /// The run continues after the end of a workout that began earlier.
  var lastStart: VirtualTime { laterWorkouts.last?.at ?? .start }

  /// All of them if there are several; nil for one.
  var listedWorkouts: [WorkoutPlan]? {
    get { laterWorkouts.isEmpty ? nil : workouts }
    set {
      guard let first = newValue?.first else { return }
      workout = first
      laterWorkouts = Array(newValue?.dropFirst() ?? [])
    }
  }

  /// Checks the rules of several workouts.
  func checkWorkouts(_ reader: JSONObjectReader) {
    guard let list = reader.array("workouts") else { return }
    if reader.has("workout") { reader.error("workout and workouts are alternatives") }
    var last: VirtualTime?
    for (plan, value) in zip(workouts, list) {
      defer { last = plan.at }
      guard let before = last, let one = value.object() else { continue }
      for key in WorkoutPlan.sharedKeys {
        one.value(key)?.refuse(expected: "it in workouts[0]: the phone's coach is the same for all of them")
      }
      guard plan.at <= before else { continue }
      let expected = "expected a later start than the workout's before it (\(StoryText.clock(before)))"
      if let at = one.value("at") {
        at.error("found \(at.node.value.kindAndText), \(expected)")
      } else {
        one.error("found no at, \(expected)")
      }
    }
  }
}

extension Scenario {
  /// All faults of the run: those of the file, then those that the nemesis draws for the seed.
  ///
  /// Where days or acts are drawn, it also draws some near these; a scenario whose acts are written keeps its faults.
  package var faultPlan: [PlannedFault] {
    let whole = drawn
    guard let nemesis = whole.nemesis, isDrawn else { return whole.basePlan }
    let near = whole.widened(nemesis).faults(
      near: whole.moments, seed: seed, before: whole.nemesisEnd, points: CrashPoint.all, apps: whole.appRoles)
    return whole.basePlan + near
  }

  /// The faults that do not depend on what users do.
  var basePlan: [PlannedFault] {
    guard let nemesis else { return faults }
    return faults + widened(nemesis).faults(seed: seed, before: nemesisEnd, points: CrashPoint.all, apps: appRoles)
  }

  /// The nemesis with the kinds of what the run's apps use, if it lists no kinds: what a scenario has a key for.
  private func widened(_ nemesis: Nemesis) -> Nemesis {
    guard !appRoles.isEmpty else { return nemesis }
    let kinds = [ownHealthKit.map { _ in HealthFault.kind }, ownSystem.map { _ in SystemFault.kind }]
    return nemesis.adding(kinds.compactMap(\.self))
  }

  /// When users do something: workouts begin, their events, what is done on the phone and in apps.
  private var moments: [VirtualTime] {
    let begun = programs.isEmpty ? workouts.flatMap { [$0.at, $0.at + $0.preparing] } : []
    return begun + (watchCommands + phoneCommands).map(\.at) + acts.map(\.at)
  }

  /// The same run with its complete fault plan written out.
  package var settled: Scenario {
    guard nemesis != nil || isDrawn else { return self }
    var scenario = drawn
    scenario.faults = faultPlan
    scenario.nemesis = nil
    return scenario
  }

  /// Adds a nemesis with all kinds of faults, if the file has none.
  ///
  /// Drops the expectations that assume the file's own faults, and the situations. The rest holds under any faults, as the
  /// invariants do.
  ///
  /// - Returns: What it dropped.
  package mutating func addNemesis() -> UnjudgedParts {
    guard nemesis == nil else { return UnjudgedParts() }
    nemesis = Nemesis()
    let unjudged = UnjudgedParts(expectations: expectations.filter { $0.scope == .timed }, situations: situations)
    expectations = expectations.filter { $0.scope != .timed }.map(\.withWrittenScope)
    situations = []
    return unjudged
  }

  /// The default time by which drawn faults have ended: a tenth of the run before its end, at most a minute.
  ///
  /// No node is restarted once the run is over. Without faults near the end, work that a fault delayed is completed
  /// before the queues are judged, and anything still missing then is the software's fault.
  package var nemesisEnd: VirtualTime {
    let end = expectedEnd
    let tail = min(VirtualTime.Span.seconds(60).nanoseconds, end.nanoseconds / 10)
    return VirtualTime(nanoseconds: end.nanoseconds - tail)
  }

  /// The expected end of the run according to the file: at `duration`, when the model has run its distance, or at an
  /// `end` event.
  package var expectedEnd: VirtualTime {
    var end = VirtualTime.start + duration
    if let command = watchCommands.first(where: { $0.command.name == "end" }) { end = min(end, command.at) }
    if case .discipline(let plan) = workout.source {
      return min(end, workout.at + workout.preparing + .seconds(Int64(plan.secondsExpected)))
    }
    guard case .model(let model) = workout.source else { return end }
    let kilometres = model.distance / 1_000
    let running = kilometres * (model.pace + model.drift * kilometres / 2)
    let standing = model.stops.reduce(0) { $0 + $1.forSeconds }
    let seconds = min(max(running + standing + model.intervalSeconds, 0), 1e6).rounded()
    return min(end, workout.at + workout.preparing + .seconds(Int64(seconds)))
  }
}

extension CrashPoint {
  /// Every crash point, in the order of the reference page: the session's, the apps', then those of their files.
  package static let all: [CrashPoint] = session + watch + phone + files
}
