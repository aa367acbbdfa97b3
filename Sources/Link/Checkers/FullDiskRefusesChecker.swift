package import Link

/// `full-disk-refuses`: what needs room is refused while there is none.
package struct FullDiskRefusesChecker: Checker {
  package static let invariant = "full-disk-refuses"
  package static let about =
    "While the disk of a built-in node is full, its app queues no transfer and sets no context, and it stores no context and no voice note."
  package static let interests: [TraceEvent.Name] = [
    "transfer.queued", "context.set", "context.received", "voice.received", "fault.begin", "fault.end", "end",
  ]

  private let nodes: BuiltInNodes
  private var disks = ActiveFaults(["diskFull"])
  /// Lines of the current instant that a fault may still excuse by ending in it.
  private var doubtful: [(place: TraceEvent.Place, time: VirtualTime, line: Int)] = []

  package init(header: TraceHeader) { nodes = BuiltInNodes(header) }

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    if let first = doubtful.first, event.time > first.time { finishInstant(&report) }
    switch event.body {
    case .transferQueued, .contextSet, .contextReceived, .voiceReceived:
      if nodes.contains(event.place), disks.isActive(on: event.place, before: event.time) {
        doubtful.append((event.place, event.time, line))
      }
    default: disks.observe(event)
    }
  }

  private mutating func finishInstant(_ report: inout [Violation]) {
    // A fault that began in the instant itself may have begun after the line.
    for found in doubtful where disks.isActive(on: found.place, before: found.time) {
      report.append(
        Self.violation(
          "the \(found.place.text) stores this though its disk is full", at: found.time, lines: [found.line]))
    }
    doubtful = []
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) { finishInstant(&report) }
}
