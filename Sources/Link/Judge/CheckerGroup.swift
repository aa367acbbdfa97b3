/// Checkers that observe the same events, one after the other.
///
/// The type of a group names each of its checkers, so that the compiler sees which methods they have: an event that
/// no checker reads costs nothing, and all others the calls of those that do. It does so down to a depth of 50: catalogues have
/// lists of at most 30.
public protocol CheckerGroup: Sendable {
  /// The kinds of checkers, in the order of evaluation.
  static var kinds: [any Checker.Type] { get }

  /// Passes an event to the checkers.
  mutating func observe<Kind: TraceEventKind>(_ event: Kind, at place: Occurrence, into report: inout Report)
  /// Passes a line that is earlier than one before it to the checkers.
  mutating func observeStepBack(
    _ event: TraceEvent, line: Int, from latest: VirtualTime, on latestLine: Int, into report: inout Report)
  /// Lets the checkers judge what remains at the end of the trace.
  mutating func finish(_ ending: TraceEnding, into report: inout Report)
}

/// A group of one checker.
public struct OneChecker<Only: Checker>: CheckerGroup {
  @usableFromInline var checker: Only

  @inlinable public init(_ checker: Only) { self.checker = checker }

  public static var kinds: [any Checker.Type] { [Only.self] }

  @inlinable
  public mutating func observe<Kind: TraceEventKind>(_ event: Kind, at place: Occurrence, into report: inout Report) {
    report.checker = Only.self
    event.present(to: &checker, at: place, into: &report)
  }

  public mutating func observeStepBack(
    _ event: TraceEvent, line: Int, from latest: VirtualTime, on latestLine: Int, into report: inout Report
  ) {
    report.checker = Only.self
    checker.observeStepBack(event, line: line, from: latest, on: latestLine, into: &report)
  }

  public mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    report.checker = Only.self
    checker.finish(ending, into: &report)
  }
}

/// A group that follows another.
public struct TwoGroups<First: CheckerGroup, Second: CheckerGroup>: CheckerGroup {
  @usableFromInline var first: First
  @usableFromInline var second: Second

  @inlinable public init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  public static var kinds: [any Checker.Type] { First.kinds + Second.kinds }

  @inlinable
  public mutating func observe<Kind: TraceEventKind>(_ event: Kind, at place: Occurrence, into report: inout Report) {
    first.observe(event, at: place, into: &report)
    second.observe(event, at: place, into: &report)
  }

  public mutating func observeStepBack(
    _ event: TraceEvent, line: Int, from latest: VirtualTime, on latestLine: Int, into report: inout Report
  ) {
    first.observeStepBack(event, line: line, from: latest, on: latestLine, into: &report)
    second.observeStepBack(event, line: line, from: latest, on: latestLine, into: &report)
  }

  public mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    first.finish(ending, into: &report)
    second.finish(ending, into: &report)
  }
}

/// Makes a group of a list of checkers and groups.
@resultBuilder
public enum CheckerList {
  @inlinable
  public static func buildExpression<Only: Checker>(_ checker: Only) -> OneChecker<Only> { OneChecker(checker) }

  @inlinable
  public static func buildExpression<Group: CheckerGroup>(_ group: Group) -> Group { group }

  @inlinable
  public static func buildPartialBlock<Group: CheckerGroup>(first: Group) -> Group { first }

  @inlinable
  public static func buildPartialBlock<First: CheckerGroup, Next: CheckerGroup>(
    accumulated: First, next: Next
  ) -> TwoGroups<First, Next> { TwoGroups(accumulated, next) }
}

/// A group of checkers at work on a trace, with what it has found.
public struct CheckerRun<Group: CheckerGroup>: EventVisitor, Sendable {
  @usableFromInline var group: Group
  /// Where the event is that is observed; nil before the first.
  @usableFromInline var place: Occurrence?
  /// The violations that the judge has not taken.
  @usableFromInline var report = Report()

