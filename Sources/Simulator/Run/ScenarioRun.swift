package import Console
import EdgeSim
import Foundation
import Link
import LinkStore
import LinkTransport
import PhoneSim
import WatchSim

/// Runs one scenario and judges it.
package enum ScenarioRun {
  /// Runs it.
  ///
  /// - Throws: For input that only shows when the nodes are built, and for an environment that fails before the first
  ///   event; a node that fails later is in the outcome.
  package static func run(_ scenario: Scenario, _ options: RunOptions) throws(Failure) -> RunOutcome {
    try scenario.checkApps()
    // Faults may be drawn near what is drawn of days and acts.
    let scenario = scenario.isDrawn ? scenario.settled : scenario
    var options = options
    // A user program is always a process.
    if !scenario.programs.isEmpty { options.mode = .processes }
    options.checks = try checkJudges(scenario, options)
    return switch options.mode {
    case .inProcess: try inProcess(scenario, options)
    case .processes: try ProcessRun.run(scenario, options)
    }
  }

  private static func inProcess(_ scenario: Scenario, _ options: RunOptions) throws(Failure) -> RunOutcome {
    do {
      return conduct(scenario, options, try devices(of: scenario, in: options.stateFolder))
    } catch let failure as Failure {
      throw failure
    } catch let error as StoreError {
      throw .environment("\(error)")
    } catch {
      return conduct(scenario, options, failedAtStart: (error as? NodeFailure) ?? NodeFailure(nil, .gaveUp("\(error)")))
    }
  }

  /// The devices of a scenario in this process, with their state in a folder if there is one.
  private static func devices(of scenario: Scenario, in path: String?) throws -> [Device] {
    let (watch, phone) = (try NodeBuilder.watch(scenario), NodeBuilder.phone(scenario))
    guard let path else {
      return [
        try inMemory(.watch, NodeStores.watch(), losesCommits: scenario.losesCommits(.watch), build: watch),
        try inMemory(.phone, NodeStores.phone(), losesCommits: scenario.losesCommits(.phone), build: phone),
      ] + (try edge(of: scenario))
    }
    guard !scenario.losesCommits(.watch), !scenario.losesCommits(.phone) else {
      throw Failure.input(
        "--state-dir: found a device of durability \"normal\", which needs --mode processes to have a folder")
    }
    let folder = try StateFolder(path, of: scenario.roles)
    let (watchFolder, phoneFolder) = (folder.path(of: .watch), folder.path(of: .phone))
    return [
      try kept(.watch, in: watchFolder, NodeStores.watch(in: watchFolder), build: watch),
      try kept(.phone, in: phoneFolder, NodeStores.phone(in: phoneFolder), build: phone),
    ] + (try edge(of: scenario, in: folder.path(of: .edge)))
  }

  /// A device in this process that loses its state with it.
  private static func inMemory<Store: NodeStore, Node: HostedNode>(
    _ role: NodeRole, _ store: Store, losesCommits: Bool, build: @escaping NodeBuilder.Build<Store.Record, Node>
  ) throws(NodeFailure) -> Device where Store.Change == Node.Change {
    guard losesCommits else {
      return Device(role, try InProcessHost(store: store, files: NodeStores.files(), build: build))
    }
    let store = RevertibleStore(store)
    return Device(role, try InProcessHost(store: store, files: NodeStores.files(), build: build))
  }

  /// A device in this process with its state in a folder.
  private static func kept<Store: NodeStore, Node: HostedNode>(
    _ role: NodeRole, in folder: String, _ stored: (store: Store, files: DiskFiles),
    build: @escaping NodeBuilder.Build<Store.Record, Node>
  ) throws(NodeFailure) -> Device where Store.Change == Node.Change {
    Device(
      role,
      try InProcessHost(store: stored.store, files: stored.files, kept: (role, KeptState(folder)), build: build))
  }

  /// The edge in this process, with its files in a folder if there is one; empty for a scenario without an edge.
  package static func edge(of scenario: Scenario, in folder: String? = nil) throws -> [Device] {
    guard let setup = scenario.edge else { return [] }
    let build = NodeBuilder.edge(setup, seed: scenario.seed, plants: scenario.plants)
    guard let folder else {
      return [Device(.edge, try InProcessHost(store: NodeStores.edge(), files: NoFiles(), build: build))]
    }
    return [Device(.edge, try InProcessHost(store: try NodeStores.edge(in: folder), files: NoFiles(), build: build))]
  }

  /// A run whose nodes never joined: its trace reports that and ends.
  static func conduct(_ scenario: Scenario, _ options: RunOptions, failedAtStart failure: NodeFailure) -> RunOutcome {
    conduct(scenario, options, [NodeRole.watch, .phone].map { Device($0, AbsentHost(failure: failure)) })
  }

  /// Conducts a run of existing nodes: watch, phone, and the edge if there is one.
  package static func conduct(_ scenario: Scenario, _ options: RunOptions, _ devices: [Device]) -> RunOutcome {
    let scenario = scenario.settled
    let free = devices.filter(\.host.isFreeRunning).map(\.role.text)
    // Lazy: a seed of a sweep does without.
    lazy var header = header(of: scenario, freeRunning: free, options)
    let judge =
      options.level == .nothing
      ? nil : options.judge ?? RunJudge(header: header, expectations: scenario.expectations, acts: scenario.acts.count)
    var checkedJudge = judge
    checkedJudge?.checks = options.checks
    var sink = TraceSink(
      level: options.level, judge: checkedJudge, isDigested: options.isDigested, output: options.output)
    sink.onEvent = options.onEvent
    sink.met = options.met
    sink.begin(header)
    let commands =
      scenario.workouts.filter { $0.startedBy == .complication }.map {
        DeviceCommand(at: $0.at, role: .watch, command: NodeCommand(Scenario.TimedCommand.start), launches: true)
      }
      + scenario.watchCommands.map { DeviceCommand(at: $0.at, role: .watch, command: $0.command) }
      + scenario.phoneCommands.map { DeviceCommand(at: $0.at, role: .phone, command: $0.command) }
      + scenario.acts.map { DeviceCommand(at: $0.at, role: $0.role, command: $0.command, launches: $0.launches) }
    var conductor = Conductor(
      RunPlan(
        seed: scenario.seed, link: scenario.link, uplink: scenario.uplink, faults: scenario.faults,
        commands: inOrder(commands),
        healthSyncLag: scenario.healthSyncLag, nights: NightReports(scenario), duration: scenario.duration,
        drain: options.proxy == nil ? RunLength.drainMax : ProxyAddress.drain,
        startsByPhone: scenario.startsByPhone, lastStart: scenario.lastStart,
        lastsWholeDuration: scenario.lastsWholeDuration, launchesPhone: scenario.launchesPhone,
        isTortured: options.torturer != nil,
        isKeeping: options.stateFolder != nil, truth: try? scenario.makeTruthKeeper(),
        platform: scenario.makeHealthPlatform(), live: options.live),
      devices, sink: sink)
    conductor.repeatFates(options.recordedFates)
    conductor.beforeAdvance = beforeAdvance(options)
    conductor.probe = options.probe
    conductor.stopsAfter = options.stopsAfter
    let begin = ContinuousClock.now
    var failure: NodeFailure?
    do throws(NodeFailure) { try conductor.run() } catch { failure = error }
    if failure?.cause == .stopped {
      failure = nil
      conductor.stop()
    } else if !conductor.wasStopped, failure?.isFinding != true, let loss = conductor.stateLoss() {
      // Also instead of the node's own report of it.
      failure = loss
    }
    let ending = conductor.finish(failure: failure)
    let log = conductor.world.exchange.log
    let wall = begin.duration(to: .now)
    let (seconds, attoseconds) = wall.components
    return RunOutcome(
      scenario: scenario.name, seed: scenario.seed, verdict: ending.verdict, violations: ending.violations,
      expectations: ending.expectations, frames: log.frames, simulated: conductor.now - .start,
      wallSeconds: Double(seconds) + Double(attoseconds) / 1e18, events: log.sink.lineCount - 1,
      steps: log.steps, counters: log.sink.counters, traceDigest: ending.digest,
      nodeFailure: failure.map { "the \($0.role?.text ?? "node") failed: \($0.text)" },
      programEnd: failure.flatMap { ProgramEnd($0, at: conductor.now) },
      appFinding: failure.flatMap { AppFinding($0, at: conductor.now) },
      isNodeFinding: failure?.isFinding ?? false,
      traceError: log.sink.writeError.map { $0.systemText }, wasStopped: conductor.wasStopped,
      met: log.sink.met,
      invariantCount: options.level == .written ? RunJudge.invariantCount(header) : RunJudge.invariantCount)
  }

  private static func header(
    of scenario: Scenario, freeRunning: [String], _ options: RunOptions
  ) -> TraceHeader {
    var header = scenario.header
    if let (_, path) = scenario.workout.source.file, let digest = WorkoutDigest.text(ofFile: path) {
      header.extras.append(JSONMember(WorkoutDigest.key, .string(digest)))
    }
    if !freeRunning.isEmpty {
      header.extras.append(JSONMember("freeRunning", .texts(freeRunning)))
    }
    if options.hasFreeApps, let programs = ProgramsHeader.member(scenario, isVirtual: false),
      let index = header.extras.firstIndex(where: { $0.key == ProgramsHeader.key })
    {
      header.extras[index] = programs
    }
    if let proxy = options.proxy { header.extras.append(proxy.member) }
    return header
  }

  /// By time; at one instant the watch's before the phone's, and each one's in the order of writing.
  private static func inOrder(_ commands: [DeviceCommand]) -> [DeviceCommand] {
    commands.enumerated().sorted {
      ($0.element.at, $0.element.role.rawValue, $0.offset) < ($1.element.at, $1.element.role.rawValue, $1.offset)
    }.map(\.element)
  }

  private static func beforeAdvance(_ options: RunOptions) -> ((VirtualTime) -> Bool)? {
    let pacer = options.pace.map { Pacer(factor: $0) }
    let isStoppable = options.isStoppable || options.mode == .processes
    let last = options.stopsAfter
    let idle = options.onIdle
    let isUnwanted = options.isUnwanted
    guard
      pacer != nil || options.onProgress != nil || isStoppable || last != nil || idle != nil || isUnwanted != nil
    else { return nil }
    var count = 0
    return { instant in
      if let last, instant > last { return false }
      if isUnwanted?() == true { return false }
      idle?()
      if let pacer {
        options.onProgress?(instant)
        return pacer.wait(for: instant) {
          idle?()
          return StopSignal.isRaised
        }
      }
      count &+= 1
      if count & 63 == 0 { options.onProgress?(instant) }
      return !isStoppable || !StopSignal.isRaised
    }
  }
}

