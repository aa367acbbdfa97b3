import Simulator
import Console
import Foundation
import Link
import LinkTransport

/// `sim-runner torture`: kills nodes at random real moments, again and again.
enum TortureCommand: Command {
  static let name = "torture"
  static let about = "runs a scenario whose nodes are killed at random real moments"
  static let usage = "SCENARIO [--kills N] [--seed N] [--trace FILE] [--json]"
  static let options: [Option] =
    [
      .value("--kills", "N", "how many processes are killed in all (500)"),
      .value(
        "--seed", "N", "the seed of the kills, and of the run (for the run the scenario's)"),
      .output("--trace", "FILE", "write the trace of the run that fails here"),
      RunSettings.json,
    ] + AppOptions.all
  static let details = """
    Runs the scenario in processes, as often as needed, and kills the watch's or the phone's (SIGKILL) at moments of
    real time that are drawn from the seed, even in the middle of their work. Each is started again a second of
    virtual time later and continues from its database. Every invariant must hold; expectations are not judged, and no
    two traces are the same.

    Exit status: 0 all invariants held; 1 one did not, or an app ended by itself; 2 bad usage or bad input; 3 a node
    failed by itself, the system failed, or the kills took too long; 130 stopped by Ctrl-C.
    """

  /// Seconds of real time allowed for each kill, plus a minute.
  private static let secondsPerKill = 0.5
  /// Limit of violations listed individually.
  private static let violationsMax = 20

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let path = try arguments.onlyOperand("the scenario")
    let wanted = try arguments.unsigned("--kills") ?? 500
    guard 1...1_000_000 ~= wanted else { throw .input("--kills: found \(wanted), expected 1 to 1000000") }
    var scenario = try Scenario.load(path)
    let unjudged = UnjudgedParts(expectations: scenario.expectations)
    scenario.expectations = []
    try AppOptions.apply(arguments, to: &scenario)
    if let seed = try arguments.unsigned("--seed") { scenario.seed = seed }
    do { try StopSignal.install() } catch { throw .environment("\(error)") }
    let screen = Screen(onStandardError: arguments.has("--json"))
    var tally = Tally(killsWanted: Int(wanted))
    let limit = ContinuousClock.now.advanced(by: .seconds(60 + Double(wanted) * secondsPerKill))
    while tally.status == nil {
      try run(scenario, tracePath: arguments.value("--trace"), &tally, screen)
      if tally.status == nil, ContinuousClock.now > limit { tally.failure = "the kills took too long" }
    }
    let rest = UnjudgedParts.count([unjudged]).map { "; \($0) not judged, as kills come at any moment" }
    screen.show(lines: "\n" + tally.text + (rest ?? ""))
    if arguments.has("--json") { Terminal.print(tally.json(scenario)) }
    return tally.status ?? 0
  }

  /// One run; its trace is kept only if it fails.
  private static func run(
    _ scenario: Scenario, tracePath: String?, _ tally: inout Tally, _ screen: Screen
  ) throws(Failure) {
    let file = try OutputFile(named: tracePath, as: .trace)
    tally.runs += 1
    let random = RandomStream(seed: scenario.seed, name: "torture.\(tally.runs)")
    let torturer = Torturer(random, killsMax: tally.killsWanted - tally.kills)
    var options = RunOptions()
    options.mode = .processes
    options.isDigested = false
    options.isStoppable = true
    options.torturer = torturer
    if let file { options.output = { try file.write($0) } }
    let starts = Counter()
    options.onEvent = { event, _ in
      if case .nodeStarted(let started) = event.body, started.cause == .restart { starts.count += 1 }
    }
    let outcome = try ScenarioRun.run(scenario, options)
    torturer.stop()
    tally.kills += torturer.kills
    tally.restarts += starts.count
    tally.violations += outcome.violations.map { (tally.runs, $0) }
    tally.wasStopped = outcome.wasStopped
    tally.failure = outcome.environmentFailure
    tally.ending = outcome.appFinding?.title ?? outcome.programEnd?.text
    tally.invariantCount = outcome.invariantCount
    let isBad = !outcome.violations.isEmpty || tally.failure != nil || tally.ending != nil
    if outcome.traceError == nil, isBad { try file?.commit() }
    screen.show(
      "run \(tally.runs): \(StoryText.count(torturer.kills, "kill")), \(StoryText.count(starts.count, "restart")), "
        + "\(StoryText.length(outcome.simulated, places: 0)), \(StoryText.count(outcome.violations.count, "violation"))"
    )
    for violation in outcome.violations.prefix(violationsMax) {
      screen.show(
        "  \(violation.invariant) at \(violation.time.text): \(TerminalText.escape(violation.detail))")
    }
  }

  private final class Counter { var count = 0 }

  /// The totals of all runs.
  private struct Tally {
    let killsWanted: Int
    var runs = 0
    var kills = 0
    var restarts = 0
    var violations: [(run: Int, violation: Violation)] = []
    var failure: String?
    /// How the user's program ended by itself, or why its app could not continue; nil if it did.
    var ending: String?
    /// How many invariants judge each run.
    var invariantCount = RunJudge.invariantCount
    var wasStopped = false

    init(killsWanted: Int) { self.killsWanted = killsWanted }

    /// The exit status; nil while more runs are needed.
    var status: Int32? {
      if wasStopped { return 128 + (StopSignal.number ?? 2) }
      if failure != nil { return 3 }
      if !violations.isEmpty || ending != nil { return 1 }
      return kills >= killsWanted ? 0 : nil
    }

    var text: String {
      let all =
        "\(StoryText.count(kills, "kill")) in \(StoryText.count(runs, "run")), \(StoryText.count(restarts, "restart"))"
      if wasStopped { return "STOPPED  \(all)" }
      if let failure { return "FAIL  \(all); \(TerminalText.escape(failure))" }
      if let ending { return "FAIL  \(all); \(TerminalText.escape(ending))" }
      return violations.isEmpty
        ? "PASS  \(all), all \(invariantCount) invariants held"
        : "FAIL  \(all), \(StoryText.count(violations.count, "violation"))"
    }

    func json(_ scenario: Scenario) -> String {
      JSONOutput.line(
        [JSONMember]([
          "scenario": .string(scenario.name), "seed": .string(String(scenario.seed)),
          "verdict": .string(status == 0 ? "pass" : "fail"), "runs": .count(runs), "kills": .count(kills),
          "restarts": .count(restarts),
          "violations": .objects(violations) { run, violation in
            [
              "run": .count(run), "invariant": .string(violation.invariant),
              "t": .integer(violation.time.nanoseconds), "detail": .string(violation.detail),
            ]
          },
          "error": (failure ?? ending).map { .string($0) }, "stopped": wasStopped ? .bool(true) : nil,
        ]))
    }
  }
}
