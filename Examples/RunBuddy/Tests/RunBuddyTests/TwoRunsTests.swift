import Testing
import WristwireTesting

/// The example's programs, run by an app's own tests.
@Suite struct TwoRunsTests {
  @Test(arguments: 0..<4 as Range<UInt64>)
  func `two runs arrive whole, whatever the link does`(seed: UInt64) async throws {
    let run = try await Simulation.run(
      "two-runs.json5", seed: seed, phone: .product("RunBuddyPhone"),
      watch: .product("RunBuddyWatch", arguments: ["--acts"]))
    let summaries = run.facts("summary", on: .phone)
    #expect(summaries.compactMap { $0.string("run") } == ["A", "B"])
    #expect(summaries.last?.integer("kilometres") == 8)
  }

  @Test(arguments: [
    ("lateEnd", "app.ended"), ("doubleCount", "app.kilometre"), ("lostRun", "app-restartKeeps"),
    ("deafHint", "app.hint"), ("silentFailure", "app-owedIsSaid"),
  ])
  func `each planted mistake is an issue that names what it breaks`(bug: String, what: String) async throws {
    try await withKnownIssue {
      try await Simulation.run(
        "two-runs.json5", seed: 1, phone: .product("RunBuddyPhone", arguments: ["--bug", bug]),
        watch: .product("RunBuddyWatch", arguments: ["--acts", "--bug", bug]))
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains(what) }
    }
  }
}
