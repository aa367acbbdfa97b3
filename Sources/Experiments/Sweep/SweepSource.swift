package import Console
package import Link
package import Simulator

/// A scenario of a sweep, as sent to the processes that run its seeds.
package struct SweepSource: Sendable {
  /// As the user named it.
  package let path: String
  package let scenario: Scenario
  /// The folder that its paths are relative to.
  let folder: String
  /// The planted bugs, in addition to the scenario's.
  let plants: Plants
  /// The arguments about programs, and the order of their threads.
  private(set) var words: [String] = []
  /// Whether faults are drawn for a scenario that has no nemesis of its own.
  private(set) var hasAddedNemesis = false
  /// What of the file is not judged, because its seeds have drawn faults that the file lacks.
  package private(set) var unjudged = UnjudgedParts()
  /// Whether its runs are compared with those without faults although the scenario says nothing of it.
  package private(set) var comparesByItself = false
  /// How the faults of its seeds are chosen.
  package private(set) var strategy = SearchStrategy.random

  /// Reads a scenario's file.
  ///
  /// - Parameters:
  ///   - addingNemesis: Whether faults are drawn for a scenario without a nemesis of its own.
  ///   - strategy: How they are chosen; others than `random` need a nemesis.
  package init(
    _ path: String, plants: Plants = [], addingNemesis: Bool = false, strategy: SearchStrategy = .random,
    _ arguments: Arguments? = nil
  ) throws(Failure) {
    self.path = path
    self.strategy = strategy
    self.plants = plants
    var scenario = try Scenario.load(path)
    scenario.plant(plants)
    if addingNemesis, scenario.nemesis == nil {
      unjudged = scenario.addNemesis()
      hasAddedNemesis = true
    }
    if let arguments {
      try AppOptions.apply(arguments, to: &scenario)
      TruthOption.apply(arguments, to: &scenario)
      words = AppOptions.words(arguments) + TruthOption.words(arguments)
    }
    guard strategy == .random || scenario.nemesis != nil else {
      throw .input(
        "\(path): error: found no nemesis, expected one for --strategy \(strategy.rawValue); --nemesis adds one")
    }
    self.scenario = scenario
    comparesByItself = scenario.addSameAsIdeal(isImplied: true)
    folder = FilePath.folder(of: path)
  }

  /// The scenario with a seed for the order of the apps' threads, which its name contains.
  package func withThreadsSeed(_ seed: UInt64) -> SweepSource {
    var scenario = scenario
    scenario.appTime.threadsSeed = seed
    scenario.name += "-threads-\(seed)"
    var source = SweepSource(path: path, folder: folder, plants: plants, scenario)
    source.strategy = strategy
    source.comparesByItself = comparesByItself
    (source.hasAddedNemesis, source.unjudged) = (hasAddedNemesis, unjudged)
    source.words = words + [AppOptions.threadsSeed.name, String(seed)]
    return source
  }

  private init(path: String, folder: String, plants: Plants = [], _ scenario: Scenario) {
    self.path = path
    self.folder = folder
    self.plants = plants
    self.scenario = scenario
  }

  /// The file's content and location on one line, so that all processes run what was read once.
  var text: String {
    Self.text(path: path, folder: folder, strategy, scenario.node(in: folder), scenario.programs)
  }

  /// A scenario with its seed and its complete fault plan, as ``text`` writes it.
  package static func text(of scenario: Scenario) -> String {
    text(path: scenario.name, folder: "/", .random, SavedScenario.node(scenario, in: "/"), scenario.programs)
  }

  private static func text(
    path: String, folder: String, _ strategy: SearchStrategy, _ scenario: JSONNode, _ programs: UserPrograms
  ) -> String {
    let members = [JSONMember]([
      "path": .string(path), "folder": .string(folder), "strategy": .string(strategy.rawValue),
      "scenario": scenario.value,
      // As they are written: the header of a trace has them, and `run` writes the same one.
      "watch": programs.watch.map { .string($0.text) }, "phone": programs.phone.map { .string($0.text) },
    ])
    return JSONOutput.line(members)
  }

  /// Reads ``text``.
  package init(text: Substring) throws(Failure) {
    let collector = DiagnosticsCollector(file: "scenario")
    guard let node = try? JSONParser.parse(String(text), dialect: .json),
      let reader = JSONObjectReader(node, into: collector), let path = reader.string("path", required: true),
      let folder = reader.string("folder", required: true),
      let strategy: SearchStrategy = reader.oneOf("strategy", required: true),
      let scenario = reader.value("scenario", required: true)
    else { throw .input("scenario: found something else, expected a scenario's text and place") }
    let (read, diagnostics) = Scenario.read(JSONWriter.compact(scenario.node), file: path, folder: folder)
    guard !diagnostics.contains(where: { $0.hasErrors }) else {
      throw .problems(diagnostics.flatMap { $0.lines })
    }
    var whole = read
    for role in [NodeRole.watch, .phone] {
      if let text = reader.string(role.text) { whole.programs[role]?.text = text }
    }
    self.init(path: path, folder: folder, whole)
    self.strategy = strategy
  }
}

