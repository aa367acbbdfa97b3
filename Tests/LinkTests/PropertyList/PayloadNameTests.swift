import Link
import Testing

/// The names that payloads have by themselves.
@Suite struct PayloadNameTests {
  private func name(_ count: Int = 1, _ entries: (inout PropertyListWriter) -> Void) -> String? {
    var writer = PropertyListWriter(entryCount: count)
    entries(&writer)
    return PayloadName(of: writer.finish(), isDictionary: true).text
  }

  private func name(ofJSON text: String) -> String? { PayloadName(of: Array(text.utf8), isDictionary: false).text }

  @Test func `a word under a usual key names a dictionary`() {
    #expect(
      name(2) {
        $0.integer("n", 3)
        $0.string("kind", "lap")
      } == "lap")
    #expect(
      name(2) {
        $0.string("type", "pause")
        $0.string("note", "a b")
      } == "pause")
    #expect(
      name(2) {
        $0.integer("type", 2)
        $0.bool("on", true)
      } == "type 2")
    // A user's text is no kind.
    #expect(
      name(2) {
        $0.string("message", "See you at nine!")
        $0.bool("on", true)
      } == nil)
    #expect(name { $0.real("metres", 250) } == "metres")
  }

  @Test func `the case of an encoded enumeration names JSON, also inside a dictionary`() {
    #expect(name(ofJSON: #"{"lap":{"_0":{"metres":400}}}"#) == "lap")
    #expect(name(ofJSON: #""start""#) == "start")
    #expect(name(ofJSON: #"{"event":{"pause":{}},"at":3}"#) == "pause")
    #expect(name(ofJSON: #"{"metres":3,"seconds":1}"#) == nil)
    #expect(name(ofJSON: "[1,2]") == nil && name(ofJSON: "") == nil && name(ofJSON: "\"a b\"") == nil)
    #expect(name { $0.data("payload", Array(#"{"lap":{}}"#.utf8)) } == "lap")
  }

  @Test func `bytes that are no JSON are left to the app's decoder`() {
    var writer = PropertyListWriter(entryCount: 1)
    writer.data("payload", [1, 2, 3])
    let inside = PayloadName(of: writer.finish(), isDictionary: true)
    #expect(inside.undecoded == [1, 2, 3] && inside.text == "payload")
    let alone = PayloadName(of: [0xFF, 0], isDictionary: false)
    #expect(alone.undecoded == [0xFF, 0] && alone.text == nil)
    #expect(PayloadName(of: [9, 9], isDictionary: true) == PayloadName(of: [], isDictionary: true))
  }
}
