import Foundation
import Link
import Testing

@testable import sim_runner

/// Two traces compared by what was decided.
@Suite struct DiffTests {
  @Test func `another seed's frames do not count, another decision does`() throws {
    let one = try RecordedTrace("a", TraceFixture.shared.get().text)
    let two = try RecordedTrace("b", TraceFixture(seed: 8).text)
    let difference = TraceDifference(Decision.all(of: one), Decision.all(of: two))
    // Losses of another seed move the time at which a line is spoken; which lines are spoken stays.
    let script = try #require(difference.counts.first { $0.kind == "script" })
    #expect(script.counts[.removed] == nil && script.counts[.added] == nil)
    #expect(!difference.isEmpty)
    #expect(TraceDifference(Decision.all(of: one), Decision.all(of: one)).isEmpty)
  }

  @Test func `moved, missing and further decisions are distinguished`() throws {
    func decision(_ text: String, at seconds: Int64) throws -> Decision {
      let event = TraceEvent(
        "script.dispatch", at: .start + .seconds(seconds), on: .phone, [.init("message", .string(text))])
      return try #require(Decision(event, line: Int(seconds)))
    }
    let before = [try decision("a", at: 1), try decision("b", at: 2), try decision("c", at: 3)]
    let after = [try decision("a", at: 1), try decision("c", at: 4), try decision("d", at: 5)]
    let steps = TraceDifference(before, after).steps
    #expect(steps.map(\.change) == [.same, .removed, .moved, .added])
  }

  @Test func `the command prints the first difference and a summary`() throws {
    let folder = try TemporaryFolder()
    let fixture = try TraceFixture.shared.get()
    let one = try folder.write("a.jsonl", String(decoding: fixture.text, as: UTF8.self))
    var lines = fixture.lines
    let place = try lines.place(of: "script.dispatch", "half")
    lines.remove(at: place)
    let two = try folder.write("b.jsonl", lines.fileText)
    let same = try CommandChild.run(["diff", one, one])
    #expect(same.status == 0 && same.output.hasPrefix("the same"))
    let other = try CommandChild.run(["diff", one, two])
    #expect(other.status == 1)
    #expect(other.output.contains("(line \(place + 1)) phone script.dispatch message=\"half\""), "\(other.output)")
    let json = try CommandChild.run(["diff", one, two, "--json"])
    let object = try JSONParser.parse(json.output, dialect: .json)
    #expect(object.member("kinds")?.member("script")?.member("removed")?.value == .integer(1))
    #expect(try CommandChild.run(["diff", one]).status == 2)
  }

  @Test func `frames and names count when asked`() throws {
    let fixture = try TraceFixture.shared.get()
    var lines = fixture.lines
    let place = try lines.place(of: "frame.delivered")
    lines.remove(at: place)
    let one = try RecordedTrace("a", fixture.text)
    let two = try RecordedTrace("b", Array(lines.fileText.utf8))
    #expect(TraceDifference(Decision.all(of: one), Decision.all(of: two)).isEmpty)
    #expect(!TraceDifference(Decision.all(of: one, isComplete: true), Decision.all(of: two, isComplete: true)).isEmpty)
  }
}
