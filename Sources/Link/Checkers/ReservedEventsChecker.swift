/// `reserved-events`: only the runner writes what only the runner can know.
///
/// The judge finds these lines itself and passes them to no checker, because none may believe them.
public struct ReservedEventsChecker: Checker {
  public static let invariant = "reserved-events"
  public static let about =
    "Lines about nodes, links, faults and the run's end come from the runner or the medium; a node's own are not believed."
  public static let interests: [TraceEvent.Name] = []

  public init(header: TraceHeader) {}

  /// The violation of a line from a place that may not write it.
  static func violation(by event: TraceEvent, line: Int) -> Violation {
    violation(
      "the \(event.place.text) wrote \(event.name.text), which is not its to write; no checker believes the line",
      at: event.time, lines: [line])
  }

  public mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {}
  public mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
