import Foundation
import Link
import Testing

@testable import Experiments

/// Which groups of a sweep's failures seem to be of one bug.
@Suite struct FailureCauseTests {
  private static func cause(
    _ invariant: String, _ detail: String, _ faults: [String] = [], _ events: [String] = [],
    breaks others: [String] = []
  ) -> FailureCause {
    let finding = SweepLine.Finding(invariant: invariant, time: 0, detail: detail)
    return FailureCause(
      kind: FailureKind(finding, phase: ""), faults: faults, events: events, broken: Set([invariant] + others))
  }

  @Test func `the same wrong decision is one cause, whatever leads to its phase`() {
    let running = Self.cause("belief-is-newest", "the phone believed a \"paused\" that is 29 s older")
    let paused = Self.cause(
      "belief-is-newest", "the phone believed a \"running\" that is 58 s older", ["cut"], ["pause"])
    let other = Self.cause("belief-is-newest", "the phone opened a run for workout 7", ["cut"], ["ghost"])
    #expect(FailureCause.numbers([running, other, paused]) == [1, 2, 1])
  }

  @Test func `equal faults and events are one cause, though the invariants differ`() {
    let first = Self.cause("dispatch-window", "too early", [], ["sendAgain"])
    let second = Self.cause("no-missed-dispatch", "skipped without cause", [], ["sendAgain"])
    #expect(FailureCause.numbers([first, second]) == [1, 1])
  }

  @Test func `runs that need nothing agree only if one breaks the other's invariant`() {
    let first = Self.cause("dispatch-window", "too early")
    let stranger = Self.cause("queues-drain", "not empty")
    let relative = Self.cause("play-once", "twice", breaks: ["dispatch-window"])
    #expect(FailureCause.numbers([first, stranger, relative]) == [1, 2, 1])
  }

  @Test func `causes join by way of a third, and a group that was not shrunk has none`() {
    let a = Self.cause("a", "x", ["cut"], [])
    let b = Self.cause("b", "y", ["kill"], [])
    let bridge = Self.cause("a", "x", ["kill"], [])
    #expect(FailureCause.numbers([a, nil, b, bridge]) == [1, nil, 1, 1])
    #expect(FailureCause.numbers([]) == [] && FailureCause.numbers([nil]) == [nil])
  }

  @Test func `a bug that fails in two phases is one cause, for any number of jobs`() throws {
    let path = Tool.scenario("trust")
    var found: [[Int]] = []
    for jobs in ["1", "2"] {
      let folder = try TemporaryFolder()
      let child = try CommandChild.run([
        "sweep", path, "--plant", "double-delivery", "--seeds", "12", "--keep-going", "--jobs", jobs, "--json",
        "--failures",
        folder.path("failures"),
      ])
      #expect(child.status == 1, "\(child.errors)")
      let groups = try #require(child.object()["groups"] as? [[String: Any]])
      try #require(groups.count == 2, "\(groups.map { $0["invariant"] ?? "" })")
      found.append(groups.compactMap { $0["cause"] as? Int })
      #expect(groups.allSatisfy { ($0["needs"] as? String)?.contains("sendAgain") == true }, "\(groups)")
      #expect(child.errors.contains("failed in 2 groups of 1 cause"), "\(child.errors)")
    }
    #expect(found == [[1, 1], [1, 1]])
  }
}
