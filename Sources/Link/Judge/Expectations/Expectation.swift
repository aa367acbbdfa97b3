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

  /// The faults under which it is judged unless the scenario says otherwise.
  var derivedScope: VerdictScope { get }

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
  /// False if it was left open because the run did not settle; ``why`` says what kept it from settling.
  public var isJudged = true
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
  /// The key of any expectation for what it means, in the author's words.
  public static let aboutKey = "about"

  /// Every kind, in the order in which their keys are tried.
  public static let all: [any Expectation.Type] = [
    BetweenExpectation.self,
    WithinExpectation.self,
    CountExpectation.self,
    NeverExpectation.self,
    AlwaysExpectation.self,
    OnlyAfterExpectation.self,
    AgreesExpectation.self,
    DispatchedExpectation.self,
  ]

  /// The kind of an expectation; `between` may also belong to one that counts, `within` to one that compares.
  private static func kind(of reader: JSONObjectReader) -> (any Expectation.Type)? {
    if reader.has(AgreesExpectation.key) { return AgreesExpectation.self }
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
        if let name = reader.members.first(where: { $0.key == "event" })?.node.text {
          reader.error(
            "found only \"event\", expected beside it \"within\" and \"after\", or \"between\"; that it happens at all is "
              + "{ count: \"\(name)\", atLeast: 1 }")
          continue
        }
        let keys = all.map { "\"\($0.key)\"" }
        let known = all.flatMap { $0.keys } + [aboutKey]
        let misspelt = reader.members.lazy.compactMap { Spelling.nearest(to: $0.key, among: known) }.first
        let hint = misspelt.map { "; did you mean \"\($0)\"?" } ?? ""
        reader.error("expected one of the keys \(keys.joined(separator: ", "))\(hint)")
        continue
      }
      let expectation = kind.init(reader)
      let scope: VerdictScope? = reader.oneOf(VerdictScope.key)
      _ = reader.value(aboutKey)?.string(bytes: 1...300)
      reader.finish()
      guard let expectation else { continue }
      expectations.append(ReadExpectation(expectation: expectation, node: element.node, writtenScope: scope))
    }
    return expectations
  }
}

/// An expectation with its text in the scenario.
public struct ReadExpectation: Sendable {
  /// The expectation.
  public var expectation: any Expectation
  /// The scenario's JSON.
  public private(set) var node: JSONNode
  /// The scope that the scenario gives; nil for the derived one.
  public private(set) var writtenScope: VerdictScope?

  /// The faults under which it is judged.
  public var scope: VerdictScope { writtenScope ?? expectation.derivedScope }

  /// The same expectation with its scope written out.
  ///
  /// Under drawn faults one of the scope `eventual` is judged only if the run settles, and the JSON of a saved run must say so.
  public var withWrittenScope: Self {
    guard writtenScope == nil, case .object(var members) = node.value else { return self }
    var copy = self
    members.append(JSONMember(VerdictScope.key, .string(scope.rawValue)))
    copy.node.value = .object(members)
    copy.writtenScope = scope
    return copy
  }
}

/// Judges a scenario's expectations against the events of a run.
public struct ExpectationJudge: Sendable {
  private var expectations: [ReadExpectation]
  /// Whether any expectation is interested in a kind of the catalogue, by its index.
  private let interests: [Bool]
  /// Whether the run has settled; nil if no expectation depends on it.
  private var settling: RunSettling?

  /// Creates a judge.
  ///
  /// - Parameters:
  ///   - expectations: What the run should show, in the scenario's order.
  ///   - acts: How many acts of users the run has.
  public init(_ expectations: [ReadExpectation], acts: Int = 0) {
    self.expectations = expectations
    var names = Set(expectations.flatMap { $0.expectation.interests })
    if expectations.contains(where: { $0.writtenScope == .eventual }) {
      settling = RunSettling(acts: acts)
      names.formUnion(RunSettling.interests)
    }
    interests = EventCatalog.all.map { names.contains($0.name) }
  }

  /// Whether any expectation reads events of a kind.
  ///
  /// Mutating, so that a judge behind an optional is not copied.
  public mutating func reads(_ kind: (some FrequentKind).Type) -> Bool { interests[kind.kind] }

  /// Observes the next event; `line` is its number in the trace, whose header is line 1.
  public mutating func observe(_ event: TraceEvent, line: Int) {
    if let kind = event.catalogIndex, !interests[kind] { return }
    guard event.isBelieved else { return }
    settling?.observe(event)
    for index in expectations.indices { expectations[index].expectation.observe(event, line: line) }
  }

  /// Returns the results, in the order of the scenario.
  ///
  /// - Parameter ending: How the trace ended, according to the judge of the invariants.
  public func finish(_ ending: TraceEnding) -> [(node: JSONNode, result: ExpectationResult)] {
    let obstacle = settling?.obstacle
    return expectations.map { read in
      var result = read.expectation.finish(ending)
      if read.writtenScope == .eventual, let obstacle, !result.hasPassed {
        result = ExpectationResult(.pass, why: "not judged: \(obstacle)")
        result.isJudged = false
      }
      return (read.node, result)
    }
  }
}

