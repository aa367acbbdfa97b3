/// Judges one invariant from the lines of a trace, and from nothing else.
///
/// A checker is a value. It gets the events it is interested in, in the order of the trace, and adds to the report what breaks
/// its invariant. What it remembers should not grow with the length of a run: settled state is dropped.
public protocol Checker: Sendable {
  /// The invariant's name in reports.
  static var invariant: String { get }
  /// Earlier names of the invariant, which commands still accept; empty unless a kind has any.
  static var aliases: [String] { get }
  /// What the invariant says, in one sentence.
  static var about: String { get }
  /// The events that the checker is handed.
  static var interests: [TraceEvent.Name] { get }
  /// Creates a checker for the trace that begins with `header`.
  ///
  /// What differs between two seeds of a scenario, the seed and the faults, may be left out of the header: a sweep makes
  /// its checkers once.
  init(header: TraceHeader)

  /// Observes the next event of interest, which is on line `line` of the trace.
  ///
  /// A line that has the name of an interest and not its fields arrives as ``EventBody/foreign(_:)``.
  mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation])

  /// Observes a line, of interest or not, that is earlier than one before it; called before ``observe(_:line:into:)``.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - line: Its line number in the trace.
  ///   - latest: The latest time before it.
  ///   - latestLine: The last line of that time.
  ///   - report: Receives the violations.
  mutating func observeStepBack(
    _ event: TraceEvent, line: Int, from latest: VirtualTime, on latestLine: Int, into report: inout [Violation])

  /// Judges what could not be judged before: nothing more comes.
  mutating func finish(_ ending: TraceEnding, into report: inout [Violation])
}

extension Checker {
  public static var aliases: [String] { [] }
  public mutating func observeStepBack(
    _ event: TraceEvent, line: Int, from latest: VirtualTime, on latestLine: Int, into report: inout [Violation]
  ) {}

  /// A violation of this checker's invariant.
  public static func violation(_ detail: String, at time: VirtualTime, lines: [Int]) -> Violation {
    Violation(invariant: invariant, time: time, detail: detail, lines: lines)
  }
}

/// One thing in a trace that breaks an invariant.
public struct Violation: Sendable, Equatable {
  /// The invariant's name.
  public var invariant: String
  /// When the event that shows it happened.
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
  /// Whether an `end` line was there.
  ///
  /// Without it nothing is known of what may have come.
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
