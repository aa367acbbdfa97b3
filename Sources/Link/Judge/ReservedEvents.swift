/// Lines that only the runner and the medium may write.
public enum ReservedEvents {
  /// The invariant that a node breaks by writing one.
  public static let invariant = "reserved-events"

  /// The violation of a line from a place that may not write it.
  static func violation(by event: TraceEvent, line: Int) -> Violation {
    Violation(
      invariant: invariant, time: event.time,
      detail:
        "the \(event.place.text) wrote \(event.name.text), which is not its to write; no checker believes the line",
      lines: [line])
  }
}
