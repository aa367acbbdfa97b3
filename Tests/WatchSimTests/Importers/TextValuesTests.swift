import Testing

@testable import WatchSim

/// Numbers, times, entities and places in text.
struct TextValuesTests {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0.0),
      ("2026-04-12T06:30:00Z", 1_775_975_400),
      ("2026-04-12 06:30:00", 1_775_975_400),
      (" 2026-04-12T06:30:00.5Z\n", 1_775_975_400.5),
      ("2026-04-12T06:30:00,25 Z", 1_775_975_400.25),
      ("2026-04-12T08:30:00+02:00", 1_775_975_400),
      ("2026-04-12 05:30:00 -0100", 1_775_975_400),
      ("2026-04-12T06:30:00.1234567Z", 1_775_975_400.1234567),
      ("1901-12-13T20:45:52Z", -2_147_483_648),
      ("2000-02-29T00:00:00Z", 951_782_400),
      ("2016-12-31T23:59:60Z", 1_483_228_800),
    ])
  func `times in every form that recorders use`(text: String, seconds: Double) {
    #expect(TimeText.parse(Array(text.utf8)) == seconds)
  }

  @Test(
    arguments: [
      "", "2026", "2026-04-12", "2026-13-12T06:30:00Z", "2026-02-29T06:30:00Z", "2026-04-12T06:30Z",
      "2026-04-12T06:30:00.Z", "2026-04-12T06:30:00Zx", "2026-04-12T06:30:00+2", "2026-04-12T25:30:00Z",
      "2026-04-12T06:61:00Z", "yesterday",
    ])
  func `what is no time is refused`(text: String) {
    #expect(TimeText.parse(Array(text.utf8)) == nil)
  }

  @Test(
    arguments: [
      (0.0, "1970-01-01T00:00:00Z"),
      (1_775_975_400.25, "2026-04-12T06:30:00.250Z"),
      (951_782_399, "2000-02-28T23:59:59Z"),
      (-2_147_483_648, "1901-12-13T20:45:52Z"),
      (4_102_444_799.9996, "2100-01-01T00:00:00Z"),
    ])
  func `times are written as ISO 8601`(seconds: Double, text: String) {
    #expect(TimeText.format(unixSeconds: seconds) == text)
  }

  @Test func `a time written and read again is the same in four centuries`() {
    for day in stride(from: -30_000, to: 120_000, by: 17) {
      let seconds = Double(day) * 86_400 + 45_296
      if TimeText.parse(Array(TimeText.format(unixSeconds: seconds).utf8)) != seconds {
        Issue.record("day \(day)")
        return
      }
    }
  }

  @Test func `numbers are decimal and finite`() {
    #expect(NumberText.parse(Array(" -12.5e1\n".utf8)) == -125)
    for text in ["", " ", "nan", "inf", "0x10", "1,5", "1 2", "1e999", "--1"] {
      #expect(NumberText.parse(Array(text.utf8)) == nil, "\(text)")
    }
  }

  @Test func `entities, CDATA and comments make text`() throws {
    var scanner = XMLScanner(Array("<a>1&lt;2 &#x41;&#66;&nope;<![CDATA[<&amp;]]><!-- <b> -->!</a>".utf8))
    #expect(try scanner.next() == .start("a"))
    #expect(try scanner.next() == .end("a"))
    #expect(String(decoding: scanner.text, as: UTF8.self) == "1<2 AB&nope;<&amp;!")
    #expect(try scanner.next() == .finished)
    #expect(scanner.malformedCount == 0)
  }

  @Test func `a comment is not ended by its own beginning`() throws {
    var scanner = XMLScanner(Array("<!--><a/>--><b/>".utf8))
    #expect(try scanner.next() == .start("b"))
  }

  @Test func `prefixes are dropped and attributes found by local name`() throws {
    var scanner = XMLScanner(Array("<n:trkpt x:lat='1' lon = \"2>3\" />".utf8))
    #expect(try scanner.next() == .start("trkpt"))
    #expect(scanner.attribute("lat").map(Array.init) == Array("1".utf8))
    #expect(scanner.attribute("lon").map(Array.init) == Array("2>3".utf8))
    #expect(scanner.attribute("at") == nil)
    #expect(try scanner.next() == .end("trkpt"))
  }

  @Test func `a place counts lines, and characters rather than bytes`() {
    #expect(XMLScanner.position(of: 0, in: Array("abc".utf8)) == .text(line: 1, column: 1))
    #expect(XMLScanner.position(of: 7, in: Array("a\nbäöx".utf8)) == .text(line: 2, column: 4))
  }
}
