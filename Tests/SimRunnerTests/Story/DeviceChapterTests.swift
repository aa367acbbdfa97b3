import Link
import Testing

@testable import Simulator

/// The story of what happens to the devices.
@Suite struct DeviceChapterTests {
  private typealias S = StoryEvents

  @Test func `a press while an app is down is in the story`() throws {
    let lines = try S.tell([
      S.event("node.killed", 10, .runner, ["target": .string("watch"), "cause": .string("kill")]),
      S.event(
        "command.dropped", 12, .runner,
        ["target": .string("watch"), "kind": .string("pause"), "why": .string("the watch is down")]),
    ])
    #expect(
      lines.contains { $0.contains("0:12") && $0.contains("\"pause\" has no effect, as its app is down") }, "\(lines)")
    // Only the runner says what became of a press.
    let forged = try S.tell([S.event("command.dropped", 12, .phone, ["target": .string("phone")])])
    #expect(forged.isEmpty, "\(forged)")
  }

  @Test func `a crash at any point says what the app has just done`() throws {
    for point in CrashPoint.all {
      let lines = try S.tell([
        S.event(
          "node.killed", 10, .runner,
          ["target": .string("phone"), "cause": .string("crash"), "point": .string(point.name)])
      ])
      // A long sentence has line breaks.
      let text = lines.joined(separator: " ").split { $0.isWhitespace }.joined(separator: " ")
      #expect(text.contains("just when \(point.about)"), "\(point.name): \(text)")
    }
  }
}
