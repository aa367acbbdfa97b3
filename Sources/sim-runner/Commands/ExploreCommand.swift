import Experiments
import Simulator
import Console
import Foundation
import Link
import LinkTransport

/// `sim-runner explore`: every placement of a few faults.
enum ExploreCommand: Command {
  static let name = "explore"
  static let about = "runs every placement of up to N faults in a scenario, the smallest first"
  static let usage = "SCENARIO [OPTIONS]"
  static let options: [Option] = [
    RunSettings.seed,
    .value("--faults", "N", "how many faults a placement has at most (2)"),
    .value("--kinds", "LIST", "which faults are placed (\(text(of: standard.kinds))); also order, crash"),
    .value("--until", "TIME", "faults begin before this time of the run (near its end)"),
    .value("--late", "TIME", "how late frames of the kind late arrive (12s)"),
    .value("--cut", "TIMES", "how long the kind cut cuts the link (10s,31s)"),
    .value("--mute", "TIME", "how long nothing arrives in a direction by the kind mute (12s)"),
    .value("--restart", "TIME", "how soon an app starts again after kill and crash (3s)"),
    .value("--clock", "TIME", "how far the kind clock sets a device's clock back (2m)"),
    .flag("--invariants-only", "ignore the scenario's own expectations, which it may have of its own faults"),
    .flag("--no-merge", "run also what leads into a state that another placement has met"),
    .value("--jobs", "N", "how many processes run placements (as many as there are processors)"),
    .value("--shard", "I/N|auto", "only the I-th of N parts of the first faults, I from 1"),
    .output("--out", "FILE", "write the results here, one line of JSON for each first fault, in order"),
    .flag("--keep-going", "do not stop at the first placement that breaks something"),
    .value("--failures", "DIR", "where the scenario and the trace of each kind of failure go (\(failures))"),
    .flag("--no-shrink", "save a failing placement as it is"),
    PlantCatalog.option,
    RunSettings.json,
    RunSettings.quiet,
  ]
  static let details = """
    Runs the scenario with its seed and without its nemesis, to find the places: the frames that are sent, and the
    instants at which something is sent. Then every placement of one fault, of two, and so on, in the order of time;
    later faults are placed in the run that the earlier ones make. Where two runs have the same state and the same
    future, later faults are placed in the first one only. Ends with the number of placements, none of which breaks an
    invariant or expectation, or with the smallest one that does, shrunk and saved.

    drop, duplicate and late hit the frames of one direction and channel that are sent within 50 ms; cut, mute and kill
    strike when something is sent, each cut for each length; clock sets a device's clock back when it sends something;
    order lets a frame arrive after others of its instant; crash kills an app at each time it reaches a crash point. The
    results are the same for any number of jobs. `sim-runner merge` joins the results of shards, in which the seed is
    the number of the first fault.

    Exit status: 0 no placement breaks it; 1 one does; 2 bad usage or bad input; 3 the environment failed; 130 stopped
    by Ctrl-C.
    """

