import Link
import Testing

@testable import TraceTools
@testable import Console

@Suite struct StoryTextTests {
  @Test(arguments: [(0, "0:00"), (59, "0:59"), (60, "1:00"), (3599, "59:59"), (3600, "1:00:00"), (36_061, "10:01:01")])
  func `a moment is m:ss, from an hour on h:mm:ss`(seconds: Int64, text: String) {
    #expect(StoryText.clock(seconds: seconds) == text)
  }

  @Test func `a moment leaves out what is less than a second`() {
    #expect(StoryText.clock(VirtualTime(nanoseconds: 59_999_999_999)) == "0:59")
  }

  @Test func `a length is in seconds below two minutes, exact to the millisecond`() {
    #expect(StoryText.length(.seconds(10)) == "10 s")
    #expect(StoryText.length(.milliseconds(10_250)) == "10.25 s")
    #expect(StoryText.length(VirtualTime.Span(nanoseconds: 10_000_400_000)) == "10 s")
    #expect(StoryText.length(.milliseconds(48_999), places: 1) == "49 s")
    #expect(StoryText.length(.seconds(120)) == "2:00 min")
    #expect(StoryText.length(.seconds(3725)) == "1:02:05 h")
  }

  @Test func `counts have commas and nouns their number`() {
    #expect(StoryText.count(0) == "0")
    #expect(StoryText.count(999) == "999")
    #expect(StoryText.count(1_234_567) == "1,234,567")
    #expect(StoryText.count(1, "line") == "1 line")
    #expect(StoryText.count(2, "copy", "copies") == "2 copies")
  }

  @Test func `percentages and paces are short`() {
    #expect(StoryText.percent(0.005) == "0.5 %")
    #expect(StoryText.percent(0.2) == "20 %")
    #expect(StoryText.pace(329.6) == "5:30")
    #expect(StoryText.pace(.infinity) == "-")
    #expect(StoryText.kilometres(5001.2) == "5.00 km")
  }

  @Test func `no text from outside steers a terminal`() {
    #expect(TerminalText.escape("a\u{1B}[31mb\nc\u{202E}d") == #"a\u001B[31mb\u000Ac\u202Ed"#)
    #expect(TerminalText.escape("grüß dich 🏃") == "grüß dich 🏃")
  }

  @Test func `lines break at blanks, and go on below themselves`() {
    #expect(wrap("one two three", to: 7) == ["one two", "three"])
    #expect(wrap("unbreakable it is", to: 4) == ["unbreakable", "it", "is"])
    #expect(wrap("", to: 10) == [""])
    let line = StoryLine(time: .start, voice: .coach, text: "one two three four five six")
    #expect(line.rendered(columns: 40) == "    0:00  coach  one two three four five\n                 six")
  }

  @Test func `a line has colours only where they are wanted`() {
    let line = StoryLine(time: .start, voice: .link, text: "cut", tone: .trouble)
    #expect(!line.rendered().contains("\u{1B}"))
    #expect(line.rendered(isColored: true).contains("\u{1B}[33mcut\u{1B}[0m"))
  }
}
