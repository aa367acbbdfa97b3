import Link
import Testing

@Suite struct `writing a trace` {
  @Test func `a line has the time, the place, the name and the fields in their order`() {
    let event = TraceEvent(
      "snapshot", at: VirtualTime(nanoseconds: 12_000_000_000), on: .watch,
      [
        .init("z", .int(-7)), .init("a", .number(12.5, places: 2)), .init("n", .null), .init("b", .bool(true)),
        .init("c", .bool(false)), .init("s", .string("run")), .init("h", .hex(0xAB)),
        .init("u", .uuid(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)), .init("j", .json("[1,{}]")),
      ])
    let expected =
      #"{"t":12000000000,"node":"watch","event":"snapshot","z":-7,"a":12.5,"n":null,"b":true,"c":false,"s":"run","#
      + #""h":"00000000000000ab","u":"01234567-89ab-cdef-fedc-ba9876543210","j":[1,{}]}"# + "\n"
    #expect(line(event) == expected)
  }

  @Test func `the fast way and the slow way write the same`() {
    for event in awkwardEvents {
      #expect(line(event) == TraceWriter.text(of: event) + "\n")
    }
  }

  @Test func `a written line reads as the same event and writes the same bytes`() throws {
    var parser = TraceLineParser()
    for event in awkwardEvents {
      let first = line(event)
      let read = try parser.parse(Array(first.utf8)[...], line: 2)
      #expect(read == event)
      #expect(line(read) == first)
    }
  }

  @Test func `a line longer than the scratch area is whole`() {
    let event = TraceEvent(
      "x.y", at: .start, on: .runner, [.init("k", .string(String(repeating: "ab", count: 50_000)))])
    #expect(line(event).utf8.count == TraceWriter.text(of: event).utf8.count + 1)
  }

  @Test func `every known name says which keys its fields have, and no other does`() {
    for name in TraceEvent.Name.known {
      guard let keys = name.keys else {
        Issue.record("\(name.text)")
        continue
      }
      #expect(Set(keys).union(["t", "node", "event"]).count == keys.count + 3, "\(name.text)")
    }
    #expect(TraceEvent.Name("store.full").keys == nil)
  }

  @Test func `every known name has its own code`() {
    let known = TraceEvent.Name.known
    #expect(Set(known.map(\.code)).count == known.count)
  }

  private func line(_ event: TraceEvent) -> String {
    var writer = TraceWriter()
    var bytes: [UInt8] = []
    writer.append(event, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Values at their edges: every digit count, scales, escapes at every place of a word of eight bytes.
  private var awkwardEvents: [TraceEvent] {
    var values: [TraceValue] = [
      .int(.min), .int(.max), .string(""), .string("äöü 🏃 \u{7F}"), .json("{\"a\":[null,-1.5e3]}"),
    ]
    var number: Int64 = 1
    while number < Int64.max / 10 {
      values += [.int(number), .int(number - 1), .int(-number), .int(number * 10 - 1)]
      number *= 10
    }
    for scale in UInt8(1)...20 {
      values += [.decimal(mantissa: 1, scale: scale), .decimal(mantissa: -123_456_789_012_345_671, scale: scale)]
    }
    for place in 0..<18 {
      for letter in ["\"", "\\", "\n", "\u{1}", "\u{1F}", "\t", "é", "!", "#", "[", "]"] {
        values.append(
          .string(String(repeating: "x", count: place) + letter + String(repeating: "y", count: 17 - place)))
      }
    }
    for bits in [0, 1, UInt64.max, 0x8000_0000_0000_0000, 0x9A9A_A9A9_0F0F_F0F0] {
      values += [.hex(bits), .uuid(high: bits, low: ~bits)]
    }
    return values.map { TraceEvent("a.b", at: VirtualTime(nanoseconds: 5), on: .link, [.init("key", $0)]) }
      + TraceEvent.Place.allCases.map { TraceEvent("end", at: .start, on: $0) }
  }
}
