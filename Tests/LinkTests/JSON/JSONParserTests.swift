import Link
import Testing

@Suite struct `JSON parser` {
  private func compact(_ text: String, _ dialect: JSONDialect = .json) throws -> String {
    String(decoding: JSONWriter.compact(try JSONParser.parse(text, dialect: dialect)), as: UTF8.self)
  }

  private func failure(_ text: String, _ dialect: JSONDialect = .json) -> String {
    failure(Array(text.utf8), dialect)
  }

  private func failure(_ bytes: [UInt8], _ dialect: JSONDialect = .json) -> String {
    do throws(JSONError) {
      _ = try JSONParser.parse(bytes, dialect: dialect)
      return "accepted"
    } catch {
      return error.description
    }
  }

  @Test(arguments: [
    ("null", "null"), (" true ", "true"), ("[]", "[]"), ("{}", "{}"), ("-0.5e1", "-5.0"), ("1e2", "100.0"),
    (#"{"a":[1,2.5,"x",{"b":null}],"c":false}"#, #"{"a":[1,2.5,"x",{"b":null}],"c":false}"#),
    (#""\u00e9\ud83d\ude00\n\/\u0000""#, #""é😀\n/\u0000""#), ("9223372036854775807", "9223372036854775807"),
    ("-9223372036854775808", "-9223372036854775808"), ("9223372036854775808", "9.223372036854775808e+18"),
    ("-0", "-0.0"), ("\"a'b\"", "\"a'b\""), ("\u{FEFF}[1]", "[1]"),
  ])
  func `valid JSON is parsed`(text: String, expected: String) throws {
    // Numbers past 64 bits become the nearest Double; its description has its own digits.
    let expected = expected.hasPrefix("9.2") ? Double(text)?.description ?? "" : expected
    #expect(try compact(text) == expected)
    #expect(try compact(text, .json5) == expected)
  }

  @Test(arguments: [
    ("{a: 1, $b_: 2, 'c d': 3, \"e\": 4,}", #"{"a":1,"$b_":2,"c d":3,"e":4}"#),
    ("// first\n[1, /* two * / */ 2,]// end", "[1,2]"), ("[0x1F, -0xff, +5, .5, 5., 5.e1]", "[31,-255,5,0.5,5.0,50.0]"),
    ("'it\\'s \\x41\\v\\0\\q \\\r\nend\\\n.'", #""it's A\u000b\u0000q end.""#),
    ("{\u{e4}\\u0062: 1}", "{\"äb\":1}"), ("\u{a0}\u{2028}\u{b}[\u{3000}]", "[]"),
    ("{true: 1, Infinity: 2}", #"{"true":1,"Infinity":2}"#), ("0x7fffffffffffffff", "9223372036854775807"),
  ])
  func `valid JSON5 is parsed`(text: String, expected: String) throws {
    #expect(try compact(text, .json5) == expected)
    #expect(failure(text) != "accepted")
  }

  @Test(arguments: [
    ("", "1:1: error: found the end of the text, expected a value"),
    ("{\n  \"a\": tru\n}", "2:8: error: found \"tru\", expected a value"),
    ("[1,]", "1:4: error: found \"]\", expected a value after the comma"),
    ("{\"a\":1,}", "1:8: error: found \"}\", expected a key after the comma"),
    ("{\"a\" 1}", "1:6: error: found \"1\", expected \":\" after the key \"a\""),
    ("{a:1}", "1:2: error: found \"a\", expected a key in double quotes"),
    ("['a']", "1:2: error: found a single quote, expected a value"),
    ("[1 2]", "1:4: error: found \"2\", expected \",\" or \"]\" in the array opened at line 1, column 1"),
    (
      "{\"a\":\n [1,\n",
      "3:1: error: found the end of the text, "
        + "expected \",\" or \"]\" in the array opened at line 2, column 2"
    ),
    ("{", "1:2: error: found the end of the text, expected a key or \"}\" for the object opened at line 1, column 1"),
    ("[\"abc", "1:2: error: found a string that is not closed, expected a closing \" before the end of the text"),
    ("[\"abc\n\"]", "1:2: error: found a string that is not closed, expected a closing \" before the end of its line"),
    ("\"a\tb\"", "1:3: error: found the control character U+0009, expected an escape such as \\u0009"),
    ("\"\\x41\"", "1:2: error: found \"\\\" before \"x41\", expected one of JSON's escapes"),
    ("\"\\u12g4\"", "1:6: error: found \"g4\", expected 4 hexadecimal digits after the \"\\u\""),
    ("\"\\ud800x\"", "1:2: error: found the lone surrogate \\uD800, expected a low surrogate after it"),
    ("\"\\ud800\\u0041\"", "1:2: error: found the lone surrogate \\uD800, expected a low surrogate after it"),
    ("\"\\udc00\"", "1:2: error: found the lone surrogate \\uDC00, expected a high surrogate before it"),
    (
      "{\"a\":1,\n \"b\":2, \"\\u0061\":3}",
      "2:9: error: found the key \"a\" again, expected each key once (it is also at line 1, column 2)"
    ),
    ("[1] x", "1:5: error: found \"x\", expected the end of the text"),
    ("012", "1:1: error: found \"012\", expected a number without leading zeros"),
    ("1.", "1:3: error: found the end of the text, expected a digit after the decimal point"),
    ("-", "1:2: error: found the end of the text, expected a digit"),
    ("1e+", "1:4: error: found the end of the text, expected a digit in the exponent"),
    ("1.2.3", "1:4: error: found \".\", expected the end of the number that starts at column 1"),
    ("1e999", "1:1: error: found \"1e999\", expected a number that fits in a Double"),
    ("[NaN]", "1:2: error: found \"NaN\", expected a finite number"),
    ("/* c */ 1", "1:1: error: found a comment, expected JSON, which has none"),
    ("\"é😀\" ü", "1:6: error: found \"ü\" (U+00FC), expected the end of the text"),
    ("\r\n\r[1,\n\r\n ?", "5:2: error: found \"?\", expected a value"),
  ])
  func `an error has position, found and expected`(text: String, expected: String) {
    #expect(failure(text) == expected)
  }

  @Test(arguments: [
    ("[-Infinity]", "1:3: error: found \"Infinity\", expected a finite number"),
    ("[+NaN]", "1:3: error: found \"NaN\", expected a finite number"),
    ("Infinity", "1:1: error: found \"Infinity\", expected a finite number"),
    ("[1, /* x", "1:5: error: found a comment that is not closed, expected \"*/\" before the end of the text"),
    ("0x", "1:3: error: found the end of the text, expected a hexadecimal digit"),
    (
      "0x10000000000000000",
      "1:1: error: found \"0x10000000000000000\", expected a hexadecimal number of at most 64 bits"
    ),
    (".", "1:2: error: found the end of the text, expected a digit after the decimal point"),
    ("12px", "1:3: error: found \"px\", expected the end of the number that starts at column 1"),
    ("{1: 2}", "1:2: error: found \"1\", expected a key or \"}\""),
    ("'\\1'", "1:2: error: found an escaped digit, expected \\x and two hexadecimal digits"),
    (
      "{a: 1, 'a': 2}", "1:8: error: found the key \"a\" again, expected each key once (it is also at line 1, column 2)"
    ),
    ("[,]", "1:2: error: found \",\", expected a value"),
  ])
  func `a JSON5 error has position, found and expected`(text: String, expected: String) {
    #expect(failure(text, .json5) == expected)
  }

  @Test(
    arguments: [
      ([0x22, 0xFF, 0x22], "1:2: error: found the byte 0xFF, expected UTF-8"),
      ([0x22, 0xC0, 0x80, 0x22], "1:2: error: found the byte 0xC0, expected UTF-8"),
      ([0x0A, 0x22, 0xED, 0xA0, 0x80, 0x22], "2:2: error: found the byte 0xED, expected UTF-8"),
      ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], "1:2: error: found the byte 0xF4, expected UTF-8"),
      ([0x22, 0xE2, 0x82], "1:2: error: found the byte 0xE2, expected UTF-8"),
    ] as [([UInt8], String)])
  func `bytes that are not UTF-8 are refused at their position`(bytes: [UInt8], expected: String) {
    #expect(failure(bytes) == expected)
  }

  @Test func `nodes have their positions`() throws {
    let node = try JSONParser.parse("\u{FEFF}{\n  é: [1,\r\n   'x'] }", dialect: .json5)
    guard case .object(let members) = node.value, case .array(let elements) = members[0].node.value else {
      Issue.record("not an object with an array")
      return
    }
    #expect(node.position == TextPosition(line: 1, column: 1))
    #expect(members[0].position == TextPosition(line: 2, column: 3))
    #expect(members[0].node.position == TextPosition(line: 2, column: 6))
    #expect(elements.map(\.position) == [TextPosition(line: 2, column: 7), TextPosition(line: 3, column: 4)])
  }

  @Test func `a text that is one line of a file keeps the file's line number`() {
    #expect(throws: JSONError(at: TextPosition(line: 70, column: 2), found: "the end of the text", expected: "a digit"))
    {
      try JSONParser.parse(Array("-".utf8), dialect: .json, firstLine: 70)
    }
  }

  @Test func `depth is bounded`() {
    let deepest = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
    #expect(failure(deepest) == "accepted")
    #expect(
      failure("[" + deepest + "]")
        == "1:129: error: found \"[\", expected at most 128 nested objects and arrays")
    #expect(
      failure(String(repeating: "{\"a\":[", count: 1_000_000)).hasPrefix("1:385: error: found \"{\", expected at most"))
  }

  @Test func `size is bounded`() {
    #expect(failure([UInt8](repeating: 0x20, count: 64 << 20 | 1)).hasSuffix("expected at most 67108864"))
  }

  @Test func `a duplicate among many keys is found`() {
    let keys = (0..<5000).map { "\"k\($0)\":\($0)" }
    #expect(failure("{" + keys.joined(separator: ",") + "}") == "accepted")
    #expect(failure("{" + (keys + ["\"k17\":1"]).joined(separator: ",") + "}").contains("the key \"k17\" again"))
    #expect(failure("{" + (keys + ["\"k3\":1"]).joined(separator: ",") + "}").contains("the key \"k3\" again"))
  }

  @Test func `mutated texts end in a value or an error`() throws {
    let text = Array("{a: [1, 2.5e3, 0xFF, 'x\\u00e9\\ud83d\\ude00'], /* é */ \"b\": {c: true, d: null,}, }// 😀".utf8)
    _ = try JSONParser.parse(text, dialect: .json5)
    let random = RandomStream(seed: 1, name: "json")
    for end in text.indices { _ = failure(Array(text[..<end]), .json5) }
    for round in 0..<20_000 as Range<UInt64> {
      var mutated = text
      for draw in 0...random.number(below: 3, for: round) {
        let place = Int(random.number(below: UInt64(text.count), for: round, draw: 10 + draw))
        mutated[place] = UInt8(random.number(below: 256, for: round, draw: 20 + draw))
      }
      for dialect in [JSONDialect.json, .json5] {
        guard let node = try? JSONParser.parse(mutated, dialect: dialect) else { continue }
        // The parsed value can be written, and parses to the same again.
        let written = JSONWriter.compact(node)
        #expect(JSONWriter.compact(try JSONParser.parse(written, dialect: .json)) == written)
      }
    }
  }
}
