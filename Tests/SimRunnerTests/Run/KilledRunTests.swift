import Foundation
import Link
import LinkTestSupport
import Testing

/// A conductor that dies without leaving its scopes.
@Suite struct KilledRunTests {
  @Test func `the next run removes what a killed one left`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    // All that a run makes is made here.
    let environment = ["XDG_RUNTIME_DIR": folder.path()]
    let killed = try Tool(
      ["run", Tool.scenario("demo"), "--time", "real", "--trace", "t.jsonl"], in: folder, environment: environment)
    try waitUntil("the first line of the story") { killed.output().contains("gets ready for a workout") }
    kill(killed.number, SIGKILL)
    _ = killed.finish()
    try waitUntil("the end of its nodes") { Tool.processes(of: folder) == [] }
    let left = try Tool.leftovers(in: folder)
    #expect(left.contains { $0.hasSuffix(".partial") } && left.contains { $0.hasPrefix("wristwire-") }, "\(left)")

    let text = "{ scenario: \"s\", duration: \"10s\", link: { profile: \"ideal\" } }"
    try Data(text.utf8).write(to: folder.appending(path: "s.json5"))
    let next = try Tool(["run", "s.json5", "--trace", "u.jsonl"], in: folder, environment: environment).finish()
    #expect(next.status == 0, "\(next.errors)")
    #expect(try Tool.leftovers(in: folder) == ["s.json5", "u.jsonl"])
  }
}
