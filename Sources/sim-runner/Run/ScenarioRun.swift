import EdgeSim
import Foundation
import Link
import LinkTransport
import PhoneSim
import WatchSim

/// Runs one scenario and judges it.
enum ScenarioRun {
  /// Runs it.
  ///
  /// - Throws: For input that only shows when the nodes are built, and for an environment that fails before the first
  ///   event; a node that fails later is in the outcome.
  static func run(_ scenario: Scenario, _ options: RunOptions) throws(Failure) -> RunOutcome {
    try scenario.checkApps()
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
    let (buildWatch, buildPhone) = (try NodeBuilder.watch(scenario), NodeBuilder.phone(scenario))
    let folder: StateFolder
    if let path = options.stateFolder {
      guard !scenario.losesCommits(.watch), !scenario.losesCommits(.phone) else {
        throw .input(
          "--state-dir: found a device of durability \"normal\", which needs --mode processes to have a folder")
      }
      folder = try StateFolder(path, hasEdge: scenario.edge != nil)
    } else {
      do throws(NodeFailure) {
        if scenario.losesCommits(.watch) || scenario.losesCommits(.phone) {
          return try revertible(scenario, options, buildWatch, buildPhone)
        }
        return conduct(
          scenario, options,
          watch: try InProcessHost(store: NodeStores.watch(), files: NodeStores.files(), build: buildWatch),
          phone: try InProcessHost(store: NodeStores.phone(), files: NodeStores.files(), build: buildPhone),
          edge: try edge(of: scenario))
      } catch {
        return conduct(scenario, options, failedAtStart: error)
      }
    }
    do {
      let watch = try NodeStores.watch(in: folder.path(of: .watch))
      let phone = try NodeStores.phone(in: folder.path(of: .phone))
      return conduct(
        scenario, options,
        watch: try InProcessHost(
          store: watch.store, files: watch.files, kept: (.watch, KeptState(folder.path(of: .watch))), build: buildWatch),
        phone: try InProcessHost(
          store: phone.store, files: phone.files, kept: (.phone, KeptState(folder.path(of: .phone))), build: buildPhone),
        edge: try edge(of: scenario, in: folder.path(of: .edge)))
    } catch let error as StoreError {
      throw .environment("\(error)")
    } catch {
      return conduct(scenario, options, failedAtStart: (error as? NodeFailure) ?? NodeFailure(nil, .gaveUp("\(error)")))
    }
  }

  /// A run whose stores can lose their latest commits.
  private static func revertible(
    _ scenario: Scenario, _ options: RunOptions, _ watch: @escaping NodeBuilder.Build<WatchRecord, WatchNode>,
    _ phone: @escaping NodeBuilder.Build<PhoneRecord, PhoneNode>
  ) throws(NodeFailure) -> RunOutcome {
    conduct(
      scenario, options,
      watch: try InProcessHost(
        store: RevertibleStore(NodeStores.watch(), losesCommits: scenario.losesCommits(.watch)),
        files: NodeStores.files(), build: watch),
      phone: try InProcessHost(
        store: RevertibleStore(NodeStores.phone(), losesCommits: scenario.losesCommits(.phone)),
        files: NodeStores.files(), build: phone),
      edge: try edge(of: scenario))
  }

  /// The edge in this process; nil for a scenario without one.
  static func edge(of scenario: Scenario) throws(NodeFailure) -> (any NodeHost)? {
    guard let setup = scenario.edge else { return nil }
    return try InProcessHost(
      store: NodeStores.edge(), files: NoFiles(),
      build: NodeBuilder.edge(setup, seed: scenario.seed, plants: scenario.plants))
  }

  /// The edge in this process with its files in a folder; nil for a scenario without one.
  private static func edge(of scenario: Scenario, in folder: String) throws -> (any NodeHost)? {
    guard let setup = scenario.edge else { return nil }
    return try InProcessHost(
      store: try NodeStores.edge(in: folder), files: NoFiles(),
      build: NodeBuilder.edge(setup, seed: scenario.seed, plants: scenario.plants))
  }

  /// A run whose nodes never joined: its trace reports that and ends.
  static func conduct(_ scenario: Scenario, _ options: RunOptions, failedAtStart failure: NodeFailure) -> RunOutcome {
    let host = AbsentHost(failure: failure)
    return conduct(scenario, options, watch: host, phone: host)
  }

