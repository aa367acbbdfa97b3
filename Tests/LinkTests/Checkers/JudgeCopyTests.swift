import Link
import Testing

/// Copies of a judge share the memory of its checkers until one of them observes a line.
struct JudgeCopyTests {
  /// Reports the number of its kills, and the words that it collected, at the end.
  struct Counter<Padding: Sendable>: Checker {
    static var invariant: String { "counter-of-\(MemoryLayout<Padding>.size)" }
    static var about: String { "Counts." }

    var padding: Padding?
    var count: UInt8 = 0
    var words: [String] = []

    init(header: TraceHeader) { count = UInt8(truncatingIfNeeded: header.seed) }

    mutating func nodeKilled(_: NodeKilled, at event: Occurrence, into report: inout Report) { note(event) }

    mutating func messageDuplicate(_: MessageDuplicate, at event: Occurrence, into report: inout Report) { note(event) }

    private mutating func note(_ event: Occurrence) {
      count += 1
      words.append(event.name.text)
    }

    mutating func observeStepBack(
      _ event: TraceEvent, line: Int, from latest: VirtualTime, on latestLine: Int, into report: inout Report
    ) { words.append("back to \(event.time.nanoseconds)") }

    mutating func finish(_ ending: TraceEnding, into report: inout Report) {
      report.add("\(count) \(words.joined(separator: " "))", at: ending.time, lines: [])
    }
  }

  /// Kinds of several sizes and alignments, so that they lie at different places in memory.
  private static let kinds: [any Checker.Type] = [
    Counter<UInt8>.self, Counter<[Int]>.self, Counter<(Int64, UInt8)>.self, Counter<SIMD4<Double>>.self,
    Counter<UInt16>.self,
  ]

  private static func judge(seed: UInt64 = 1) -> Judge {
    Judge(header: TraceHeader(scenario: "s", seed: seed, duration: .seconds(60)), checkers: kinds)
  }

  private static func kill(at seconds: Int64) -> TraceEvent {
    TraceEvent(NodeKilled.self, at: VirtualTime.start + .seconds(seconds), on: .runner) { $0.target = .watch }
  }

  private static func details(_ judge: consuming Judge) -> [String] { judge.finish().violations.map(\.detail) }

  @Test func `a copy does not see what the other one observes`() {
    var judge = Self.judge()
    judge.observe(Self.kill(at: 1), line: 2)
    var copy = judge
    copy.observe(Self.kill(at: 2), line: 3)
    let second = copy
    judge.observe(TraceEvent(MessageDuplicate.self, at: VirtualTime.start + .seconds(3), on: .phone), line: 3)
    judge.observe(Self.kill(at: 4), line: 4)
    #expect(Self.details(judge) == Array(repeating: "4 node.killed message.duplicate node.killed", count: 5))
    #expect(Self.details(copy) == Array(repeating: "3 node.killed node.killed", count: 5))
    #expect(Self.details(second) == Array(repeating: "3 node.killed node.killed", count: 5))
  }

  @Test func `every checker sees a line that steps back, also one without interest in it`() {
    var judge = Self.judge(seed: 7)
    judge.observe(Self.kill(at: 9), line: 2)
    let copy = judge
    judge.observe(TraceEvent("other.word", at: VirtualTime.start + .seconds(5), on: .runner), line: 3)
    #expect(Self.details(judge) == Array(repeating: "8 node.killed back to 5000000000", count: 5))
    #expect(Self.details(copy) == Array(repeating: "8 node.killed", count: 5))
  }

  @Test func `without checkers, a trace without an end is still unknown`() {
    var judge = Judge(header: TraceHeader(scenario: "s", seed: 1, duration: .seconds(60)), checkers: [])
    judge.observe(Self.kill(at: 1), line: 2)
    #expect(judge.finish().verdict == .unknown)
  }
}
