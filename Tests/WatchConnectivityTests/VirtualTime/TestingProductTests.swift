import Foundation
import LinkTestSupport
import Testing
import WristwireTesting

/// The product WristwireTesting, with the app of the tests.
@Suite(.serialized) struct `WristwireTesting` {
  /// A scenario of this test, which is removed at its end.
  private func withScenario(_ text: String, _ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "wcs-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "s.json5").path
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try await body(path)
  }

  @Test(arguments: [3, 4] as [UInt64])
  func `a run has its facts, by name and device`(seed: UInt64) async throws {
    try await withScenario("{ scenario: \"s\", duration: \"10s\", link: { profile: \"ideal\" } }") { path in
      let run = try await Simulation.run(
        path, seed: seed, phone: .product("SessionProbe", arguments: ["/dev/null", "1:fact:spoke", "2:fact:spoke"]),
        watch: .simulated)
      #expect(run.verdict == .pass && run.seed == seed && run.name == "s" && run.report.isEmpty)
      #expect(run.facts("spoke").count == 2 && run.facts("spoke", on: .watch).isEmpty)
      let fact = try #require(run.facts("spoke", on: .phone).first)
      #expect(fact.number("half") == 0.5 && fact.flag("isLive") == true && fact.string("line") == "km\u{1B}3")
      #expect(fact.integer("isLive") == nil && fact.time == .seconds(1))
    }
  }

  @Test func `a run that fails is an issue with the story around what is broken`() async throws {
    let expect = "expect: [{ never: \"app.spoke\" }]"
    try await withScenario("{ scenario: \"s\", duration: \"10s\", link: { profile: \"ideal\" }, \(expect) }") { path in
      try await withKnownIssue {
        let run = try await Simulation.run(
          path, seed: 3, phone: .product("SessionProbe", arguments: ["/dev/null", "1:fact:spoke"]))
        #expect(run.verdict == .fail)
      } matching: { issue in
        issue.comments.contains { $0.rawValue.contains("around it:") && $0.rawValue.contains("its app: spoke") }
      }
    }
  }

  @Test func `what cannot be run is an error that says why`() async throws {
    await #expect(throws: Simulation.RunError.self) {
      try await Simulation.run("missing.json5", phone: .product("NoSuchProduct"))
    }
    do {
      try await Simulation.run("missing.json5")
    } catch let error as Simulation.RunError {
      #expect(error.description.contains("status 2") && error.description.contains("missing.json5"))
    }
  }
}
