import Foundation
import Link
import LinkTransport

/// `sim-runner sweep`: scenarios over many seeds.
enum SweepCommand: Command {
  static let name = "sweep"
  static let about = "runs scenarios over many seeds; failing ones are grouped, shrunk and saved"
  static let usage = "SCENARIO|FOLDER... --seeds A..<B [OPTIONS]"
  static let options: [Option] =
    [
      .value("--seeds", "A..<B", "the seeds: from A up to, and without, B"),
      .value("--jobs", "N", "how many processes run seeds (as many as there are processors)"),
      .value(
        "--shard", "I/N|auto", "only the I-th of N parts of the seeds, I from 1; auto asks the scheduler's variables"),
      .output("--out", "FILE", "write the results here, a line of JSON a seed, in the order of the seeds"),
      .flag("--nemesis", "draw faults of every kind for scenarios without a nemesis; only invariants judge those"),
      .flag("--keep-going", "do not stop at the first seed that fails"),
      .value("--failures", "DIR", "where a shrunk scenario and a trace of each kind of failure go (\(failures))"),
      .flag("--no-shrink", "keep a failing seed's run as it is"),
      .flag("--digests", "tell the digest of passing seeds' traces, too; takes longer"),
      .value(
        "--seed-timeout", "SECONDS",
        "when a seed that does not end counts as a crash (\(Int(SweepPool.silenceMaxStandard)))"),
      .output("--coverage", "FILE", "write here in how many seeds which fault met which channel when, as JSON"),
      PlantCatalog.option,
      .value("--threads-seeds", "A..<B", "run every seed with each of these orders of the apps' threads"),
      RunSettings.json,
    ] + AppOptions.all
  static let details = """
    Every seed is judged by every invariant and expectation, without a trace; a seed that fails is run again with its
    trace. Failures with the same cause make a group: what was broken, and in what kind of state. Of each group the
    first seed is shrunk to a minimal scenario (see `sim-runner shrink`) and saved with the trace of that seed.

    Without --out the results go to standard output where that is no terminal, and the report to standard error. They
    are the same for any number of jobs: without --keep-going they end with the first seed that fails.
    `sim-runner merge` joins the results of shards. --shard auto knows
    \(schedulers).

    Exit status: 0 all seeds passed; 1 one failed; 2 bad usage or bad input; 3 the environment failed; 130 stopped by
    Ctrl-C: what was done until then is written.
    """

  /// Where examples go.
  static let failures = "sweep-failures"
  private static let schedulers = StoryText.list(ShardEnvironment.all.map(\.name))
  /// More processes than that help on no machine.
  private static let jobsMax: UInt64 = 1_024
  private static let timeoutMax: UInt64 = 86_400

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    guard !arguments.operands.isEmpty else { throw .input("the scenarios are missing: name files or folders") }
    guard let text = arguments.value("--seeds") else {
      throw .input("--seeds is missing: a range such as --seeds 0..<1000")
    }
    var seeds = try SeedRange(text)
    if let shard = arguments.value("--shard") {
      seeds = try Shard(shard, environment: ProcessInfo.processInfo.environment).part(of: seeds)
    }
    let jobs = try Self.jobs(arguments)
    let plants = try PlantCatalog.read(arguments)
    var sources: [SweepSource] = []
    for path in try ScenarioFiles.find(arguments.operands) {
      sources.append(try SweepSource(path, plants: plants, addingNemesis: arguments.has("--nemesis"), arguments))
    }
    sources = try withThreadsSeeds(sources, arguments)
    guard !sources.isEmpty else { throw .input("no scenario found in \(arguments.operands.joined(separator: ", "))") }
    try checkNames(sources)
    let lines = try SweepOutput(arguments.value("--out"), isJSON: arguments.has("--json"))
    let coverage: OutputFile?
    if let path = arguments.value("--coverage") {
      coverage = try OutputFile(path, as: .coverage)
    } else {
      coverage = nil
    }
    // One that is not named is made only where something fails.
    if let folder = arguments.value("--failures") { try OutputFolder.check(folder) }
    do { try StopSignal.install() } catch { throw .environment("\(error)") }
    let screen = Screen(onStandardError: lines.isOnStandardOutput || arguments.has("--json"))
    var sweep = Sweep(sources: sources, seeds: seeds, jobs: jobs, lines: lines, screen: screen)
    sweep.keepsGoing = arguments.has("--keep-going")
    sweep.isShrinking = !arguments.has("--no-shrink")
    sweep.failures = arguments.value("--failures") ?? failures
    sweep.isDigesting = arguments.has("--digests")
    if let seconds = try arguments.unsigned("--seed-timeout") {
      guard (1...timeoutMax).contains(seconds) else {
        throw .input("--seed-timeout: found \(seconds), expected a number of seconds from 1 to \(timeoutMax)")
      }
      sweep.silenceMax = Double(seconds)
    }
    sweep.coverage = coverage
    sweep.isJSON = arguments.has("--json")
    return try sweep.run()
  }

  /// More orders of threads than that are a sweep over seeds.
  private static let threadsSeedsMax: UInt64 = 1_000

  /// The sources once for each order of threads.
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

  private static func jobs(_ arguments: Arguments) throws(Failure) -> Int {
    guard let jobs = try arguments.unsigned("--jobs") else { return ProcessInfo.processInfo.activeProcessorCount }
    guard (1...jobsMax).contains(jobs) else {
      throw .input("--jobs: found \(jobs), expected a number from 1 to \(jobsMax)")
    }
    return Int(jobs)
  }

  /// Results are told apart by the scenario's name.
  private static func checkNames(_ sources: [SweepSource]) throws(Failure) {
    for (index, source) in sources.enumerated() {
      if let other = sources[..<index].first(where: { $0.scenario.name == source.scenario.name }) {
        throw .input(
          "\(source.path): error: found the name \"\(source.scenario.name)\" of \(other.path), expected another")
      }
    }
  }
}