  @inlinable public init(_ group: Group) {
    self.group = group
  }

  @inlinable
  public mutating func visit<Kind: TraceEventKind>(_ event: Kind) {
    if let place { group.observe(event, at: place, into: &report) }
  }

  /// Observes an event; whether there are violations to take.
  @inlinable
  public mutating func observe(_ event: EventBody, at place: Occurrence) -> Bool {
    self.place = place
    event.open(&self)
    return !report.violations.isEmpty
  }

  /// As ``observe(_:at:)``, of an event that comes as a value.
  @inlinable
  public mutating func observe<Kind: FrequentKind>(value event: Kind, at place: Occurrence) -> Bool {
    group.observe(event, at: place, into: &report)
    return !report.violations.isEmpty
  }

  mutating func observeStepBack(_ event: TraceEvent, line: Int, from latest: VirtualTime, on latestLine: Int) {
    group.observeStepBack(event, line: line, from: latest, on: latestLine, into: &report)
  }

  mutating func finish(_ ending: TraceEnding) { group.finish(ending, into: &report) }
}

/// The checkers of a module, behind a type without parameters, so that a judge that does not know them calls code that was
/// compiled for them.
///
/// ```swift
/// struct MyCheckers: JudgingPart {
///   var run: CheckerRun<Checkers>
///
///   init(header: TraceHeader) { run = CheckerRun(Self.checkers(for: header)) }
///
///   mutating func observe(_ event: EventBody, at place: Occurrence) -> Bool { run.observe(event, at: place) }
///
///   mutating func observe<Kind: FrequentKind>(value event: Kind, at place: Occurrence) -> Bool {
///     run.observe(value: event, at: place)
///   }
///
///   @CheckerList static func checkers(for header: TraceHeader) -> some CheckerGroup {
///     MyChecker(header: header)
///   }
/// }
/// ```
public protocol JudgingPart: Sendable {
  associatedtype Checkers: CheckerGroup

  /// The checkers at work.
  var run: CheckerRun<Checkers> { get set }

  init(header: TraceHeader)

  /// The checkers for the trace that begins with a header, in the order of evaluation.
  static func checkers(for header: TraceHeader) -> Checkers

  /// Observes an event; whether there are violations to take.
  ///
  /// Each part has it itself: in an extension of this protocol it would copy all checkers at each event.
  mutating func observe(_ event: EventBody, at place: Occurrence) -> Bool
  /// The same of an event that comes as a value; a catalogue has code of its own for each frequent kind (`@_specialize`).
  mutating func observe<Kind: FrequentKind>(value event: Kind, at place: Occurrence) -> Bool
}

extension JudgingPart {
  /// The kinds of checkers, in the order of evaluation.
  public static var all: [any Checker.Type] { Checkers.kinds }

  mutating func observeStepBack(_ event: TraceEvent, line: Int, from latest: VirtualTime, on latestLine: Int) {
    run.observeStepBack(event, line: line, from: latest, on: latestLine)
  }

  mutating func finish(_ ending: TraceEnding) { run.finish(ending) }

  mutating func takeViolations() -> [Violation] { run.report.take() }
}

/// One checker as a part of its own.
struct LonePart<Only: Checker>: JudgingPart {
  var run: CheckerRun<OneChecker<Only>>

  init(header: TraceHeader) { run = CheckerRun(Self.checkers(for: header)) }

  static func checkers(for header: TraceHeader) -> OneChecker<Only> { OneChecker(Only(header: header)) }

  mutating func observe(_ event: EventBody, at place: Occurrence) -> Bool { run.observe(event, at: place) }

  mutating func observe<Kind: FrequentKind>(value event: Kind, at place: Occurrence) -> Bool {
    run.observe(value: event, at: place)
  }
}

extension Checker {
  static var part: any JudgingPart.Type { LonePart<Self>.self }
}
