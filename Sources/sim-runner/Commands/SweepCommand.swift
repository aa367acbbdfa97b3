import Experiments
import Simulator
import Console
import Foundation
import Link
import LinkTransport

/// `sim-runner sweep`: scenarios over many seeds.
enum SweepCommand: Command {
  static let name = CommandName.sweep
  static let about = "runs scenarios over many seeds; failing ones are grouped, shrunk and saved"
  static let usage = "SCENARIO|FOLDER... --seeds N|A-B [OPTIONS]"
  static let options: [Option] =
    [
      .value(
        "--seeds", "N|A-B", "the seeds: the first N, or those from A to B; A..B is the same, 'A..<B' leaves out B"),
      .value("--jobs", "N", "how many processes run seeds (as many as there are processors)"),
      .value(
        "--shard", "I/N|auto", "only the I-th of N parts of the seeds, I from 1; auto asks the scheduler's variables"),
      .output("--out", "FILE", "write the results here, one line of JSON for each seed, in order"),
      .flag(
        "--nemesis", "draw faults of every kind for scenarios without a nemesis; timed expectations do not count"),
      .value(
        "--strategy", "NAME", "how faults are chosen: random or lineage (random); docs/internals/searching.md"),
      .flag("--keep-going", "do not stop at the first seed that fails"),
      .value("--failures", "DIR", "where a shrunk scenario and a trace of each kind of failure go (\(failures))"),
      .flag("--no-shrink", "save a failing seed's run as it is"),
      .flag("--digests", "include the digests of passing seeds' traces; takes longer"),
      .value(
        "--seed-timeout", "SECONDS",
        "when a seed that does not end counts as a crash (\(Int(SweepPool.silenceMaxStandard)))"),
      .output("--coverage", "FILE", "write here in how many seeds which fault met which channel when, as JSON"),
      JUnitReport.option,
      CodeQualityReport.option,
      ResultPage.option,
      .flag(
        "--forever", "continue with the next range of as many seeds until Ctrl-C, or a failure without --keep-going"),
      PlantCatalog.option,
      TruthOption.option,
      .value("--threads-seeds", "N|A-B", "run every seed with each of these orders of the apps' threads"),
      .value("--progress", "SECONDS", "without a terminal: a line on standard error so often (30); 0 for none"),
      RunSettings.json,
      RunSettings.quiet,
    ] + AppOptions.all
  static let details = """
    Every seed is judged by every invariant and expectation, without a trace; a seed that fails is run again with its
    trace. Failures with the same invariant in the same circumstances form a group. The first seed of each
    group is shrunk to a minimal scenario (see `sim-runner shrink`) and saved with the trace of that seed. Groups whose
    shrunk runs agree in the wrong decision, or in faults and events, are counted as one cause.

    Without --out the results go to standard output unless it is a terminal, and the report to standard error. They
    are the same for any number of jobs: without --keep-going they end with the first seed that fails.
    `sim-runner merge` joins the results of shards. --shard auto supports
    \(schedulers).
    A situation of a scenario's `sometimes` that no seed reached fails a complete sweep, but not a shard: `merge` judges
    all shards together.

    Exit status: 0 all seeds passed; 1 one failed; 2 bad usage or bad input; 3 the environment failed; 130 stopped by
    Ctrl-C: the results so far are written.
    """

