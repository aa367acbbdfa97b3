import Foundation
import Link
import Testing

@testable import Simulator

/// A second phone in scenarios.
@Suite struct SyncScenarioTests {
  private static func trace(_ scenario: String, _ words: [String], in folder: TemporaryFolder) throws -> Data {
    let path = folder.path(UUID().uuidString)
    let child = try Tool.run(["run", Tool.scenario(scenario), "--trace", path] + words)
    #expect(child.status == 0, "\(child.output)\(child.errors)")
    return try Data(contentsOf: URL(filePath: path))
  }

  @Test func `two phones write the same bytes in one process and as processes`() throws {
    let folder = try TemporaryFolder()
    let one = try Self.trace("two-phones", ["--mode", "in-process"], in: folder)
    let others = try Self.trace("two-phones", ["--mode", "processes"], in: folder)
    #expect(one == others)
    #expect(String(decoding: one, as: UTF8.self).contains("\"training.settled\""))
  }

  @Test func `inspect shows both phones, and that they are equal`() throws {
    let folder = try TemporaryFolder()
    let state = folder.path("state")
    let run = try Tool.run([
      "run", Tool.scenario("field/twin-rows"), "--mode", "processes", "--state-dir", state,
    ])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    let shown = try Tool.run(["inspect", state])
    #expect(shown.status == 0 && shown.output.contains("sync"), "\(shown.output)")
    #expect(shown.output.contains("differing 0") && shown.output.contains("second.sessions"), "\(shown.output)")
    let artifacts = try Tool.run(["inspect", state, "--artifact", "all"])
    #expect(
      artifacts.status == 0 && artifacts.output.contains("\"RidePhoto\":[{\"fileName\":\"jump.heic\""),
      "\(artifacts.output)")
    let wrong = try Tool.run(["inspect", state, "--artifact", "x"])
    #expect(wrong.status == 2 && wrong.errors.contains("expected the identifier of a session"))
  }

  @Test(arguments: [
    ("late: 0", "late"), ("twice: 2", "twice"), ("edits: [{ at: 1, do: \"pause\" }]", "correctShot"),
    ("edits: [{ do: \"scoreRide\", score: 1 }]", "at"),
    ("edits: [{ at: 1, do: \"scoreRide\", score: 1, x: 1 }]", "unknown key"),
    ("late: \"1s\", lat: 1", "did you mean"),
  ])
  func `wrong keys of a second phone are refused`(text: String, hint: String) throws {
    let scenario = "{ scenario: \"x\", phone: { training: { sync: { \(text) } } } }"
    let (_, found) = Scenario.read(Array(scenario.utf8), file: "s", folder: "/")
    #expect(found.map(\.description).joined().contains(hint))
  }
}
