import Foundation
import Testing

@testable import Experiments

/// A bug on every seed of a sweep hides no other.
@Suite struct HiddenFailureTests {
  private static let scenario = #"{ scenario: "a", duration: "1s" }"#

  private static func outcome(_ seed: UInt64, _ names: [String]) -> SweepPool.Outcome {
    let violations = names.map { SweepLine.Finding(invariant: $0, time: 1, detail: "\($0) of seed \(seed)") }
    let line = SweepLine(scenario: "a", seed: seed, hasPassed: names.isEmpty, violations: violations)
    return SweepPool.Outcome(source: 0, line: line, circumstances: names.isEmpty ? nil : "running")
  }

  private static func text(_ outcomes: [SweepPool.Outcome]) throws -> (SweepReport, String) {
    let folder = try TemporaryFolder()
    var report = SweepReport([try SweepSource(try folder.write("a.json5", scenario))])
    for outcome in outcomes { report.add(outcome) }
    let text = SweepText(
      report: report, seeds: SeedRange(lower: 0, upper: 4), seedsWanted: 4, seconds: 1, end: .complete,
      isColored: false, columns: 100)
    return (report, text.paragraphs.joined(separator: "\n"))
  }

  @Test func `what fails behind another failure in each run is named, with its seeds`() throws {
    let (report, text) = try Self.text([
      Self.outcome(0, ["always"]), Self.outcome(1, ["always", "rare", "other"]), Self.outcome(2, []),
      Self.outcome(3, ["always", "rare", "rare"]),
    ])
    #expect(report.groups.map(\.invariant) == ["always"])
    #expect(report.hidden.map(\.finding.invariant) == ["rare", "other"] && report.hidden.map(\.count) == [2, 1])
    #expect(text.contains("Failed, too, behind these in each run\n  rare: 2 seeds (1, 3): rare of seed 1\n"), "\(text)")
  }

  @Test func `what is the first failure of any run has a group of its own`() throws {
    let (report, text) = try Self.text([Self.outcome(0, ["a", "b"]), Self.outcome(1, ["b", "a"])])
    #expect(report.groups.map(\.invariant) == ["a", "b"] && report.hidden.isEmpty && !text.contains("Failed, too"))
  }
}