  /// The folder for examples.
  static let failures = "sweep-failures"
  private static let schedulers = StoryText.list(ShardEnvironment.all.map(\.name))
  /// More processes help on no machine.
  private static let jobsMax: UInt64 = 1_024
  private static let timeoutMax: UInt64 = 86_400

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    guard !arguments.operands.isEmpty else { throw .input("the scenarios are missing: name files or folders") }
    guard let text = arguments.value("--seeds") else {
      throw .input("--seeds is missing: --seeds 1000, or a range such as --seeds 0-999")
    }
    var seeds = try SeedRange(text)
    if let shard = arguments.value("--shard") {
      seeds = try Shard(shard, environment: ProcessInfo.processInfo.environment).part(of: seeds)
    }
    let jobs = try Self.jobs(arguments)
    let plants = try PlantCatalog.read(arguments)
    let strategy = try Self.strategy(arguments)
    var sources: [SweepSource] = []
    for path in try ScenarioFiles.find(arguments.operands) {
      sources.append(
        try SweepSource(path, plants: plants, addingNemesis: arguments.has("--nemesis"), strategy: strategy, arguments))
    }
    sources = try withThreadsSeeds(sources, arguments)
    guard !sources.isEmpty else { throw .input("no scenario found in \(arguments.operands.joined(separator: ", "))") }
    try checkNames(sources)
    let lines = try SweepOutput(arguments.value("--out"), isJSON: arguments.has("--json"))
    let coverage = try OutputFile(named: arguments.value("--coverage"), as: .coverage)
    let quality = try CodeQualityReport.file(arguments)
    let junit = try OutputFile(named: arguments.value(JUnitReport.option.name), as: .report)
    let page = try ResultPage.make(arguments)
    let isEndless = arguments.has("--forever")
    if isEndless { try checkEndless(arguments) }
    // One that is not named is made only where something fails.
    if let folder = arguments.value("--failures") { try OutputFolder.check(folder) }
    do { try StopSignal.install() } catch { throw .environment("\(error)") }
    let screen = Screen(
      onStandardError: lines.isOnStandardOutput || arguments.has("--json"),
      isQuiet: arguments.has(RunSettings.quiet.name))
    screen.lineInterval = try progressInterval(arguments)
    var sweep = Sweep(sources: sources, seeds: seeds, jobs: jobs, lines: lines, screen: screen)
    sweep.keepsGoing = arguments.has("--keep-going")
    sweep.isShrinking = !arguments.has("--no-shrink")
    sweep.failures = arguments.value("--failures") ?? page.map { "\($0.folder)/failures" } ?? failures
    sweep.page = page
    sweep.judgesSituations = arguments.value("--shard") == nil
    sweep.isDigesting = arguments.has("--digests")
    if let seconds = try arguments.unsigned("--seed-timeout") {
      guard (1...timeoutMax).contains(seconds) else {
        throw .input("--seed-timeout: found \(seconds), expected a number of seconds from 1 to \(timeoutMax)")
      }
      sweep.silenceMax = Double(seconds)
    }
    sweep.coverage = coverage
    sweep.quality = quality
    sweep.junit = junit
    sweep.isJSON = arguments.has("--json")
    return isEndless ? try sweep.runForever(isEndedByFailure: !sweep.keepsGoing) : try sweep.run()
  }

  private static func strategy(_ arguments: Arguments) throws(Failure) -> SearchStrategy {
    guard let text = arguments.value("--strategy") else { return .random }
    guard let strategy = SearchStrategy(rawValue: text) else {
      let known = SearchStrategy.allCases.map(\.rawValue)
      throw .input("--strategy: found \"\(TerminalText.escape(text))\"\(PlainText.hint(for: text, among: known))")
    }
    return strategy
  }

  /// Refuses what is written once, at the end of a sweep.
  private static func checkEndless(_ arguments: Arguments) throws(Failure) {
    for option in ["--out", "--json", "--coverage", "--junit", "--code-quality"] where arguments.has(option) {
      throw .input(
        "\(option): a sweep with --forever has no end at which this could be written; use \(ResultPage.option.name)")
    }
    guard arguments.value("--shard") == nil else {
      throw .input("--shard: a sweep with --forever has no last seed; give each machine a range of its own")
    }
  }

  /// Beyond this a sweep over seeds is the better choice.
  private static let threadsSeedsMax: UInt64 = 1_000

  /// Repeats the sources for each order of threads.
  private static func withThreadsSeeds(
    _ sources: [SweepSource], _ arguments: Arguments
  ) throws(Failure) -> [SweepSource] {
    guard let text = arguments.value("--threads-seeds") else { return sources }
    let seeds = try SeedRange(text, option: "--threads-seeds")
    guard seeds.count <= threadsSeedsMax else {
      throw .input("--threads-seeds: found \(seeds.count) seeds, expected at most \(threadsSeedsMax)")
    }
    if let source = sources.first(where: { $0.scenario.programs.isEmpty }) {
      throw .input(
        "--threads-seeds: \(source.path) has no app, expected \(AppOptions.phone.name) or \(AppOptions.watch.name)")
    }
    return sources.flatMap { source in (seeds.lower..<seeds.upper).map { source.withThreadsSeed($0) } }
  }

  /// How often a line reports the progress; nil for never.
  private static func progressInterval(_ arguments: Arguments) throws(Failure) -> Duration? {
    guard let text = arguments.value("--progress") else { return .seconds(30) }
    guard let seconds = Double(text), (0...Double(timeoutMax)).contains(seconds) else {
      throw .input("--progress: found \(text), expected a number of seconds from 0 to \(timeoutMax)")
    }
    return seconds == 0 ? nil : .seconds(seconds)
  }

  private static func jobs(_ arguments: Arguments) throws(Failure) -> Int {
    guard arguments.has("--jobs") else { return ProcessInfo.processInfo.activeProcessorCount }
    return try arguments.count("--jobs", 1...jobsMax, standard: 1)
  }

  /// Results are distinguished by the scenario's name.
  private static func checkNames(_ sources: [SweepSource]) throws(Failure) {
    for (index, source) in sources.enumerated() {
      if let other = sources[..<index].first(where: { $0.scenario.name == source.scenario.name }) {
        throw .input(
          "\(source.path): error: found the name \"\(source.scenario.name)\" of \(other.path), expected another")
      }
    }
  }
}
