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

  @Test func `a line is what was put, whatever the one before had`() {
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

  @Test func `a line that is still held stays as it was`() {
    var reused = ReusedLine(.snapshot)
    let first = Self.line(&reused, second: 1, [("a", 1), ("b", 2)])
    let second = Self.line(&reused, second: 2, [("a", 3), ("b", 4)])
    #expect(first == Self.event(second: 1, [("a", 1), ("b", 2)]))
    #expect(second == Self.event(second: 2, [("a", 3), ("b", 4)]))
  }
}
