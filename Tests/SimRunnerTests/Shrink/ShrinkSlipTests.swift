import Foundation
import Link
import Testing

@testable import Experiments
@testable import Simulator
@testable import TraceTools
@testable import Console

/// A shrunk run shows the failure that it was made from, and no other one of the same invariant.
@Suite struct `Shrinking keeps to one failure` {
  private static func finding(
    _ detail: String, at seconds: Int64 = 60, phase: String = "running", invariant: String = "play-once"
  ) -> ObservedFinding {
    let finding = SweepLine.Finding(invariant: invariant, time: seconds * 1_000_000_000, detail: detail)
    return ObservedFinding(finding: finding, kind: FailureKind(finding, phase: phase))
  }

  private static func scenario() throws -> Scenario {
    let (scenario, diagnostics) = Scenario.read(
      Array(
        """
        { scenario: "s", duration: "5m", link: { profile: "ideal" },
          workout: { source: { model: { distance: 10000, pace: "5:00/km" } } },
          faults: [
            { id: "a", at: 30, for: 5, disconnect: {} }, { id: "b", at: 60, for: 5, disconnect: {} },
            { id: "c", at: 90, for: 5, disconnect: {} } ] }
        """.utf8), file: "s", folder: "/")
    #expect(!diagnostics.contains { $0.hasErrors })
    return scenario
  }

  /// Shrinks where a run without fault `b` fails with `other` in its place.
  private static func shrunk(_ first: ObservedFinding, else other: ObservedFinding) throws -> [String] {
    let run: Shrinker.Runner = { (scenario) throws(Failure) in
      [scenario.faults.contains { $0.id == "b" } ? first : other]
    }
    let shrinker = try Shrinker(scenario(), run: run)
    var made = try #require(shrinker)
    try made.shrink()
    #expect(made.kind == first.kind && made.runs < 400)
    return made.best.faults.map(\.id)
  }

  @Test func `another kind of detail is another failure`() throws {
    #expect(
      try Self.shrunk(Self.finding("line 4 was played twice"), else: Self.finding("line 4 was never queued")) == ["b"])
  }

  @Test func `another phase of the run is another failure`() throws {
    let paused = Self.finding("line 4 was played twice", phase: "paused")
    #expect(try Self.shrunk(paused, else: Self.finding("line 4 was played twice")) == ["b"])
  }

  @Test func `another time, number or name is the same failure`() throws {
    let first = Self.finding("line 4 (\"Off you go.\") was played 2 times")
    let other = Self.finding("line 11 (\"Half of it is done.\") was played 3 times", at: 20)
    #expect(try Self.shrunk(first, else: other) == [])
  }

  @Test(arguments: [
    ("a run was begun 83.488 s after it was asked for", "a run was begun # s after it was asked for"),
    ("missing 1, 2, 3 of 0f9c", "missing # of #"), ("{\"never\":\"link.up\"}: line 7", "{\"\":\"\"}: line #"), ("", ""),
  ])
  func `the kind of a detail leaves out what differs between two runs`(detail: String, pattern: String) {
    #expect(FailurePattern.of(detail) == pattern)
  }

  @Test func `the phase is that of the line which shows the failure`() throws {
    let (read, _) = Scenario.read(
      Array(
        """
        { scenario: "s", duration: "2m", link: { profile: "ideal" },
          workout: { source: { model: { distance: 10000, pace: "5:00/km" } }, preparing: "3s",
            events: [{ at: "40s", do: "pause" }, { at: "60s", do: "resume" }] },
          expect: [{ never: "workout.state", where: { to: "running" } }, { never: "workout.state", where: { to: "paused" } }] }
        """.utf8), file: "s", folder: "/")
    #expect(try ObservedFinding.run(read).map(\.kind.phase) == ["running", "paused"])
  }

  /// `scripts/trust --slips` does the same with every plant and a sweep's seeds.
  @Test(arguments: ["zombie-session", "half-file", "stale-start"])
  func `a planted bug's run is shrunk to a run that only that bug breaks`(name: String) throws {
    let plant = try #require(PlantCatalog.all.first { $0.name == name })
    var scenario = try Scenario.load(Tool.scenario("field/\(name)"))
    scenario.plant([plant])
    let target = try #require(plant.caughtBy.first)
    let before = try #require(try ObservedFinding.run(scenario).first { $0.kind.invariant == target })
    let shrunk = try #require(try ShrunkRun.make(scenario, target: target, runsMax: 30))
    var small = shrunk.scenario
    #expect(try ObservedFinding.run(small).contains { $0.kind == before.kind })
    small.plants = []
    #expect(try ObservedFinding.run(small).allSatisfy { $0.kind.invariant != target })
  }
}
