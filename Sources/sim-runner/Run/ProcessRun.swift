import Foundation
import Link
import LinkTransport

/// Runs a scenario with each node in a process of its own.
enum ProcessRun {
  static func run(_ scenario: Scenario, _ options: RunOptions) throws(Failure) -> RunOutcome {
    // What only shows when a node is built is said here, with our own exit status, before any child starts.
    if case .recorded(let path) = scenario.workout.source { _ = try RecordedRun.motion(path) }
    do { try StopSignal.install() } catch { throw .environment("\(error)") }
    // A child of a lock-step run sleeps while another runs: on one processor a switch costs a tenth.
    let processors = options.sharesProcessor ? ProcessorPin() : nil
    defer { processors?.undo() }
    let listener: NodeListener
    do { listener = try NodeListener(timeout: options.silenceMax) } catch { throw .environment("\(error)") }
    let begin = ContinuousClock.now
    var children: [ChildProcess] = []
    defer {
      for child in children { _ = child.finish(graceSeconds: 1) }
      tellOfStrangers(listener)
    }
    let roles: [NodeRole] = [.watch, .phone]
    let hosts: [ProcessHost]
    do throws(NodeFailure) {
      for role in roles {
        let command = role == .watch ? options.watchCommand : options.phoneCommand
        children.append(try start(command ?? ownWords(role), as: role, listener))
      }
      let remotes = try listener.accept(roles) { [children] in dead(children, roles) }
      hosts = try welcome(remotes, scenario, options)
    } catch {
      for child in children { _ = child.kill() }
      var outcome = ScenarioRun.conduct(scenario, options, failedAtStart: error)
      outcome.wallSeconds = begin.duration(to: .now) / .seconds(1)
      return outcome
    }
    let outcome = ScenarioRun.conduct(scenario, options, watch: hosts[0], phone: hosts[1])
    for host in hosts { host.end() }
    if outcome.nodeFailure != nil { for child in children { _ = child.kill() } }
    return outcome
  }

  /// Says on standard error who was refused: such a connection is no part of the run, so it has no line in the trace.
  private static func tellOfStrangers(_ listener: borrowing NodeListener) {
    try? listener.refuseStrangers()
    for refusal in listener.refusals { Terminal.error("refused a connection: \(refusal)") }
    let untold = listener.refusalCount - listener.refusals.count
    if untold > 0 { Terminal.error("refused \(untold) more connections") }
  }

  private static func start(
    _ words: [String], as role: NodeRole, _ listener: borrowing NodeListener
  ) throws(NodeFailure) -> ChildProcess {
    do throws(SystemCallError) {
      return try ChildProcess(words, environment: listener.environment(for: role))
    } catch {
      throw NodeFailure(role, .system(error))
    }
  }

  private static func welcome(
    _ remotes: [RemoteNode], _ scenario: Scenario, _ options: RunOptions
  ) throws(NodeFailure) -> [ProcessHost] {
    let setup = NodeSetup.text(scenario)
    var hosts: [ProcessHost] = []
    for remote in remotes {
      var answer = NodeAnswer()
      try remote.welcome(setup, into: &answer)
      hosts.append(ProcessHost(remote, firstAnswer: answer, isRecording: options.level != .nothing))
    }
    return hosts
  }

  private static func ownWords(_ role: NodeRole) -> [String] {
    [Self.ownPath, role.text]
  }

  /// The path of this program.
  static let ownPath: String = {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
  }()

  private static func dead(_ children: [ChildProcess], _ roles: [NodeRole]) -> NodeFailure? {
    for (child, role) in zip(children, roles) {
      if let end = child.poll() { return NodeFailure(role, .ended("its process \(end.description) before it joined")) }
    }
    return nil
  }
}