  /// The folder for failures.
  static let failures = "explore-failures"
  private static let standard = Exploration.Scope(until: .start)
  private static let faultsMax: UInt64 = 5
  private static let jobsMax: UInt64 = 1_024

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let path = try arguments.onlyOperand("the scenario")
    var scenario = try Scenario.load(path)
    if let seed = try arguments.unsigned("--seed") { scenario.seed = seed }
    scenario.plant(try PlantCatalog.read(arguments))
    guard scenario.programs.isEmpty else {
      throw .input("\(path): found a scenario with apps of its own, expected the built-in nodes: use sim-runner sweep")
    }
    let scope = try scope(arguments, scenario)
    scenario.removeNemesis()
    if arguments.has("--invariants-only") { scenario.removeExpectations() }
    var part: Shard?
    if let text = arguments.value("--shard") {
      part = try Shard(text, environment: ProcessInfo.processInfo.environment)
    }
    let jobs = try arguments.count(
      "--jobs", 1...jobsMax, standard: ProcessInfo.processInfo.activeProcessorCount)
    let isJSON = arguments.has("--json")
    var output: SweepOutput?
    if let path = arguments.value("--out") { output = try SweepOutput(path, isJSON: isJSON) }
    if let folder = arguments.value("--failures") { try OutputFolder.check(folder) }
    do { try StopSignal.install() } catch { throw .environment("\(error)") }
    let screen = Screen(
      onStandardError: isJSON || output?.isOnStandardOutput == true, isQuiet: arguments.has(RunSettings.quiet.name))
    let begin = ContinuousClock.now
    var search = ExploreSearch(scenario, scope, jobs: jobs, keepsGoing: arguments.has("--keep-going"), screen)
    try search.run(part)
    screen.endProgress()
    if let output {
      for line in search.lines { try output.write(line) }
      try output.commit()
    }
    try search.report.save(
      in: arguments.value("--failures") ?? failures, isShrinking: !arguments.has("--no-shrink"), screen)
    screen.endProgress()
    let report = search.report
    if !screen.isQuiet || report.failedCount > 0 || !report.isComplete {
      for line in report.lines(columns: screen.columns) { screen.show(line) }
      let style: Terminal.Style = report.failedCount > 0 ? .red : report.isComplete ? .green : .yellow
      for line in wrap(report.conclusion(seconds: begin.secondsSince), to: screen.columns) {
        screen.show(screen.styled(line, style))
      }
    }
    if isJSON { JSONOutput.print(report.members(seconds: begin.secondsSince)) }
    if StopSignal.isRaised { return 128 + (StopSignal.number ?? 2) }
    return report.failedCount > 0 ? 1 : 0
  }

  private static func scope(_ arguments: Arguments, _ scenario: Scenario) throws(Failure) -> Exploration.Scope {
    var scope = standard
    scope.faults = try arguments.count("--faults", 1...faultsMax, standard: scope.faults)
    if let text = arguments.value("--kinds") { scope.kinds = try kinds(text) }
    if let span = try span("--late", arguments) { scope.lengths.late = span }
    if let spans = try spans("--cut", arguments) { scope.lengths.cuts = spans }
    if let span = try span("--mute", arguments) { scope.lengths.mute = span }
    if let span = try span("--restart", arguments) { scope.lengths.restart = span }
    if let span = try span("--clock", arguments) { scope.lengths.clock = span }
    scope.isMerging = !arguments.has("--no-merge")
    let last = scenario.lastPlacement(scope.lengths)
    scope.until = last
    if let span = try span("--until", arguments) {
      // No app starts again after the end of the run: a fault near it would leave one down for good.
      guard VirtualTime.start + span <= last else {
        throw .input(
          "--until: found \(DurationText.text(span)), expected at most \(DurationText.text(last - .start)): what a later fault "
            + "does would not be over before the end of the run")
      }
      scope.until = .start + span
    }
    guard scope.until > .start else {
      throw .input(
        "explore: found a run of \(DurationText.text(scenario.duration)), expected one that is longer than a fault")
    }
    return scope
  }

  private static func kinds(_ text: String) throws(Failure) -> [FaultPlacement.Kind] {
    var kinds: [FaultPlacement.Kind] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let kind = FaultPlacement.Kind(rawValue: String(word)) else {
        let hint = PlainText.hint(for: String(word), among: FaultPlacement.Kind.allCases.map(\.rawValue))
        throw .input("--kinds: found \"\(TerminalText.escape(String(word)))\"\(hint)")
      }
      if !kinds.contains(kind) { kinds.append(kind) }
    }
    return kinds
  }

  private static func text(of kinds: [FaultPlacement.Kind]) -> String { kinds.map(\.rawValue).joined(separator: ",") }

  private static func span(_ name: String, _ arguments: Arguments) throws(Failure) -> VirtualTime.Span? {
    guard let text = arguments.value(name) else { return nil }
    return try span(name, text)
  }

  private static func spans(_ name: String, _ arguments: Arguments) throws(Failure) -> [VirtualTime.Span]? {
    guard let text = arguments.value(name) else { return nil }
    var spans: [VirtualTime.Span] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let span = try span(name, String(word))
      if !spans.contains(span) { spans.append(span) }
    }
    return spans
  }

  private static func span(_ name: String, _ text: String) throws(Failure) -> VirtualTime.Span {
    guard let span = try? DurationText.parse(text), span >= .milliseconds(1), span <= .hours(24) else {
      throw .input(
        "\(name): found \"\(TerminalText.escape(text))\", expected a duration from 1ms to 24h, such as 12s")
    }
    return span
  }
}

extension Scenario {
  /// Drops the nemesis, so that the run has no fault but its own.
  mutating func removeNemesis() { nemesis = nil }

  /// Drops the expectations, so that invariants alone judge.
  mutating func removeExpectations() { expectations = [] }

  /// Before when a placed fault must begin: its effects end, and the queues get time, before the run does.
  func lastPlacement(_ lengths: FaultPlacement.Lengths) -> VirtualTime {
    let end = expectedEnd.nanoseconds
    let tail = min(VirtualTime.Span.seconds(60).nanoseconds, end / 10)
    let effect = lengths.restart.nanoseconds + VirtualTime.Span.seconds(1).nanoseconds
    return VirtualTime(nanoseconds: max(0, min(end - tail, end - effect)))
  }
}
