/// Judges one invariant from the lines of a trace alone.
///
/// A checker is a value. It receives the events listed in ``interests``, in the order of the trace, and adds violations
/// to the report. Its memory must not grow with the length of a run: it drops settled state.
public protocol Checker: Sendable {
  /// The invariant's name in reports.
  static var invariant: String { get }
  /// Earlier names of the invariant, which commands still accept; empty unless a kind has any.
  static var aliases: [String] { get }
  /// What the invariant says, in one sentence.
  static var about: String { get }
  /// The names of the events that the checker receives.
  static var interests: [TraceEvent.Name] { get }
  /// The channels of the frames whose lines it receives, nil for all; chunks of files count as of `file`.
  ///
  /// Nearly all frames carry messages, so a checker of another channel saves most of its calls. A line about an unknown
  /// frame comes in any case.
  static var channels: [Channel]? { get }
  /// Creates a checker for the trace that begins with `header`.
  ///
  /// The header may lack the seed and the faults, which differ between two seeds of a scenario: a sweep creates its
  /// checkers once.
  init(header: TraceHeader)

  /// Observes the next event of interest, which is on line `line` of the trace.
  ///
  /// A line that has the name of an interest but not its fields arrives as ``EventBody/foreign(_:)``.
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

  /// Judges what remains at the end of the trace.
  mutating func finish(_ ending: TraceEnding, into report: inout [Violation])
}

extension Checker {
  public static var aliases: [String] { [] }
  public static var channels: [Channel]? { nil }
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
