import Link
import Testing

@Suite struct `reading a trace` {
  static let header =
    #"{"trace":"wristwire","version":1,"scenario":"s","seed":"18446744073709551615","startedAt":"2026-04-12T06:30:00Z","#
    + #""timeZone":"Europe/Berlin","utcOffsets":[[0,7200]],"duration":1800000000000,"plan":{"distance":5000},"#
    + #""script":null,"memory":{"hr.max":188},"link":{"loss":0.02},"uplink":{},"faults":[],"build":"0.1.0","plant":"x"}"#
    + "\n"
  static let events =
    #"{"t":0,"node":"link","event":"link.up","cause":"scenario"}"# + "\n"
    + #"{"t":1,"node":"watch","event":"snapshot","epoch":1,"seq":1}"# + "\n"
  static let end =
    #"{"t":2,"node":"runner","event":"end","verdict":"pass","frames":0,"outstanding":[],"violations":[]}"# + "\n"

  @Test func `a header is typed, keeps unknown keys, and writes the same bytes`() throws {
    let header = try TraceHeader(line: Array(Self.header.utf8))
    #expect(header.scenario == "s")
    #expect(header.seed == .max)
    #expect(header.utcOffset(at: .start) == 7200)
    #expect(header.duration == .seconds(1800))
    #expect(header.extras.map(\.key) == ["plant"])
    var bytes: [UInt8] = []
    header.append(to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == Self.header)
  }

  @Test func `a start is read in every zone, and to the nanosecond`() {
    func start(_ text: String) -> Int64? {
      TraceHeader(scenario: "s", seed: 1, startedAt: text, duration: .zero).unixStart
    }
    #expect(start("1970-01-01T00:00:00Z") == 0)
    #expect(start("2026-04-12T06:30:00Z") == 1_775_975_400_000_000_000)
    #expect(start("2026-04-12T08:30:00+02:00") == 1_775_975_400_000_000_000)
    #expect(start("2024-02-29T23:59:59.5Z") == 1_709_251_199_500_000_000)
    #expect(start("2026-04-12 06:30:00Z") == nil)
    #expect(start("2026-13-12T06:30:00Z") == nil)
    #expect(start("") == nil)
  }

