import Link
import Testing

/// The names that payloads have by themselves.
@Suite struct PayloadNameTests {
  private func payload(_ entries: [PropertyListEntry]) throws -> [UInt8] {
    try PropertyListWriter.bytes(of: .dictionary(entries))
  }

  private func name(_ entries: PropertyListEntry...) throws -> String? {
    PayloadName(of: try payload(entries), isDictionary: true).text
  }

  private func name(ofJSON text: String) -> String? { PayloadName(of: Array(text.utf8), isDictionary: false).text }

  @Test func `a word under a usual key names a dictionary`() throws {
    #expect(
      try name(.init("n", .integer(3)), .init("kind", .string("lap"))) == "lap")
    #expect(
      try name(.init("type", .string("pause")), .init("note", .string("a b"))) == "pause")
    #expect(
      try name(.init("type", .integer(2)), .init("on", .bool(true))) == "type 2")
    // A user's text is no kind.
    #expect(
      try name(.init("message", .string("See you at nine!")), .init("on", .bool(true))) == nil)
    #expect(try name(.init("metres", .real(250))) == "metres")
  }

  @Test func `the case of an encoded enumeration names JSON, also inside a dictionary`() throws {
    #expect(name(ofJSON: #"{"lap":{"_0":{"metres":400}}}"#) == "lap")
    #expect(name(ofJSON: #""start""#) == "start")
    #expect(name(ofJSON: #"{"event":{"pause":{}},"at":3}"#) == "pause")
    #expect(name(ofJSON: #"{"metres":3,"seconds":1}"#) == nil)
    #expect(name(ofJSON: "[1,2]") == nil && name(ofJSON: "") == nil && name(ofJSON: "\"a b\"") == nil)
    #expect(try name(.init("payload", .data(Array(#"{"lap":{}}"#.utf8)))) == "lap")
  }

  @Test func `bytes that are no JSON are left to the app's decoder`() throws {
    let inside = PayloadName(of: try payload([.init("payload", .data([1, 2, 3]))]), isDictionary: true)
    #expect(inside.undecoded == [1, 2, 3] && inside.text == "payload")
    let alone = PayloadName(of: [0xFF, 0], isDictionary: false)
    #expect(alone.undecoded == [0xFF, 0] && alone.text == nil)
    #expect(PayloadName(of: [9, 9], isDictionary: true) == PayloadName(of: [], isDictionary: true))
  }
}