/// Checks of apps that compare two runs.
extension ScenarioRun {
  /// Runs the scenario without the faults of each of its checks, and makes the judges that compare the facts.
  static func checkJudges(_ scenario: Scenario, _ options: RunOptions) throws(Failure) -> [AppCheckJudge] {
    guard !scenario.madeChecks.isEmpty else { return [] }
    guard !options.hasFreeApps else {
      throw .input(
        "checks: found --time real or Nx, expected virtual time: apps in real time do not repeat"
      )
    }
    guard !scenario.programs.isEmpty else {
      throw .input("checks: found none of the scenario's devices played by an app, expected one that records facts")
    }
    var judges: [AppCheckJudge] = []
    for check in scenario.madeChecks {
      guard check.kind.comparesRuns else {
        judges.append(AppCheckJudge(check))
        continue
      }
      if let judge = try judge(check, of: scenario, options) { judges.append(judge) }
    }
    return judges
  }

  /// The judge of a check that compares two runs; nil if they would be the same.
  private static func judge(
    _ check: AppCheck, of scenario: Scenario, _ options: RunOptions
  ) throws(Failure) -> AppCheckJudge? {
    var other = scenario.settled
    let count = other.faults.count
    // The app runs as it does in the run itself, so what its process checks stays.
    other.checks.removeAll { $0.kind.comparesRuns }
    other.expectations = []
    other.faults.removeAll { check.kind.spares($0) }
    let isDelayed = check.kind.sparesBackgroundDelay && (other.link.backgroundDelay ?? .ofApps) != BackgroundDelay.none
    guard other.faults.count < count || isDelayed else { return nil }
    if isDelayed { other.link.backgroundDelay = BackgroundDelay.none }
    var otherOptions = RunOptions()
    otherOptions.mode = options.mode
    otherOptions.level = .judged
    otherOptions.showsPrograms = false
    otherOptions.isStoppable = options.isStoppable
    otherOptions.sharesProcessor = options.sharesProcessor
    otherOptions.starters = options.starters
    var facts = FactCount(check)
    var settling = RunSettling(acts: scenario.acts.count)
    otherOptions.onEvent = { event, line in
      if event.isBelieved { settling.observe(event) }
      facts.observe(event, line: line)
    }
    let outcome = try run(other, otherOptions)
    let obstacle = outcome.environmentFailure ?? outcome.appFinding?.title ?? outcome.programEnd?.text
    // An app that breaks off without faults does so with them, too, and that is what the sweep reports.
    if check.isImplied, obstacle != nil { return nil }
    return AppCheckJudge(
      check, expected: obstacle == nil ? facts : nil, obstacle: obstacle, unsettled: settling.obstacle,
      acts: scenario.acts.count)
  }
}