  @Test(arguments: [
    (#"{"version":1}"#, "trace"), (#"{"trace":"other","version":1}"#, "wristwire"),
    (#"{"trace":"wristwire","version":2}"#, "version 1"), ("[]", "a trace's header"), ("", ""),
  ])
  func `a first line that is not a header is refused with what was expected`(line: String, part: String) {
    do throws(JSONError) {
      _ = try TraceHeader(line: Array(line.utf8))
      Issue.record("accepted")
    } catch {
      #expect(error.description.contains(part))
    }
  }

  @Test func `pieces of any size give the same events`() throws {
    let bytes = Array((Self.header + Self.events + Self.end).utf8)
    for size in [1, 2, 3, 7, 64, 100_000] {
      var reader = TraceReader()
      var events: [TraceEvent] = []
      var lines: [Int] = []
      var start = 0
      while start < bytes.count {
        reader.append(bytes[start..<min(start + size, bytes.count)])
        start += size
        while let event = try reader.next() {
          events.append(event)
          lines.append(reader.line)
        }
      }
      reader.close()
      #expect(try reader.next() == nil)
      #expect(events.map(\.name.text) == ["link.up", "snapshot", "end"])
      #expect(lines == [2, 3, 4])
      #expect(reader.hasEnded)
      #expect(!reader.isCut)
    }
  }

  @Test func `a trace cut at any byte after its header is truncated, not an error`() throws {
    let bytes = Array((Self.header + Self.events + Self.end).utf8)
    for length in Self.header.utf8.count..<bytes.count - 1 {
      var reader = TraceReader()
      reader.append(bytes[..<length])
      reader.close()
      var count = 0
      while try reader.next() != nil { count += 1 }
      #expect(!reader.hasEnded)
      #expect(count <= 2)
    }
  }

  @Test func `a last line without a line feed counts`() throws {
    var reader = TraceReader()
    reader.append((Self.header + Self.end).utf8.dropLast())
    reader.close()
    #expect(try reader.next()?.name == "end")
    #expect(reader.hasEnded)
  }

  @Test func `a line after the end is refused`() throws {
    var reader = TraceReader()
    reader.append((Self.header + Self.end + Self.events).utf8)
    #expect(try reader.next()?.name == "end")
    #expect(throws: JSONError.self) { try reader.next() }
  }

  @Test(arguments: [
    (#"{"t":-1,"node":"link","event":"x"}"#, 6), (#"{"node":"link","t":1,"event":"x"}"#, 2),
    (#"{"t":1,"node":"moon","event":"x"}"#, 15), (#"{"t":1,"node":"link","event":5}"#, 30),
    (#"{"t":1,"node":"link","event":"x","a":}"#, 38), (#"{"t":1,"node":"link","event":"x","a":01}"#, 38),
    (#"{"t":1,"node":"link","event":"x","a":[1,2}"#, 42), (#"{"t":1,"node":"link","event":"x","ä":"\q"}"#, 40),
    (#"{"t":1,"node":"link","event":"x"} x"#, 35), (#"{"t":1,"node":"link","event":"x""#, 33),
    (#"{"t":1,"node":"link","event":"x","a":99999999999999999999}"#, 38),
  ])
  func `a bad line is refused at its column`(line: String, column: Int) {
    var parser = TraceLineParser()
    do throws(JSONError) {
      _ = try parser.parse(Array(line.utf8)[...], line: 9)
      Issue.record("accepted")
    } catch {
      #expect(error.position == TextPosition(line: 9, column: column))
      #expect(!error.found.isEmpty && !error.expected.isEmpty)
    }
  }

  @Test(arguments: [
    ("1e3", TraceValue.int(1000)), ("12.50", .decimal(mantissa: 125, scale: 1)),
    ("1.5E-2", .decimal(mantissa: 15, scale: 3)),
    ("-0.0", .int(0)), ("0.000", .int(0)), ("-9223372036854775808", .int(.min)), ("2.0", .int(2)),
    (#""\u0041\u00e9\ud83c\udfc3""#, .string("Aé🏃")), (#""ABCDEF0123456789""#, .string("ABCDEF0123456789")),
    (#""abcdef0123456789""#, .hex(0xABCD_EF01_2345_6789)),
  ])
  func `other spellings of a value are accepted`(text: String, value: TraceValue) throws {
    var parser = TraceLineParser()
    let line = "{ \"t\" : 1 , \"node\" : \"link\" , \"event\" : \"x\" , \"a\" : \(text) }\r\n"
    #expect(try parser.parse(Array(line.utf8)[...], line: 2)["a"] == value)
  }

  @Test func `nesting is limited and does not exhaust the stack`() {
    var parser = TraceLineParser()
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: JSONError.self) {
      try parser.parse(Array("{\"t\":1,\"node\":\"link\",\"event\":\"x\",\"a\":\(deep)".utf8)[...], line: 2)
    }
  }

  @Test func `no mutation of a line crashes the reader`() {
    let line = Array(#"{"t":1,"node":"link","event":"x","a":[1,{"b":"\u0041é"}],"c":-1.5e2,"d":true}"#.utf8)
    let random = RandomStream(seed: 7, name: "mutations")
    var parser = TraceLineParser()
    var accepted = 0
    for round in UInt64(0)..<20_000 {
      var bytes = line
      for draw in UInt64(0)..<3 {
        let place = Int(random.bits(for: round, draw: draw * 2) % UInt64(bytes.count))
        bytes[place] = UInt8(truncatingIfNeeded: random.bits(for: round, draw: draw * 2 + 1))
      }
      if (try? parser.parse(bytes[...], line: 1)) != nil { accepted += 1 }
    }
    #expect(accepted < 20_000)
  }

  @Test(arguments: [
    (#"{"t":0,"node":"watch","event":"x","seq":1,"seq":2}"#, 43, "seq"),
    (#"{"t":0,"node":"watch","event":"x","seq":1,"s\u0065q":2}"#, 43, "seq"),
    (#"{"t":0,"node":"watch","event":"x","a":1,"t":2}"#, 41, "t"),
    (#"{"t":0,"node":"watch","event":"x","node":"phone"}"#, 35, "node"),
    (#"{"t":0,"node":"watch","event":"x","event":"y"}"#, 35, "event"),
    (#"{"t":0,"node":"watch","event":"x","a":{"b":[{"c":1,"d":2,"c":3}]}}"#, 58, "c"),
  ])
  func `a duplicate key is refused`(line: String, column: Int, key: String) {
    var parser = TraceLineParser()
    let error = #expect(throws: JSONError.self) { try parser.parse(Array(line.utf8)[...], line: 7) }
    #expect(error?.position == TextPosition(line: 7, column: column))
    #expect(error?.description.contains("the key \"\(key)\" a second time") == true)
  }

  @Test func `a key may appear once in each of several objects`() throws {
    var parser = TraceLineParser()
    let line = #"{"t":0,"node":"watch","event":"x","a":{"t":1,"b":[{"b":1},{"b":2}]},"b":{"a":1}}"#
    #expect(try parser.parse(Array(line.utf8)[...], line: 1).fields.count == 2)
  }
}
