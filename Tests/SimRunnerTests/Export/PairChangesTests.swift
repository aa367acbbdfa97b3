import Console
import Foundation
import Link
import LinkTestSupport
import Testing

@testable import Simulator
@testable import TraceTools

/// A report's devices are those of `open` at any instant.
@Suite struct PairChangesTests {
  @Test func `the first state and the changes up to an instant give the state at that instant`() throws {
    let fixture = try TraceFixture.shared.get()
    let trace = try RecordedTrace("t", fixture.text)
    var changes = PairChanges(trace.header)
    for event in trace.events { changes.observe(event) }
    var bytes: [UInt8] = []
    changes.finish(to: &bytes)
    let page = try JSONParser.parse(bytes, dialect: .json)
    let paths = (page["paths"]?.elements ?? []).compactMap(\.text)
    let rows = page["changes"]?.elements ?? []
    #expect(rows.count > 20 && paths.count > 10 && page["run"]?["recorded"]?.boolean == true)

    var shown = try #require(page["first"])
    var state = PairState(header: trace.header)
    var events = trace.events[...]
    for row in rows {
      let values = row.elements
      let time = try #require(values.first?.value.wholeNumber)
      for index in stride(from: 1, to: values.count, by: 2) {
        let path = paths[Int(try #require(values[index].value.wholeNumber))].split(separator: "/").map(String.init)
        shown = try Self.apply(values[index + 1], at: path[...], to: shown)
      }
      while let event = events.first, event.time.nanoseconds / 1_000 <= time { state.observe(events.removeFirst()) }
      let expected = JSONWriter.compact(JSONNode(PairChanges.picture(state)))
      #expect(String(decoding: JSONWriter.compact(shown), as: UTF8.self) == String(decoding: expected, as: UTF8.self))
    }
  }

  /// What the page's script does with a change.
  private static func apply(_ value: JSONNode, at path: ArraySlice<String>, to node: JSONNode) throws -> JSONNode {
    guard let key = path.first else { return value }
    switch node.value {
    case .array(var elements):
      if key == "+" || key == ">" {
        if key == ">" { elements.removeFirst() }
        elements.append(value)
      } else {
        let index = try #require(Int(key))
        elements[index] = try apply(value, at: path.dropFirst(), to: elements[index])
      }
      return JSONNode(.array(elements))
    case .object(var members):
      let index = try #require(members.firstIndex { $0.key == key })
      members[index].node = try apply(value, at: path.dropFirst(), to: members[index].node)
      return JSONNode(.object(members))
    default:
      Issue.record("a change leads into a value: \(key)")
      return node
    }
  }

  @Test func `keys of a trace that somebody wrote lead nowhere else`() throws {
    let trace = HandTrace.bytes([
      #"{"t":0,"node":"phone","event":"app.a/b","__proto__":"x","constructor/prototype":{"y/z":1}}"#,
      #"{"t":1000,"node":"phone","event":"app.a/b","__proto__":"</script>","constructor/prototype":{"y/z":2}}"#,
    ])
    let page = try Exported(trace, as: "html").text
    #expect(!page.contains("\"paths\":[\"app.phone/facts/0/__proto__"))
    #expect(page.components(separatedBy: "</script>").count == 3)
  }
}

extension JSONValue {
  fileprivate var wholeNumber: Int64? { if case .integer(let number) = self { number } else { nil } }
}
