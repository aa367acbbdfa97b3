package import Link

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
