import Link
import Testing

@Suite struct `JSON reading` {
  private enum Model: String, CaseIterable { case bernoulli, gilbertElliott = "gilbert-elliott" }

  private func read(_ text: String, _ body: (JSONObjectReader) -> Void) throws -> String {
    let collector = DiagnosticsCollector(file: "x.json5")
    if let reader = JSONObjectReader(try JSONParser.parse(text, dialect: .json5), into: collector) {
      body(reader)
      reader.finish()
    }
    return collector.diagnostics.description
  }

  @Test func `valid input gives no diagnostics`() throws {
    let report = try read(
      "{s: 'x', n: 2, d: 2.5, b: true, t: '12m30s', m: 'gilbert-elliott', a: [1, 2], o: {x: 1}, z: null, u: '18446744073709551615'}"
    ) { reader in
      #expect(reader.string("s") == "x")
      #expect(reader.integer("n", in: 0...5) == 2)
      #expect(reader.number("n") == 2)
      #expect(reader.number("d", in: 0...3) == 2.5)
      #expect(reader.bool("b") == true)
      #expect(reader.duration("t") == .seconds(750))
      #expect(reader.oneOf("m", Model.self) == .gilbertElliott)
      #expect(reader.array("a")?.compactMap { $0.integer() } == [1, 2])
      #expect(reader.object("o") { $0.integer("x") } == 1)
      #expect(reader.isNull("z"))
      #expect(reader.unsigned("u") == .max)
      #expect(reader.string("absent") == nil)
      #expect(!reader.has("absent"))
    }
    #expect(report == "")
  }

