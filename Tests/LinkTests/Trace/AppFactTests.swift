import Link
import Testing

@Suite struct `Facts of apps` {
  private func fact(_ line: String) throws -> AppFact? { try AppFact(line: Array("wristwire: \(line)".utf8)) }

  @Test func `a line is a name and an object`() throws {
    let fact = try #require(try fact("spoke {\"line\":\"km3\",\"n\":3,\"half\":0.5,\"deep\":{\"b\":[1]}}"))
    #expect(fact.name == "spoke")
    #expect(
      fact.fields == [
        .init("line", .string("km3")), .init("n", .int(3)), .init("half", .number(0.5, places: 6)),
        .init("deep", .json("{\"b\":[1]}")),
      ])
    #expect(try self.fact("started")?.fields == [])
    #expect(try AppFact(line: Array("a line of the app's own".utf8)) == nil)
    #expect(try AppFact(line: Array("wristwire:x {}".utf8)) == nil)
  }

  @Test(arguments: [
    "", "{}", "1st {}", "a.b {}", "\u{1B}[2K {}", "act {}", "finding {}", String(repeating: "n", count: 65) + " {}",
    "x 3",
    "x {\"t\":1}", "x {\"node\":1}", "x {\"event\":1}", "x {\"\":1}", "x {\"a\":1,\"a\":1}", "x {\"a\":}", "x {} {}",
    "x {\"a\":" + String(repeating: "[", count: 100) + String(repeating: "]", count: 100) + "}",
    "x {\"a\":\"" + String(repeating: "a", count: AppFact.textBytesMax) + "\"}",
  ])
  func `anything else is refused with what was found and expected`(line: String) {
    let refusal = #expect(throws: AppFact.Refusal.self) { try fact(line) }
    #expect(refusal?.text.contains("found") == true && refusal?.text.contains("expected") == true)
  }

  @Test func `every number has a form in the trace`() throws {
    for number in ["1e300", "-1e12", "123456789012345678901234567890", "1e-9", "0.1234567891", "9223372036854775807"] {
      let fact = try #require(try fact("x {\"a\":\(number)}"))
      var writer = TraceWriter()
      var bytes: [UInt8] = []
      writer.append(fact.event(at: .start, on: .watch), to: &bytes)
      var parser = TraceLineParser()
      #expect(try parser.parse(bytes[...], line: 1).fields == fact.fields)
    }
  }
}
