import Link
import Testing

@Suite struct `Reused lines` {
  private static func line(_ line: inout ReusedLine, second: Int64, _ fields: [(String, Int64)]) -> TraceEvent {
    line.begin(at: .start + .seconds(second), on: .watch)
    for (key, value) in fields { line.put(key, .int(value)) }
    return line.end()
  }

  private static func event(second: Int64, _ fields: [(String, Int64)]) -> TraceEvent {
    TraceEvent(.snapshot, at: .start + .seconds(second), on: .watch, fields.map { .init($0.0, .int($0.1)) })
  }

  @Test func `a reused line has the fields that were put, whatever the previous line had`() {
    var reused = ReusedLine(.snapshot)
    let contents: [[(String, Int64)]] = [
      [("a", 1), ("b", 2), ("c", 3)], [("a", 4), ("c", 5)], [("a", 6), ("b", 7), ("c", 8)], [], [("c", 9)],
      [("a", 1), ("a", 2)],
    ]
    for (second, fields) in contents.enumerated() {
      #expect(
        Self.line(&reused, second: Int64(second), fields) == Self.event(second: Int64(second), fields))
    }
  }

  @Test func `a line that is still referenced does not change`() {
    var reused = ReusedLine(.snapshot)
    let first = Self.line(&reused, second: 1, [("a", 1), ("b", 2)])
    let second = Self.line(&reused, second: 2, [("a", 3), ("b", 4)])
    #expect(first == Self.event(second: 1, [("a", 1), ("b", 2)]))
    #expect(second == Self.event(second: 2, [("a", 3), ("b", 4)]))
  }

  /// A line of two fields that are put and of some that are written over those of the line before, or put where it had
  /// others: as whoever writes a line every second does it.
  private static func line(_ line: inout ReusedLine, _ values: [Int64], shape: UInt32) -> TraceEvent {
    line.begin(at: .start, on: .watch)
    line.put("epoch", .int(1))
    let isWritten = line.overwrite(shape: shape, count: values.count) { fields in
      for (index, value) in values.enumerated() {
        fields.write(keys[index], rounded: Double(value) / 4, places: 2)
      }
    }
    guard !isWritten else { return line.end() }
    for (index, value) in values.enumerated() { line.put(keys[index], .number(Double(value) / 4, places: 2)) }
    return line.end()
  }

  private static let keys = ["a", "b", "c"]

  private static func plain(_ values: [Int64]) -> TraceEvent {
    TraceEvent(
      .snapshot, at: .start, on: .watch,
      [.init("epoch", .int(1))]
        + values.enumerated().map { .init(keys[$0.offset], .number(Double($0.element) / 4, places: 2)) })
  }

  @Test func `fields that are written over those before are the ones that would be put`() {
    var reused = ReusedLine(.snapshot)
    var held: [TraceEvent] = []
    let lines: [([Int64], UInt32)] = [
      ([1, 2], 3), ([3, 4], 3), ([5, 6, 7], 7), ([8, 9, 10], 7), ([11, 12], 3), ([13, 14], 3), ([15, 16], 0),
      ([17, 18], 3),
      ([], 8), ([19, 20], 3), ([21, 22], 3),
    ]
    for (values, shape) in lines { held.append(Self.line(&reused, values, shape: shape)) }
    // Each was held while those after it were written.
    #expect(held == lines.map { Self.plain($0.0) })
  }

  @Test func `a line of another shape with as many fields has its own keys`() {
    var reused = ReusedLine(.snapshot)
    for (number, keys) in [["a", "b"], ["a", "b"], ["a", "c"], ["a", "c"], ["a", "b"]].enumerated() {
      reused.begin(at: .start, on: .watch)
      let shape: UInt32 = keys[1] == "b" ? 1 : 2
      let isWritten = reused.overwrite(shape: shape, count: 2) { fields in
        for key in keys { fields.write(key, integer: Int64(number)) }
      }
      if !isWritten { for key in keys { reused.put(key, .int(Int64(number))) } }
      #expect(reused.end().fields == keys.map { .init($0, .int(Int64(number))) })
    }
  }

  @Test func `a line with a split between ordinary ones is forgotten with it`() {
    let id = Identifier(high: 1, low: 2)
    var reused = ReusedLine(.snapshot)
    for second in 1...6 {
      var isNew = ReusedLine(.snapshot)
      var lines: [TraceEvent] = []
      for isReused in [true, false] {
        func write(_ line: inout ReusedLine) {
          line.begin(at: .start, on: .watch)
          let isWritten = line.overwrite(shape: second == 3 ? 0 : 1, count: 2) { fields in
            fields.write("id", identifier: id)
            fields.write("state", name: "running")
          }
          if !isWritten {
            line.put("id", id.traceValue)
            if second == 3 { line.put("split", .json("{\"kmIndex\":\(second),\"a long text\":\(second)}")) }
            line.put("state", .string("running"))
          }
          lines.append(line.end())
        }
        if isReused { write(&reused) } else { write(&isNew) }
      }
      #expect(lines[0] == lines[1])
      #expect(lines[0].fields.count == (second == 3 ? 3 : 2))
    }
  }
}