  @Test func `every error is reported, in the order of the text, with its path`() throws {
    let report = try read(
      """
      {
        faults: [ {}, { loss: { model: 5, lossgood: 1, probability: 2 } } ],
        seed: 1.5, at: -3, name: 3, zzz: 0,
        mode: 'gilbert-eliot',
      }
      """
    ) { reader in
      _ = reader.oneOf("mode", Model.self)
      for element in reader.array("faults") ?? [] {
        guard let fault = element.object() else { continue }
        fault.object("loss", required: true) { loss -> Void? in
          _ = loss.string("model")
          _ = loss.number("lossGood")
          _ = loss.number("probability", in: 0...1)
          return nil
        }
        fault.finish()
      }
      _ = reader.integer("seed")
      _ = reader.duration("at")
      _ = reader.string("name")
    }
    #expect(
      report == """
        x.json5:2:13: error: faults[0]: the key "loss" is missing
        x.json5:2:34: error: faults[1].loss.model: found number 5, expected a string
        x.json5:2:37: error: faults[1].loss: unknown key "lossgood"; did you mean "lossGood"?
        x.json5:2:63: error: faults[1].loss.probability: found number 2, expected a number from 0 to 1
        x.json5:3:9: error: seed: found number 1.5, expected a whole number of at most 64 bits
        x.json5:3:18: error: at: found number -3, expected a duration of at least 0
        x.json5:3:28: error: name: found number 3, expected a string
        x.json5:3:31: error: unknown key "zzz", expected "mode", "faults", "seed", "at" or "name"
        x.json5:4:9: error: mode: found "gilbert-eliot", expected "bernoulli" or "gilbert-elliott"; did you mean "gilbert-elliott"?
        """)
  }

  @Test func `a wrong top level is reported`() throws {
    #expect(try read("[1]") { _ in } == "x.json5:1:1: error: found an array of 1, expected an object")
  }

  @Test func `diagnostics are bounded, and warnings are not errors`() {
    var diagnostics = Diagnostics(file: "f")
    diagnostics.warning("odd", at: .nowhere)
    #expect(!diagnostics.hasErrors)
    #expect(diagnostics.description == "f: warning: odd")
    for line in 1...Diagnostics.countMax + 100 { diagnostics.error("no", at: TextPosition(line: line, column: 1)) }
    #expect(diagnostics.hasErrors)
    #expect(diagnostics.list.count == Diagnostics.countMax)
    #expect(diagnostics.list.allSatisfy { $0.severity == .error }, "errors go first")
    #expect(diagnostics.description.hasSuffix("\nf: error: and 100 more\nf: warning: and 1 more"))
  }

  @Test func `too many warnings are not an error`() {
    var diagnostics = Diagnostics(file: "f")
    for line in 1...Diagnostics.countMax + 7 { diagnostics.warning("odd", at: TextPosition(line: line, column: 1)) }
    #expect(!diagnostics.hasErrors)
    #expect(diagnostics.omittedWarningCount == 7 && diagnostics.omittedErrorCount == 0)
    #expect(diagnostics.description.hasSuffix("\nf: warning: and 7 more"))
    #expect(!diagnostics.description.contains("error"))
  }

  @Test func `an error found last is kept before warnings, in the order of finding`() {
    var diagnostics = Diagnostics(file: "f")
    for line in 1...Diagnostics.countMax { diagnostics.warning("odd", at: TextPosition(line: line, column: 1)) }
    diagnostics.error("no", at: TextPosition(line: 1, column: 1))
    #expect(diagnostics.hasErrors && diagnostics.list.count == Diagnostics.countMax)
    #expect(diagnostics.list.first?.severity == .warning && diagnostics.list.last?.severity == .error)
    #expect(diagnostics.omittedErrorCount == 0 && diagnostics.omittedWarningCount == 1)
  }

  @Test(
    arguments: [
      ("at", ["at", "for"], "at"), ("atLest", ["atMost", "atLeast"], "atLeast"), ("LOSS", ["loss"], "loss"),
      ("fro", ["for"], "for"), ("x", ["at"], nil), ("", ["at"], nil),
      ("restartafter", ["restartAfter"], "restartAfter"),
      ("a", ["b"], nil), ("bandwith", ["bandwidth"], "bandwidth"),
    ] as [(String, [String], String?)])
  func `the nearest word is near`(word: String, known: [String], expected: String?) {
    #expect(Spelling.nearest(to: word, among: known) == expected)
  }

  @Test(arguments: [
    ("250ms", 250_000_000), ("90s", 90_000_000_000), ("12m30s", 750_000_000_000), ("1h", 3_600_000_000_000),
    ("-90s", -90_000_000_000), ("1.5s", 1_500_000_000), ("5us", 5000), ("10ns", 10), ("0s", 0), ("0.1s", 100_000_000),
    ("1h0.5s", 3_600_500_000_000), ("0.000000001s", 1), ("1.5000000000000000000000s", 1_500_000_000),
    ("9223372036854775807ns", Int64.max), ("-9223372036s854775807ns", -Int64.max), ("1.123456789h", 4_044_444_440_400),
    ("2562047h47m16.854775807s", Int64.max), ("0.0000000000h", 0),
  ])
  func `durations are exact`(text: String, nanoseconds: Int64) throws {
    #expect(try DurationText.parse(text).nanoseconds == nanoseconds)
    let written = DurationText.text(.init(nanoseconds: nanoseconds))
    #expect(try DurationText.parse(written).nanoseconds == nanoseconds)
  }

  @Test(arguments: [
    "", "-", "90", "s", "1.s", ".5s", "1..5s", "1d", "1 s", "1s ", "+1s", "1s1m", "1s1s", "1.5m3s",
    "9223372036854775808ns", "99999999999999999999999s", "2562048h", "1e3s", "--1s", "1s-1ms", "1S", "½s", "1µs",
  ])
  func `text that is not a duration is refused`(text: String) {
    #expect(throws: DurationText.Failure.self) { try DurationText.parse(text) }
  }

  @Test(
    arguments: [
      (0.1, 100_000_000), (1e-5, 10_000), (5, 5_000_000_000), (-2.25, -2_250_000_000), (1e9, 1_000_000_000_000_000_000),
      (9.2e9, 9_200_000_000_000_000_000),
    ] as [(Double, Int64)])
  func `a number of seconds is exact`(seconds: Double, nanoseconds: Int64) throws {
    #expect(try DurationText.seconds(seconds.description).nanoseconds == nanoseconds)
  }

  @Test(
    arguments: [
      ("11.559999999999999s", 11_560_000_000), ("0.0000000004s", 0), ("0.0000000005s", 1), ("0.5ns", 1),
      ("0.3333333333333333333333333s", 333_333_333), ("-1.0000000006s", -1_000_000_001),
      ("0.99999999999999999999999999999999999999999999h", 3_600_000_000_000),
    ])
  func `fractions of a nanosecond are rounded`(text: String, nanoseconds: Int64) throws {
    #expect(try DurationText.parse(text).nanoseconds == nanoseconds)
  }

  @Test(
    arguments: [
      (1.0 / 3, 333_333_333), (0.1 + 0.2, 300_000_000), (11.559999999999999, 11_560_000_000), (1e-10, 0),
      (.leastNonzeroMagnitude, 0), (-2e-9 / 3, -1),
    ] as [(Double, Int64)])
  func `fractions of a nanosecond in a number of seconds are rounded`(seconds: Double, nanoseconds: Int64) throws {
    #expect(try DurationText.seconds(seconds.description).nanoseconds == nanoseconds)
  }

  @Test(arguments: [1e10, -1e300, .greatestFiniteMagnitude])
  func `seconds longer than 292 years are refused`(seconds: Double) {
    #expect(throws: DurationText.Failure.self) { try DurationText.seconds(seconds.description) }
  }

  @Test(arguments: [
    "45s", "12m30s", "1h", "1h1s", "1500ms", "5m3.080300206s", "1h0.000000001s", "10ns", "-1m30s", "0s", "5us",
  ])
  func `durations are written as people write them`(text: String) throws {
    #expect(DurationText.text(try DurationText.parse(text)) == text)
  }
}

@Suite struct `JSON writer` {
  @Test func `pretty text reads back as the same values`() throws {
    let text =
      #"{"a":[],"b c":{"d":1.5,"e":"x\ny"},"faults":[{"at":"11m","disconnect":{}},{"at":"15m","loss":{"goodToBad":0.02}}]}"#
    let node = try JSONParser.parse(text, dialect: .json)
    #expect(
      JSONWriter.pretty(node, width: 40) == #"""
        {
          a: [],
          "b c": { d: 1.5, e: "x\ny" },
          faults: [
            { at: "11m", disconnect: {} },
            {
              at: "15m",
              loss: { goodToBad: 0.02 },
            },
          ],
        }

        """#)
    let again = try JSONParser.parse(JSONWriter.pretty(node, width: 40), dialect: .json5)
    #expect(JSONWriter.compact(again) == Array(text.utf8))
  }

  @Test func `nodes made by hand are written`() {
    let node = JSONNode(.object([JSONMember("t", .integer(.min)), JSONMember("x", .array([JSONNode(.number(0.1))]))]))
    #expect(JSONWriter.compact(node) == Array(#"{"t":-9223372036854775808,"x":[0.1]}"#.utf8))
  }
}
