/// Judges one invariant from the lines of a trace alone.
///
/// A checker is a value with a method for each kind of event that it reads ("LinkMethods", "DeviceMethods"); all others do
/// nothing. It gets the events in the order of the trace, and adds violations to the report. Its memory must not
/// grow with the length of a run: it drops settled state.
///
/// A line that has the name of a kind but not its fields comes to no checker.
public protocol Checker: LinkMethods, DeviceMethods, Sendable {
  /// The invariant's name in reports.
  static var invariant: String { get }
  /// Earlier names of the invariant, which commands still accept; empty unless a kind has any.
  static var aliases: [String] { get }
  /// What the invariant says, in one sentence.
  static var about: String { get }

  /// Creates a checker for the trace that begins with `header`.
  ///
  /// The header may lack the seed and the faults, which differ between two seeds of a scenario: a sweep creates its
  /// checkers once.
  init(header: TraceHeader)

  /// Observes a line of any kind that is earlier than one before it; called before the method of its kind.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - line: Its line number in the trace.
  ///   - latest: The latest time before it.
  ///   - latestLine: The last line of that time.
  ///   - report: Receives the violations.
  mutating func observeStepBack(
    _ event: TraceEvent, line: Int, from latest: VirtualTime, on latestLine: Int, into report: inout Report)

  /// Judges what remains at the end of the trace.
  mutating func finish(_ ending: TraceEnding, into report: inout Report)
}

extension Checker {
  public static var aliases: [String] { [] }

  public func observeStepBack(
    _ event: TraceEvent, line: Int, from latest: VirtualTime, on latestLine: Int, into report: inout Report
  ) {}

  public func finish(_ ending: TraceEnding, into report: inout Report) {}

  /// The names of the events that the checker reads, in the order of ``EventCatalog``.
  public static var events: [TraceEvent.Name] {
    let header = TraceHeader(scenario: "", seed: 0, duration: .zero)
    return EventCatalog.all.filter { kind in
      var (own, none) = (CheckerRun(OneChecker(Self(header: header))), CheckerRun(OneChecker(Blind(header: header))))
      _ = own.observe(kind.example(), at: .first)
      _ = none.observe(kind.example(), at: .first)
      return own.report.skipped < none.report.skipped
    }.map(\.name)
  }
}

/// Reads no event: all its methods are the defaults.
private struct Blind: Checker {
  static let invariant = ""
  static let about = ""

  init(header: TraceHeader) {}
}

/// When, where and on which line of a trace an event is.
public struct Occurrence: Sendable {
  /// When it happened.
  public let time: VirtualTime
  /// Where: a node, the link, or the runner.
  public let place: TraceEvent.Place
  /// Its line number in the trace.
  public let line: Int
  /// The frame of a `frame.sent`, `frame.duplicated`, `frame.delivered` or `frame.dropped`; nil for other events, and for a
  /// frame that was never sent, or so long ago that the judge has forgotten it.
  public internal(set) var frame: SentFrame?
  /// The index of the kind in ``EventCatalog/all``.
  private let kind: Int

  @inline(__always)
  init(time: VirtualTime, place: TraceEvent.Place, line: Int, kind: Int) {
    self.time = time
    self.place = place
    self.line = line
    self.kind = kind
  }

  /// Where an event of a kind of the catalogue is, without a frame.
  public init(_ event: TraceEvent, line: Int) {
    self.init(time: event.time, place: event.place, line: line, kind: event.kind)
  }

  /// The first event of a trace.
  static let first = Occurrence(TraceEvent(TraceEnd.self, at: .start, on: .runner), line: 2)

  /// What happened, as the trace names it.
  public var name: TraceEvent.Name { EventCatalog.names[kind] }
}

/// Collects the violations that checkers find.
public struct Report: Sendable {
  /// The violations in the order in which they were found, until the judge takes them.
  public private(set) var violations: [Violation] = []
  /// The checker that is called.
  @usableFromInline var checker: any Checker.Type = Blind.self
  /// How many methods were called that a checker does not have, modulo 2^64.
  @usableFromInline var skipped: UInt64 = 0

  public init() {}

  /// Adds a violation of the invariant of the checker that is called.
  ///
  /// - Parameters:
  ///   - detail: What is wrong, in words.
  ///   - time: The time of the event that shows it.
  ///   - lines: The lines of the events that show it, in the order in which they explain it.
  public mutating func add(_ detail: String, at time: VirtualTime, lines: [Int]) {
    violations.append(Violation(invariant: checker.invariant, time: time, detail: detail, lines: lines))
  }

  /// Counts a call of a method that a checker does not have.
  @inlinable public mutating func skip() { skipped &+= 1 }

  /// Removes and returns the violations.
  mutating func take() -> [Violation] {
    defer { violations.removeAll() }
    return violations
  }
}

/// One thing in a trace that breaks an invariant.
public struct Violation: Sendable, Equatable {
  /// The invariant's name.
  public var invariant: String
  /// The time of the event that shows it.
  public var time: VirtualTime
  /// What is wrong, in words.
  public var detail: String
  /// The lines of the events that show it, in the order in which they explain it.
  public var lines: [Int]

  /// Creates a violation.
  public init(invariant: String, time: VirtualTime, detail: String, lines: [Int]) {
    self.invariant = invariant
    self.time = time
    self.detail = detail
    self.lines = lines
  }
}

/// How a trace ended.
public struct TraceEnding: Sendable, Equatable {
  /// Whether the trace has an `end` line.
  ///
  /// Without it, further events may be missing.
  public var isComplete: Bool
  /// The time of the last event.
  public var time: VirtualTime
  /// The line of the last event.
  public var line: Int

  /// Creates an ending.
  public init(isComplete: Bool, time: VirtualTime, line: Int) {
    self.isComplete = isComplete
    self.time = time
    self.line = line
  }
}
