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

/// `order-at-an-instant`: the events of one instant are in the order that the rules prescribe.
package struct InstantOrderChecker: Checker {
  package static let invariant = "order-at-an-instant"
  package static let about =
    "Frames are counted from 1 in the order of their sending, and those that arrive at one instant arrive in that order, copies in theirs."

  private var lastSent: Int64 = 0
  /// The last arrival; its time is nil before the first.
  private var arrivedAt: VirtualTime?
  private var arrived: (id: Int64, copy: Int64, line: Int) = (0, 0, 0)

  package init(header: TraceHeader) {}

  package mutating func frameSent(_: FrameSent, at event: Occurrence, into report: inout Report) {
    guard let id = event.frame?.id else { return }
    if lastSent == .max || id != lastSent + 1 {
      report.add(
        "frame \(id) is sent after frame \(lastSent): frames count from 1, one by one", at: event.time,
        lines: [event.line])
    }
    lastSent = id
  }

  package mutating func frameDelivered(_ frame: FrameDelivered, at event: Occurrence, into report: inout Report) {
    let (id, copy) = (frame.id, frame.copy)
    if arrivedAt == event.time, (id, copy) < (arrived.id, arrived.copy) {
      report.add(
        "copy \(copy) of frame \(id) arrives after copy \(arrived.copy) of frame \(arrived.id) at the same instant",
        at: event.time, lines: [arrived.line, event.line])
    }
    arrivedAt = event.time
    arrived = (id, copy, event.line)
  }
}

/// `reserved-events`: only the runner writes what only the runner can know.
///
/// The judge finds these lines itself and passes them to no checker, because none may believe them.
package struct ReservedEventsChecker: Checker {
  package static let invariant = ReservedEvents.invariant
  package static let about =
    "Lines about nodes, links, faults and the run's end come from the runner or the medium; a node's own are not believed."

  package init(header: TraceHeader) {}
}