/// A half-open range of seeds.
package struct SeedRange: Equatable, Sendable {
  package var lower: UInt64
  /// Exclusive; at least `lower`.
  package var upper: UInt64

  package var count: UInt64 { upper - lower }

  /// Reads `1000`, the first seeds from 0 on; `0-999`, `0..999` or `0...999`, the last one included; or `0..<1000`.
  ///
  /// - Parameter option: The option, for errors.
  package init(_ text: String, option: String = "--seeds") throws(Failure) {
    let found = "\(option): found \"\(TerminalText.escape(text))\""
    if text.hasSuffix("..") || text.hasSuffix("-") {
      throw .input(
        "\(found), expected a last seed as in 0-999; unquoted, a shell reads the < of 0..<1000 as a redirection: "
          + "write '0..<1000'")
    }
    guard let (lower, last) = Self.bounds(text) else {
      throw .input("\(found), expected a number of seeds such as 1000, or a range such as 0-999 or 0..<1000")
    }
    guard lower <= last.seed, last.isIncluded || lower < last.seed else {
      throw .input("\(found), expected a range of at least one seed, such as 0-999")
    }
    guard !last.isIncluded || last.seed < .max else {
      throw .input("\(found), expected a last seed of at most \(UInt64.max - 1)")
    }
    self.init(lower: lower, upper: last.isIncluded ? last.seed + 1 : last.seed)
  }

  private static func bounds(_ text: String) -> (lower: UInt64, last: (seed: UInt64, isIncluded: Bool))? {
    if let count = seed(text[...]) { return (0, (count, false)) }
    // The longest sign first: each contains the next.
    for sign in ["..<", "...", "..", "-"] where text.contains(sign) {
      let parts = text.split(separator: sign, omittingEmptySubsequences: false)
      guard parts.count == 2, let lower = seed(parts[0]), let upper = seed(parts[1]) else { return nil }
      return (lower, (upper, sign != "..<"))
    }
    return nil
  }

  /// Digits alone: no sign.
  private static func seed(_ text: Substring) -> UInt64? {
    text.allSatisfy { ("0"..."9").contains($0) } ? UInt64(text) : nil
  }

  init(lower: UInt64, upper: UInt64) {
    precondition(lower <= upper, "\(lower)..<\(upper)")
    self.lower = lower
    self.upper = upper
  }

  /// As it is written.
  package var text: String { "\(lower)..<\(upper)" }
}

/// One part of a sweep that is split over several machines.
package struct Shard: Equatable, Sendable {
  /// From 1 to `count`.
  var number: Int
  /// Number of shards.
  var count: Int

  static let countMax = 1_000_000

  /// Reads `2/8`, the second of eight; or `auto`, which reads the environment.
  package init(_ text: String, environment: [String: String]) throws(Failure) {
    if text == "auto" {
      self = try ShardEnvironment.find(environment)
      return
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]), (1...Self.countMax).contains(count),
      (1...count).contains(number)
    else {
      throw .input(
        "--shard: found \"\(TerminalText.escape(text))\", expected auto, or I/N with I from 1 to N, such as 1/8")
    }
    self.init(number: number, count: count)
  }

  init(number: Int, count: Int) {
    precondition(count > 0 && (1...count).contains(number), "\(number)/\(count)")
    self.number = number
    self.count = count
  }

  /// This shard's seeds: all shards together cover the range, in parts that differ by at most one seed.
  package func part(of range: SeedRange) -> SeedRange {
    SeedRange(lower: border(number - 1, range), upper: border(number, range))
  }

  private func border(_ index: Int, _ range: SeedRange) -> UInt64 {
    let product = range.count.multipliedFullWidth(by: UInt64(index))
    return range.lower + UInt64(count).dividingFullWidth(product).quotient
  }
}