/// The outcome of a run as the one JSON object of `--json` (spec 5.4).
package enum RunJSON {
  /// The object's text, without a line feed.
  package static func text(_ outcome: RunOutcome, mode: RunOptions.Mode, tracePath: String?) -> String {
    JSONOutput.line(
      [JSONMember]([
        "version": JSONOutput.version, "scenario": .string(outcome.scenario), "seed": .string(String(outcome.seed)),
        "verdict": .string(outcome.wasStopped ? "unknown" : outcome.verdict == .pass ? "pass" : "fail"),
        "simulatedSeconds": .plain(outcome.simulated.seconds),
        "wallSeconds": .plain((outcome.wallSeconds * 1e6).rounded() / 1e6), "events": .count(outcome.events),
        "violations": .objects(outcome.violations, fields),
        "expectations": .objects(outcome.expectations, fields),
        "counters": .object(outcome.counters.map { JSONMember($0.name.text, .count($0.count)) }),
        "traceDigest": .text(outcome.traceDigest), "frames": .count(outcome.frames),
        "mode": .string(mode.rawValue),
        "trace": tracePath.map { .string($0) }, "error": outcome.environmentFailure.map { .string($0) },
        "appFinding": outcome.appFinding?.object, "programEnd": outcome.programEnd?.object,
        "stopped": outcome.wasStopped ? .bool(true) : nil,
      ]))
  }

  private static func fields(_ violation: Violation) -> JSONFields {
    [
      "invariant": .string(violation.invariant), "t": .integer(violation.time.nanoseconds),
      "detail": .string(violation.detail), "lines": .counts(violation.lines),
    ]
  }

  private static func fields(_ expectation: JudgedExpectation) -> JSONFields {
    [
      "expectation": expectation.node.value, "passed": .bool(expectation.result.hasPassed),
      "lines": .counts(expectation.result.lines), "why": expectation.result.why.map { .string($0) },
    ]
  }
}

