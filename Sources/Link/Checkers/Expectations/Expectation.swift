/// What a scenario expects of its run: one kind a file.
///
/// A kind is recognised by its keys. It takes every event of the trace and answers at the end.
public protocol Expectation: Sendable {
  /// The key that only this kind has, or that tells it from the others.
  static var key: String { get }
  /// All keys of the kind, for messages.
  static var keys: [String] { get }
  /// What the kind says, in one sentence, for the reference page.
  static var about: String { get }

  /// Reads an expectation; nil after reporting what is wrong with it.
  init?(_ reader: JSONObjectReader)

  /// The events that it must be handed; it may be handed others.
  var interests: [TraceEvent.Name] { get }

  /// Observes the next event; `line` is its line number in the trace.
  mutating func observe(_ event: TraceEvent, line: Int)

  /// Answers: nothing more comes.
  func finish(_ ending: TraceEnding) -> ExpectationResult
}

/// Whether an expectation was met, and what shows it.
public struct ExpectationResult: Sendable, Equatable {
  /// The answer.
  ///
  /// A truncated trace can leave it open.
  public enum Outcome: String, Sendable { case pass, fail, unknown }

  /// The answer.
  public var outcome: Outcome
  /// Why not, in words; nil for a pass.
  public var why: String?
  /// The lines of the events that show it, at most ``linesMax``.
  public var lines: [Int]
  /// Expected against found, as lines of text under each other; empty where the reason says it all.
  public var table: [String] = []

  /// Lines kept of each expectation.
  public static let linesMax = 20

  /// Creates an answer.
  public init(_ outcome: Outcome, why: String? = nil, lines: [Int] = []) {
    self.outcome = outcome
    self.why = why
    self.lines = Array(lines.prefix(Self.linesMax))
  }

  /// Whether it was met.
  public var hasPassed: Bool { outcome == .pass }

  /// An answer that more of the trace could have changed: open where the trace is truncated.
  static func failing(_ why: String, lines: [Int] = [], unless ending: TraceEnding) -> Self {
    Self(
      ending.isComplete ? .fail : .unknown, why: ending.isComplete ? why : "\(why) (the trace is truncated)",
      lines: lines)
  }
}

/// The kinds of expectations.
public enum ExpectationCatalog {
  /// Every kind, in the order in which the keys are tried.
  public static let all: [any Expectation.Type] = [
    BetweenExpectation.self,
    WithinExpectation.self,
    CountExpectation.self,
    NeverExpectation.self,
    AlwaysExpectation.self,
    DispatchedExpectation.self,
  ]

  /// The kind of an expectation; a stretch may also belong to one that counts.
  private static func kind(of reader: JSONObjectReader) -> (any Expectation.Type)? {
    let kinds = all.filter { reader.has($0.key) }
    return kinds.first { $0 != BetweenExpectation.self } ?? kinds.first
  }

  /// Reads the `expect` of a scenario.
  ///
  /// - Returns: What could be read; the errors are in the reader's collector.
  public static func read(_ value: JSONValueReader) -> [ReadExpectation] {
    var expectations: [ReadExpectation] = []
    for element in value.array(count: 0...10_000) ?? [] {
      guard let reader = element.object() else { continue }
      guard let kind = kind(of: reader) else {
        let keys = all.map { "\"\($0.key)\"" }
        let known = all.flatMap { $0.keys }
        let misspelt = reader.members.lazy.compactMap { Spelling.nearest(to: $0.key, among: known) }.first
        let hint = misspelt.map { "; did you mean \"\($0)\"?" } ?? ""
        reader.error("expected one of the keys \(keys.joined(separator: ", "))\(hint)")
        continue
      }
      let expectation = kind.init(reader)
      reader.finish()
      if let expectation { expectations.append(ReadExpectation(expectation: expectation, node: element.node)) }
    }
    return expectations
  }
}

/// An expectation with what was written.
public struct ReadExpectation: Sendable {
  /// What judges.
  public var expectation: any Expectation
  /// How the scenario says it.
  public let node: JSONNode
}

/// Judges the expectations of a scenario over the events of a run.
public struct ExpectationJudge: Sendable {
  private var expectations: [ReadExpectation]
  /// A bit for the name of each event that one of them must be handed: nearly all others are known by it at once.
  @usableFromInline let names: UInt64

  /// Creates a judge.
  public init(_ expectations: [ReadExpectation]) {
    self.expectations = expectations
    names = expectations.flatMap { $0.expectation.interests }.reduce(0) { $0 | Self.bit($1) }
  }

  @inlinable @inline(__always)
  static func bit(_ name: TraceEvent.Name) -> UInt64 { 1 << (name.code & 63) }

  /// Takes the next event; `line` is its number in the trace, whose header is line 1.
  @inlinable @inline(__always)
  public mutating func observe(_ event: TraceEvent, line: Int) {
    if names & Self.bit(event.name) != 0 { handOn(event, line: line) }
  }

  @inline(never)
  @usableFromInline mutating func handOn(_ event: TraceEvent, line: Int) {
    guard event.isBelieved else { return }
    for index in expectations.indices { expectations[index].expectation.observe(event, line: line) }
  }

  /// Returns the answers, in the order of the scenario.
  ///
  /// - Parameter ending: How the trace ended; the judge of the invariants knows.
  public func finish(_ ending: TraceEnding) -> [(node: JSONNode, result: ExpectationResult)] {
    expectations.map { ($0.node, $0.expectation.finish(ending)) }
  }
}