  /// Conducts a run of existing nodes.
  static func conduct<Watch: NodeHost, Phone: NodeHost>(
    _ scenario: Scenario, _ options: RunOptions, watch: consuming Watch, phone: consuming Phone,
    edge: (any NodeHost)? = nil
  ) -> RunOutcome {
    let scenario = scenario.settled(redrawing: options.redraw)
    let free = [(NodeRole.watch, watch.isFreeRunning), (.phone, phone.isFreeRunning)].filter(\.1).map(\.0.text)
    // Lazy: a seed of a sweep does without.
    lazy var header = header(of: scenario, freeRunning: free, options)
    let judge =
      options.level == .nothing
      ? nil : options.judge ?? RunJudge(header: header, expectations: scenario.expectations)
    var checkedJudge = judge
    checkedJudge?.checks = options.checks
    var sink = TraceSink(
      level: options.level, judge: checkedJudge, isDigested: options.isDigested, output: options.output)
    sink.onEvent = options.onEvent
    sink.met = options.met
    sink.begin(header)
    let commands =
      scenario.watchCommands.map { Conductor<Watch, Phone>.Command(at: $0.at, role: .watch, command: $0.command) }
      + scenario.phoneCommands.map { Conductor<Watch, Phone>.Command(at: $0.at, role: .phone, command: $0.command) }
      + scenario.acts.map {
        Conductor<Watch, Phone>.Command(at: $0.at, role: $0.role, command: $0.command, launches: $0.launches)
      }
    var conductor = Conductor(
      Conductor<Watch, Phone>.Setup(
        seed: scenario.seed, link: scenario.link, uplink: scenario.uplink, faults: scenario.faults,
        redraw: options.redraw, commands: inOrder(commands),
        healthSyncLag: scenario.syncsHealth ? scenario.healthSyncLag : nil, duration: scenario.duration,
        drain: options.proxy == nil ? Conductor<Watch, Phone>.drainMax : ProxyAddress.drain,
        startsByPhone: scenario.startsByPhone, lastStart: scenario.lastStart,
        lastsWholeDuration: scenario.lastsWholeDuration, launchesPhone: scenario.launchesPhone,
        isTortured: options.torturer != nil,
        isKeeping: options.stateFolder != nil, live: options.live),
      watch: watch, phone: phone, edge: edge, sink: sink)
    conductor.repeatFates(options.recordedFates)
    conductor.beforeAdvance = beforeAdvance(options)
    conductor.probe = options.probe
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
    let wall = begin.duration(to: .now)
    let (seconds, attoseconds) = wall.components
    return RunOutcome(
      scenario: scenario.name, seed: scenario.seed, verdict: ending.verdict, violations: ending.violations,
      expectations: ending.expectations, frames: conductor.frames, simulated: conductor.now - .start,
      wallSeconds: Double(seconds) + Double(attoseconds) / 1e18, events: conductor.sink.lineCount - 1,
      steps: conductor.steps, counters: conductor.sink.counters, traceDigest: ending.digest,
      nodeFailure: failure.map { "the \($0.role?.text ?? "node") failed: \($0.text)" },
      programEnd: failure.flatMap { ProgramEnd($0, at: conductor.now) },
      appFinding: failure.flatMap { AppFinding($0, at: conductor.now) },
      isNodeFinding: failure?.isFinding ?? false,
      traceError: conductor.sink.writeError.map { $0.systemText }, wasStopped: conductor.wasStopped,
      met: conductor.sink.met,
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
      header.extras.append(JSONMember("freeRunning", .array(freeRunning.map { JSONNode(.string($0)) })))
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
  private static func inOrder<C>(_ commands: [C]) -> [C] where C: TimedForNode {
    commands.enumerated().sorted { first, second in
      let (a, b) = (first.element, second.element)
      if a.at != b.at { return a.at < b.at }
      if a.role != b.role { return a.role.rawValue < b.role.rawValue }
      return first.offset < second.offset
    }.map(\.element)
  }

  private static func beforeAdvance(_ options: RunOptions) -> ((VirtualTime) -> Bool)? {
    let pacer = options.pace.map { Pacer(factor: $0) }
    let isStoppable = options.isStoppable || options.mode == .processes
    let last = options.stopsAfter
    let idle = options.onIdle
    guard pacer != nil || options.onProgress != nil || isStoppable || last != nil || idle != nil else { return nil }
    var count = 0
    return { instant in
      if let last, instant > last { return false }
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

/// A timed command for a node.
protocol TimedForNode {
  var at: VirtualTime { get }
  var role: NodeRole { get }
}

extension Conductor.Command: TimedForNode {}
