import Experiments
import Console
import Link

/// `sim-runner merge`: joins the results of a sweep's shards.
enum MergeCommand: Command {
  static let name = "merge"
  static let about = "joins the results of a sweep's shards, and reports duplicates and gaps"
  static let usage = "FILE... [OPTIONS]"
  static let options: [Option] = [
    .value("--out", "FILE", "write the joined results here (standard output)"),
    .value("--seeds", "N|A-B", "the seeds that each scenario should have (those from its first to its last)"),
    RunSettings.json,
  ]
  static let details = """
    The result is sorted by scenario and seed, and does not depend on the order of the files. A seed that occurs
    twice with the same result is kept once; two different results of one seed are reported with their positions, and
    the first one is kept: they come from different scenarios, different releases, or a simulation that is not
    deterministic.

    A situation of a scenario's `sometimes` counts as reached if a seed of any file reached it.

    Exit status: 0 every seed is there and passed; 1 one failed, is missing or has two results, or no seed reached a
    situation; 2 a file is no result of a sweep.
    """

  /// Limit of missing ranges listed for each scenario.
  private static let missingMax = 10

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    guard !arguments.operands.isEmpty else { throw .input("the files are missing: name the results of sweeps") }
    let wanted: SeedRange?
    if let text = arguments.value("--seeds") { wanted = try SeedRange(text) } else { wanted = nil }
    let isJSON = arguments.has("--json")
    let merge = try SweepMerge(arguments.operands, wanted: wanted)
    let path = arguments.value("--out") ?? (isJSON ? nil : "-")
    if let path {
      let output = try SweepOutput(path, isJSON: isJSON)
      try merge.forEachLine { (line) throws(Failure) in try output.write(line) }
      try output.commit()
    }
    let screen = Screen(onStandardError: isJSON || path == "-")
    printReport(merge, screen)
    if isJSON { printJSON(merge) }
    let isWhole =
      merge.sums.allSatisfy { sum in
        sum.failed == 0 && sum.missing.isEmpty && sum.situations.allSatisfy { $0.seeds > 0 }
      } && merge.contradictionCount == 0
    return isWhole && !merge.sums.isEmpty ? 0 : 1
  }

  private static func printReport(_ merge: SweepMerge, _ screen: Screen) {
    if merge.sums.isEmpty { screen.show("no result in any of the files") }
    for sum in merge.sums {
      let count = sum.passed + sum.failed
      var text =
        "\(TerminalText.escape(sum.scenario)): \(StoryText.count(sum.passed)) of \(StoryText.count(count, "seed")) passed"
      if sum.failed > 0 { text += ", \(StoryText.count(sum.failed)) failed" }
      if sum.doubled > 0 { text += ", \(StoryText.count(sum.doubled)) doubled" }
      if sum.outside > 0 { text += ", \(StoryText.count(sum.outside)) of them not among those wanted" }
      if !sum.missing.isEmpty {
        let missing = sum.missing.reduce(UInt64(0)) { $0 + $1.count }
        let named = sum.missing.prefix(missingMax).map(\.text).joined(separator: ", ")
        let more = sum.missing.count > missingMax ? ", ..." : ""
        text += "; \(StoryText.count(missing)) missing: \(named)\(more)"
      }
      screen.show(text)
      for situation in sum.situations {
        let count = situation.seeds == 0 ? "no seed" : StoryText.count(situation.seeds, "seed")
        let line = "  \(TerminalText.escape(situation.name)): \(count)"
        screen.show(situation.seeds == 0 ? screen.styled(line, .red) : line)
      }
    }
    for contradiction in merge.contradictions {
      screen.show(
        "\(TerminalText.escape(contradiction.scenario)), seed \(contradiction.seed): two results that differ: "
          + contradiction.locations.joined(separator: " and "))
    }
    if merge.contradictionCount > merge.contradictions.count {
      screen.show("and \(StoryText.count(merge.contradictionCount - merge.contradictions.count, "more"))")
    }
  }

  private static func printJSON(_ merge: SweepMerge) {
    JSONOutput.print([
      "scenarios": .objects(merge.sums) { sum in
        [
          "scenario": .string(sum.scenario), "passed": .count(sum.passed), "failed": .count(sum.failed),
          "doubled": .count(sum.doubled), "outside": .count(sum.outside), "missing": .texts(sum.missing.map(\.text)),
          "situations": .objects(sum.situations) { ["situation": .string($0.name), "seeds": .count($0.seeds)] },
        ]
      },
      "contradictions": .objects(merge.contradictions) { contradiction in
        [
          "scenario": .string(contradiction.scenario), "seed": .string(String(contradiction.seed)),
          "places": .texts(contradiction.locations),
        ]
      },
    ])
  }
}
