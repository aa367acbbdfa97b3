/// What a scenario expects of its run; each kind has its own file.
///
/// A kind is recognised by its keys. It observes the events of the trace and returns its result at the end.
public protocol Expectation: Sendable {
  /// The key that identifies this kind.
  static var key: String { get }
  /// All keys of the kind, for messages.
  static var keys: [String] { get }
  /// What the kind checks, in one sentence, for the reference page.
  static var about: String { get }

  /// Reads an expectation; nil after reporting what is wrong with it.
  init?(_ reader: JSONObjectReader)

  /// The names of the events that it must receive; it may receive others.
  var interests: [TraceEvent.Name] { get }

  /// Observes the next event; `line` is its line number in the trace.
  mutating func observe(_ event: TraceEvent, line: Int)

  /// Returns the result at the end of the trace.
  func finish(_ ending: TraceEnding) -> ExpectationResult
}

/// Whether an expectation was met, and what shows it.
public struct ExpectationResult: Sendable, Equatable {
  /// The answer.
  ///
  /// `unknown` if a truncated trace leaves it open.
  public enum Outcome: String, Sendable { case pass, fail, unknown }

  /// The answer.
  public var outcome: Outcome
  /// The reason in words; nil for a pass.
  public var why: String?
  /// The lines of the events that show it, at most ``linesMax``.
  public var lines: [Int]
  /// Expected and found, one below the other; empty if the reason says it all.
  public var table: [String] = []

  /// The most lines listed for an expectation.
  public static let linesMax = 20

  /// Creates a result.
  public init(_ outcome: Outcome, why: String? = nil, lines: [Int] = []) {
    self.outcome = outcome
    self.why = why
    self.lines = Array(lines.prefix(Self.linesMax))
  }

  /// Whether it was met.
  public var hasPassed: Bool { outcome == .pass }

  /// A failure that later lines could have prevented: `unknown` if the trace is truncated.
  static func failing(_ why: String, lines: [Int] = [], unless ending: TraceEnding) -> Self {
    Self(
      ending.isComplete ? .fail : .unknown, why: ending.isComplete ? why : "\(why) (the trace is truncated)",
      lines: lines)
  }
}

/// The kinds of expectations.
public enum ExpectationCatalog {
  /// Every kind, in the order in which their keys are tried.
  public static let all: [any Expectation.Type] = [
    BetweenExpectation.self,
    WithinExpectation.self,
    CountExpectation.self,
    NeverExpectation.self,
    AlwaysExpectation.self,
    DispatchedExpectation.self,
  ]

  /// The kind of an expectation; `between` may also belong to one that counts.
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

/// An expectation with its text in the scenario.
public struct ReadExpectation: Sendable {
  /// The expectation.
  public var expectation: any Expectation
  /// The scenario's JSON.
  public let node: JSONNode
}

/// Judges a scenario's expectations against the events of a run.
public struct ExpectationJudge: Sendable {
  private var expectations: [ReadExpectation]
  /// Whether any expectation is interested in a kind of the catalogue, by its index.
  private let interests: [Bool]

  /// Creates a judge.
  public init(_ expectations: [ReadExpectation]) {
    self.expectations = expectations
    let names = Set(expectations.flatMap { $0.expectation.interests })
    interests = EventCatalog.all.map { names.contains($0.name) }
  }

  /// Observes the next event; `line` is its number in the trace, whose header is line 1.
  public mutating func observe(_ event: TraceEvent, line: Int) {
    if let kind = event.catalogIndex, !interests[kind] { return }
    guard event.isBelieved else { return }
    for index in expectations.indices { expectations[index].expectation.observe(event, line: line) }
  }

  /// Returns the results, in the order of the scenario.
  ///
  /// - Parameter ending: How the trace ended, according to the judge of the invariants.
  public func finish(_ ending: TraceEnding) -> [(node: JSONNode, result: ExpectationResult)] {
    expectations.map { ($0.node, $0.expectation.finish(ending)) }
  }
}