/// Slows a run down to a multiple of real time.
///
/// Nothing else uses real time.
package struct Pacer {
  private let factor: Double
  private let clock = ContinuousClock()
  private let begin: ContinuousClock.Instant

  /// - Parameter factor: Virtual seconds in a real second, more than 0.
  init(factor: Double) {
    precondition(factor > 0, "a pace of \(factor)")
    self.factor = factor
    begin = clock.now
  }

  /// Waits until it is time for an instant; false if the user wants to stop.
  func wait(for instant: VirtualTime, shouldStop: () -> Bool) -> Bool {
    let due = begin.advanced(by: .nanoseconds(Int64(Double(instant.nanoseconds) / factor)))
    while true {
      if shouldStop() { return false }
      let left = clock.now.duration(to: due)
      if left <= .zero { return true }
      let seconds = Double(left.components.seconds) + Double(left.components.attoseconds) / 1e18
      Thread.sleep(forTimeInterval: min(seconds, 0.05))
    }
  }

  /// Reads `virtual`, `real` or `20x`; nil for anything else, `.some(nil)` for as fast as possible.
  package static func factor(_ text: String) -> Double?? {
    if text == "virtual" { return .some(nil) }
    if text == "real" { return 1 }
    guard text.hasSuffix("x"), let factor = Double(text.dropLast()), factor >= 0.001, factor <= 1e9 else { return nil }
    return factor
  }
}
