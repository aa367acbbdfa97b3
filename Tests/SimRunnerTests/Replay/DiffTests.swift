import Foundation
import Link
import Testing

@testable import TraceTools
@testable import Console

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
    let same = try CommandChild.call(["diff", one, one])
    #expect(same.status == 0 && same.output.hasPrefix("the same"))
    let other = try CommandChild.call(["diff", one, two])
    #expect(other.status == 1)
    #expect(other.output.contains("(line \(place + 1)) phone: decides to say \"half\" at "), "\(other.output)")
    let json = try CommandChild.call(["diff", one, two, "--json"])
    let object = try JSONParser.parse(json.output, dialect: .json)
    #expect(object["kinds"]?["script"]?["removed"]?.value == .integer(1))
    #expect(try CommandChild.call(["diff", one]).status == 2)
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

  private static func decision(_ text: String, at milliseconds: Int64, distance: Double? = nil) throws -> Decision {
    let way = distance.map { [TraceEvent.Field("distance", .number($0, places: 2))] } ?? []
    let event = TraceEvent(
      "script.dispatch", at: .start + .milliseconds(milliseconds), on: .phone, [.init("message", .string(text))] + way)
    return try #require(Decision(event, line: Int(milliseconds)))
  }

  @Test func `within the tolerance decisions are the same, in either order`() throws {
    let before = [
      try Self.decision("a", at: 1_000), try Self.decision("b", at: 1_100), try Self.decision("c", at: 9_000),
    ]
    let after = [try Self.decision("b", at: 900), try Self.decision("a", at: 1_200), try Self.decision("c", at: 9_400)]
    func changes(_ milliseconds: Int64) -> [TraceDifference.Change] {
      let tolerance = TraceDifference.Tolerance(time: .milliseconds(milliseconds))
      return TraceDifference(before, after, tolerance: tolerance).steps.map(\.change)
    }
    #expect(changes(400) == [.same, .same, .same])
    #expect(changes(399).contains(.moved) && changes(0).contains(.removed))
  }

  @Test func `the tolerance in metres is what a run covers in its time, or as given`() throws {
    let before = [try Self.decision("a", at: 1_000, distance: 100)]
    let after = [try Self.decision("a", at: 1_500, distance: 106)]
    #expect(TraceDifference(before, after, tolerance: .init(time: .milliseconds(500))).isEmpty)
    #expect(!TraceDifference(before, after, tolerance: .init(time: .milliseconds(500), distance: 5.9)).isEmpty)
    #expect(!TraceDifference(before, after, tolerance: .init(time: .milliseconds(499), distance: 100)).isEmpty)
  }

  @Test func `decisions of one side come first, and all times have one form`() throws {
    let before = [try Self.decision("a", at: 61_000), try Self.decision("b", at: 62_000)]
    let after = [try Self.decision("a", at: 61_250), try Self.decision("c", at: 63_000)]
    let difference = TraceDifference(before, after)
    let lines = DifferenceText(difference: difference, names: ("one", "two")).lines()
    #expect(lines.prefix(4) == ["- one", "+ two", "", "2 different decisions:"])
    #expect(lines[4].hasPrefix("- 1:02 (line 62000)") && lines[5].hasPrefix("+ 1:03 (line 63000)"))
    #expect(lines[6] == "1 equal decision at another time or place:")
    #expect(lines[7].hasPrefix("- 1:01 ") && lines[8].hasPrefix("+ 1:01.250 ") && lines[8].hasSuffix("(0.25 s later)"))
  }

  @Test func `the page shows both runs side by side, without anything that a trace could inject`() throws {
    let folder = try TemporaryFolder()
    let fixture = try TraceFixture.shared.get()
    let one = try folder.write("a.jsonl", String(decoding: fixture.text, as: UTF8.self))
    var lines = fixture.lines
    let place = try lines.place(of: "script.dispatch", "half")
    lines[place] = lines[place].replacing("\"half\"", with: "\"<b>half\"")
    let two = try folder.write("b.jsonl", lines.fileText)
    let page = folder.path("d.html")
    let called = try CommandChild.call(["diff", one, two, "--html", page])
    #expect(called.status == 1 && called.output.contains("(line \(place + 1)) phone: decides to say \"half\" at "))
    #expect(try CommandChild.call(["diff", one, two, "--all"]).output.contains(" phone script.dispatch "))
    let html = try String(contentsOf: URL(filePath: page), encoding: .utf8)
    #expect(html.contains("<div class=\"pair removed\">") && html.contains("<div class=\"pair added\">"))
    #expect(html.contains("message=&quot;&lt;b&gt;half&quot;") && !html.contains("<b>half"))
    #expect(html.contains("phone: decides to say &quot;&lt;b&gt;half&quot; at "))
    #expect(!html.contains("{{") && !html.contains("<script") && html.contains("equal decisions</summary>"))
    let refused = try CommandChild.call(["diff", one, two, "--tolerance", "soon"])
    #expect(refused.status == 2 && refused.errors.contains("--tolerance: found \"soon\""))
    #expect(try CommandChild.call(["diff", one, two, "--metres", "-1"]).status == 2)
    #expect(try CommandChild.call(["diff", one, two, "--html", "/nowhere/d.html"]).status != 0)
  }
}
