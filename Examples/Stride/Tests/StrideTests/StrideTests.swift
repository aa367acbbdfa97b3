import Testing
import WristwireTesting

/// The example's programs, run by an app's own tests.
@Suite struct StrideTests {
  @Test(arguments: 0..<4 as Range<UInt64>)
  func `two runs are what they should be, whatever the link does`(seed: UInt64) async throws {
    let run = try await Simulation.run(
      "two-runs.json5", seed: seed, phone: .product("StridePhone"), watch: .product("StrideWatch"))
    #expect(run.facts("saved", on: .watch).compactMap { $0.string("run") } == ["A"])
  }

  @Test(arguments: [
    ("deadSession", "app.began"), ("earlySend", "app.goal"), ("lateMirror", "app.closed"), ("twoSources", "app.day"),
  ])
  func `each planted mistake is an issue that names what it breaks`(bug: String, what: String) async throws {
    try await withKnownIssue {
      try await Simulation.run(
        "two-runs.json5", seed: 1, phone: .product("StridePhone", arguments: ["--bug", bug]),
        watch: .product("StrideWatch", arguments: ["--bug", bug]))
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains(what) }
    }
  }
}