/// Events that nearly match an expectation: they have its name, but other values than `where` lists.
struct NearMisses: Sendable {
  /// How many are kept; the first ones.
  static let countMax = 3

  private(set) var lines: [Int] = []
  private var texts: [String] = []

  /// Records an event, unless there are enough.
  mutating func observe(_ event: TraceEvent, line: Int, of pattern: EventPattern) {
    guard lines.count < Self.countMax, let why = pattern.mismatch(event) else { return }
    lines.append(line)
    texts.append("\(event.time.durationText) with \(why)")
  }

  /// What to append to the reason of a failure; empty without a near miss.
  func suffix(_ pattern: EventPattern) -> String {
    texts.isEmpty ? "" : "; nearest: \(pattern.name.text) at " + texts.joined(separator: ", at ")
  }
}

extension EventPattern {
  /// How an event of this name differs from the pattern: `message "km2" instead of "km3"`; nil if it has another name
  /// or place, or matches.
  func mismatch(_ event: TraceEvent) -> String? {
    guard isOfName(event) else { return nil }
    let different = differences(event)
    guard !different.isEmpty else { return nil }
    return different.map { key, value in
      var found = "no value"
      if let field = event[key] {
        found = ""
        field.append(to: &found)
      } else if key == "node" {
        found = quoted(event.place.text)
      }
      return "\(key) \(found) instead of \(String(decoding: JSONWriter.compact(JSONNode(value)), as: UTF8.self))"
    }.joined(separator: " and ")
  }
}

/// Something that some run of a sweep should reach: `sometimes` of a scenario.
///
/// A single run may miss it. A sweep in which no seed reaches it fails, because it tested nothing there.
public struct Situation: Sendable {
  /// Its name in results.
  public let name: String
  /// The scenario's JSON.
  public let node: JSONNode
  private let pattern: EventPattern

  /// Limit of situations in a scenario.
  public static let countMax = 1_000

  /// Reads the `sometimes` of a scenario.
  ///
  /// - Returns: What could be read; the errors are in the reader's collector.
  public static func read(_ value: JSONValueReader) -> [Situation] {
    var situations: [Situation] = []
    for element in value.array(count: 0...countMax) ?? [] {
      guard let reader = element.object() else { continue }
      let given = reader.value("name")
      let name = given?.string()
      if name == "" { given?.refuse(expected: "a name") }
      let pattern = EventPattern(reader, key: "event")
      reader.finish()
      guard let pattern else { continue }
      let text = name ?? String(decoding: JSONWriter.compact(element.node), as: UTF8.self)
      if situations.contains(where: { $0.name == text }) {
        element.error("found a second situation \(quoted(text)), expected each name once")
      } else {
        situations.append(Situation(name: text, node: element.node, pattern: pattern))
      }
    }
    return situations
  }

  /// Whether an event shows that it was reached.
  public func isReached(by event: TraceEvent) -> Bool { event.isBelieved && pattern.matches(event) }
}

/// A stretch of a run between two instants, both included: `between: ["11m9s", "11m12s"]`.
struct ExpectedStretch: Sendable {
  static let key = "between"

  var from: VirtualTime
  var to: VirtualTime

  /// Reads the two instants; nil after reporting an error.
  init?(_ value: JSONValueReader) {
    guard let values = value.array(count: 0...2) else { return nil }
    guard values.count == 2 else {
      value.error("expected two moments, such as [\"11m9s\", \"11m12s\"]")
      return nil
    }
    guard let from = values[0].duration(), let to = values[1].duration() else { return nil }
    guard from <= to else {
      value.error("the first moment is after the second")
      return nil
    }
    self.from = .start + from
    self.to = .start + to
  }

  func contains(_ time: VirtualTime) -> Bool { time >= from && time <= to }

  /// The stretch in a message.
  var text: String { "between \(from.durationText) and \(to.durationText)" }
}

/// A stretch that may be left out, which means the whole run.
struct OptionalStretch: Sendable {
  private var stretch: ExpectedStretch?

  /// Reads `between`; nil after reporting what is wrong with it.
  init?(_ reader: JSONObjectReader) {
    guard let value = reader.value(ExpectedStretch.key) else { return }
    guard let stretch = ExpectedStretch(value) else { return nil }
    self.stretch = stretch
  }

  var isGiven: Bool { stretch != nil }

  func contains(_ time: VirtualTime) -> Bool { stretch?.contains(time) ?? true }

  /// What follows a count in a message; empty for the whole run.
  var suffix: String { stretch.map { " \($0.text)" } ?? "" }

  /// Whether the trace covers the stretch: one that is truncated after it does.
  func isComplete(_ ending: TraceEnding) -> Bool { ending.isComplete || stretch.map { ending.time > $0.to } ?? false }
}
