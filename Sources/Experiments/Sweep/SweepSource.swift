package import Simulator
package import Console
package import Link

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
