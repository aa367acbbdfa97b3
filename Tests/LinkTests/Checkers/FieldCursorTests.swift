import Link
import Testing

@Suite struct `Field cursors` {
  /// A copy of a text, so that it is not the literal's storage.
  private static func made(_ text: String) -> String { String(decoding: Array(text.utf8), as: UTF8.self) }

  /// Two keys fit in a word each and one does not; the keys of the values come from a file.
  private static func event(_ keys: [String]) -> TraceEvent {
    TraceEvent(
      .snapshot, at: .start, on: .watch,
      keys.enumerated().map { index, key in .init(made(key), .int(Int64(index))) })
  }

  private static let keys = ["id", "currentPaceSecPerKm", "seq", "avgPaceSecPerKm"]

  @Test func `a field is found in any order and with any storage of its key`() {
    let orders = [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]]
    for written in orders {
      let event = Self.event(written.map { Self.keys[$0] })
      for read in orders {
        var fields = FieldCursor(event)
        for key in read {
          #expect(fields.integer(Self.keys[key]) == written.firstIndex(of: key).map { Int64($0) })
          #expect(fields.double(Self.keys[key]) == written.firstIndex(of: key).map { Double($0) })
        }
        #expect(fields.integer("elsewhere") == nil && fields.value("i") == nil && fields.text("seqs") == nil)
      }
    }
  }

  @Test func `a field that is passed over is passed over once`() {
    var fields = FieldCursor(Self.event(Self.keys))
    fields.skip("seq")
    fields.skip("id")
    fields.skip("currentPaceSecPerKm")
    fields.skip("currentPaceSecPerKm")
    #expect(fields.integer("seq") == 2)
    fields.skip("avgPaceSecPerKm")
    fields.skip("avgPaceSecPerKm")
    #expect(fields.integer("id") == 0)
  }

  @Test func `fields are compared by their text, not by their storage`() {
    let long = "a text of more than fifteen bytes"
    let event = TraceEvent(
      .snapshot, at: .start, on: .watch,
      [.init("kind", .string(Self.made("data"))), .init("why", .string(Self.made(long))), .init("bytes", .int(1))])
    var fields = FieldCursor(event)
    #expect(fields.isIdentical("kind", to: "data") && !fields.isIdentical("why", to: long))
    #expect(fields.says("kind", "data") && fields.says("why", long))
    #expect(!fields.says("kind", "ack") && !fields.says("why", "another text of more than fifteen bytes"))
    #expect(!fields.says("bytes", "1") && !fields.says("elsewhere", "data"))
    #expect(Self.made("data").isIdentical(to: "data") && !"data".isIdentical(to: "ack"))
  }

  @Test func `identifiers and values are read in place`() {
    let id = Identifier(high: 1, low: 2)
    let event = TraceEvent(
      .snapshot, at: .start, on: .watch,
      [.init("a", id.traceValue), .init("b", .decimal(mantissa: 125, scale: 2)), .init("c", .null)])
    var fields = FieldCursor(event)
    #expect(fields.identifier("b") == nil && fields.identifier("a") == id)
    #expect(fields.double("b") == 1.25 && fields.integer("b") == nil && fields.value("c") == .null)
  }

  @Test func `a number whose digits were left open reads as the one with digits`() {
    for value in [0, -0.0, 7, 12.5, 103.61, -0.01, 999_999_999_999] {
      let open = TraceEvent(.snapshot, at: .start, on: .watch, [.init("a", .rounded(value, places: 2))])
      let written = TraceEvent(.snapshot, at: .start, on: .watch, [.init("a", .number(value, places: 2))])
      for keys in [["a"], ["b", "a"]] {
        var (fields, others) = (FieldCursor(open), FieldCursor(written))
        for key in keys.dropLast() { _ = (fields.value(key), others.value(key)) }
        var (again, otherAgain) = (fields, others)
        #expect(fields.double("a") == value && others.double("a") == value)
        #expect(again.integer("a") == otherAgain.integer("a"))
      }
    }
  }
}
