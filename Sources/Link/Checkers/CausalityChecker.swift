package import Link

/// `causality`: time does not go back, and nothing arrives before it was sent.
package struct CausalityChecker: Checker {
  package static let invariant = "causality"
  package static let about = "Nothing arrives before it was sent, and no line is earlier than the one before it."
  package static let interests: [TraceEvent.Name] = ["frame.sent", "frame.delivered", "frame.dropped"]

  /// The highest id of a sent frame; ids increase.
  private var lastID: Int64 = 0

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    switch event.body {
    case .frameSent: if let frame = event.frame { lastID = max(lastID, frame.id) }
    case .frameDelivered(let frame): observeFate(of: frame.id, event, line, &report)
    case .frameDropped(let frame): observeFate(of: frame.id, event, line, &report)
    default: break
    }
  }

  private static func fate(_ event: TypedEvent) -> String {
    event.name == FrameDropped.name ? "was dropped" : "was delivered"
  }

  @inline(__always)
  private func observeFate(of id: Int64, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]) {
    if id > lastID {
      report.append(
        Self.violation("frame \(id) \(Self.fate(event)), but it had not been sent", at: event.time, lines: [line]))
      return
    }
    guard let frame = event.frame, event.time < frame.time else { return }
    report.append(
      Self.violation(
        "frame \(id) \(Self.fate(event)) \((frame.time - event.time).text) before it was sent",
        at: event.time, lines: [frame.line, line]))
  }

  package mutating func observeStepBack(
    _ event: TraceEvent, line: Int, from latest: VirtualTime, on latestLine: Int, into report: inout [Violation]
  ) {
    report.append(
      Self.violation(
        "\(event.name.text) at \(event.time.text) follows an event at \(latest.text)",
        at: event.time, lines: [latestLine, line]))
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
