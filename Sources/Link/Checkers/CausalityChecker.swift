package import Link

/// `causality`: time does not go back, and nothing arrives before it was sent.
package struct CausalityChecker: Checker {
  package static let invariant = "causality"
  package static let about = "Nothing arrives before it was sent, and no line is earlier than the one before it."

  /// The highest id of a sent frame; ids increase.
  private var lastID: Int64 = 0

  package init(header: TraceHeader) {}

  package mutating func frameSent(_: FrameSent, at event: Occurrence, into report: inout Report) {
    if let frame = event.frame { lastID = max(lastID, frame.id) }
  }

  package mutating func frameDelivered(_ frame: FrameDelivered, at event: Occurrence, into report: inout Report) {
    observeFate(of: frame.id, event, &report)
  }

  package mutating func frameDropped(_ frame: FrameDropped, at event: Occurrence, into report: inout Report) {
    observeFate(of: frame.id, event, &report)
  }

  private static func fate(_ event: Occurrence) -> String {
    event.name == FrameDropped.name ? "was dropped" : "was delivered"
  }

  @inline(__always)
  private func observeFate(of id: Int64, _ event: Occurrence, _ report: inout Report) {
    if id > lastID {
      report.add("frame \(id) \(Self.fate(event)), but it had not been sent", at: event.time, lines: [event.line])
      return
    }
    guard let frame = event.frame, event.time < frame.time else { return }
    report.add(
      "frame \(id) \(Self.fate(event)) \((frame.time - event.time).text) before it was sent",
      at: event.time, lines: [frame.line, event.line])
  }

  package mutating func observeStepBack(
    _ event: TraceEvent, line: Int, from latest: VirtualTime, on latestLine: Int, into report: inout Report
  ) {
    report.add(
      "\(event.name.text) at \(event.time.text) follows an event at \(latest.text)",
      at: event.time, lines: [latestLine, line])
  }
}
