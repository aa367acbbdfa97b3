import Console
import CSystem
import Foundation
import Link
import LinkTransport

/// Runs a scenario with each node in its own process.
package enum ProcessRun {
  static func run(_ scenario: Scenario, _ options: RunOptions) throws(Failure) -> RunOutcome {
    // Errors that show only when a node is built are reported here, before any child starts.
    try scenario.checkFiles()
    if !scenario.programs.isEmpty { Orphans.adopt() }
    do { try StopSignal.install() } catch { throw .environment("\(error)") }
    // In a lock-step run one process sleeps while another runs: a switch on the same processor costs a tenth.
    let processors = options.sharesProcessor ? ProcessorPin() : nil
    defer { processors?.undo() }
    let listener: NodeListener
    do { listener = try NodeListener(timeout: options.silenceMax) } catch { throw .environment("\(error)") }
    listener.limits = options.nodeLimits
    let begin = ContinuousClock.now
    let state = try StateFolder(options.stateFolder, of: scenario.roles)
    let apps = try launches(scenario, options, reports: FilePath.folder(of: listener.path))
    for app in apps { listener.limits[app.role] = listener.limits[app.role] ?? appLimits }
    let processes = scenario.roles.map { role in
      let command =
        switch role {
        case .watch: scenario.programs.watch?.becoming ?? options.watchCommand
        case .phone: scenario.programs.phone?.becoming ?? options.phoneCommand
        case .edge: options.edgeCommand
        }
      let app = apps.first { $0.role == role }
      return NodeProcess(
        role, words: command ?? ownWords(role), app: app, listener: listener,
        state: state.path(of: role),
        hasHome: command != nil && role != .edge, showsOutput: options.showsPrograms,
        // Nothing ever happens to the edge.
        torturer: role == .edge ? nil : options.torturer,
        variables: command == nil || role == .edge ? [] : scenario.appTime.environment.pairs,
        starters: options.starters
      ) {
        app == nil
          ? NodeSetup.text(scenario, at: $0, answered: $1) : NodeSetup.appText(scenario, at: $0, answered: $1)
      }
    }
    defer {
      for process in processes { process.finish() }
      // A node that is killed while it joins is no stranger.
      if options.torturer == nil { reportStrangers(listener) }
    }
    let hosts: [ProcessHost]
    do throws(NodeFailure) {
      hosts = try start(processes, listener, options)
    } catch let failure {
      let error = processes.first { $0.role == failure.role }?.explain(failure) ?? failure
      for process in processes { process.kill() }
      var outcome = ScenarioRun.conduct(scenario, options, failedAtStart: error)
      outcome.wallSeconds = begin.duration(to: .now) / .seconds(1)
      return outcome
    }
    if !options.hasFreeApps, let free = zip(processes, hosts).first(where: { $0.1.isFreeRunning })?.0.role {
      for process in processes { process.kill() }
      throw .input(
        "the \(free.text)'s program has timers of its own, and virtual time was not preloaded into it: expected the path of "
          + "the program itself in place of a script that starts it, or --time real")
    }
    options.torturer?.start()
    var options = options
    // Strangers that connect in mid-run are refused in mid-run.
    options.onIdle = { try? listener.refuseStrangers(atMostEvery: 0.1) }
    let devices = zip(processes, hosts).map { Device($0.role, $1) }
    let outcome = ScenarioRun.conduct(scenario, options, devices)
    options.torturer?.stop()
    for process in processes { process.end() }
    if outcome.nodeFailure != nil { for process in processes { process.kill() } }
    return outcome
  }

  /// Limits for an app in virtual time, in seconds of real time: the library itself ends one that uses 5 s of processor
  /// time at one instant, and reports why.
  private static let appLimits = NodeLimits(join: 20, answer: 300)

  /// The apps of a run in virtual time.
  private static func launches(
    _ scenario: Scenario, _ options: RunOptions, reports: String
  ) throws(Failure) -> [AppLaunch] {
    guard !options.hasFreeApps else { return [] }
    var launches: [AppLaunch] = []
    for role in [NodeRole.watch, .phone] {
      guard let program = scenario.programs[role],
        let launch = try AppLaunch(program, as: role, scenario, reports: reports)
      else { continue }
      launches.append(launch)
    }
    return launches
  }

  /// Starts all nodes at once, and welcomes them one after the other.
  private static func start(
    _ processes: [NodeProcess], _ listener: NodeListener, _ options: RunOptions
  ) throws(NodeFailure) -> [ProcessHost] {
    var hosts: [ProcessHost] = []
    func add(_ process: NodeProcess, _ answer: NodeAnswer) {
      let schedule = process.remote.isFreeRunning ? FreeRunningSchedule(pace: options.pace ?? 1) : nil
      hosts.append(
        ProcessHost(process, firstAnswer: answer, isRecording: options.level != .nothing, schedule: schedule))
    }
    if options.torturer?.toleratesKills == true {
      for process in processes {
        var answer = NodeAnswer()
        _ = try process.begin(at: .start, startingAt: .start, into: &answer)
        add(process, answer)
      }
      return hosts
    }
    for process in processes { try process.spawn(at: .start) }
    let remotes = try listener.accept(processes.map(\.role)) { processes.lazy.compactMap(\.hasDied).first }
    for (process, remote) in zip(processes, remotes) {
      var answer = NodeAnswer()
      try process.welcome(remote, at: .start, startingAt: .start, into: &answer)
      add(process, answer)
    }
    return hosts
  }

  /// Reports refused strangers on standard error; they are no part of the run, so the trace has no event.
  private static func reportStrangers(_ listener: borrowing NodeListener) {
    try? listener.refuseStrangers()
    for refusal in listener.refusals { Terminal.error("refused a connection: \(refusal)") }
    let untold = listener.refusalCount - listener.refusals.count
    if untold > 0 { Terminal.error("refused \(untold) more connections") }
  }

  private static func ownWords(_ role: NodeRole) -> [String] {
    [Self.ownPath, role.text]
  }

  /// The path of this program.
  package static let ownPath: String = {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
  }()
}

/// Pins this thread, and the children it starts, to one processor.
///
/// In a lock-step run one process sleeps while another runs: a switch on one processor costs a tenth of one between
/// two. Children keep what they inherit; this thread gets its affinity back.
package struct ProcessorPin {
  private let before: [Int32]

  /// Pins; nil if there is only one processor, or if it is impossible.
  package init?() {
    let before = (0..<max(0, cs_cpu_count())).map { cs_cpu_allowed($0) }
    // The current one: two simultaneous runs then rarely share one.
    let current = cs_cpu_current()
    guard before.count > 1, before.allSatisfy({ $0 >= 0 }), current >= 0, cs_cpu_pin(current) == 0 else { return nil }
    self.before = before
  }

  /// Restores the thread's affinity.
  package func undo() { _ = cs_cpu_allow(before, before.count) }
}
