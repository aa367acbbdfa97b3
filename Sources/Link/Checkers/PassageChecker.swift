package import Link

/// `no-passage-while-down`: nothing passes a link that is down, and no inactive fault is blamed.
package struct PassageChecker: Checker {
  package static let invariant = "no-passage-while-down"
  package static let about =
    "No copy of a frame arrives that was sent, or on its way, while its link was down; a drop names a fault that is on."
  package static let interests: [TraceEvent.Name] = [
    "frame.delivered", "frame.dropped", "link.down", "link.up", "fault.begin", "fault.end",
  ]

  /// The limit of active faults; beyond it, the fault that a drop names is no longer judged.
  private static let onMax = 16_384
  /// The number of remembered ended faults.
  private static let overMax = 64

  /// One of the two media.
  ///
  /// Lines are compared instead of times, because the order within an instant matters.
  private struct Medium {
    var isDown = false
    var downLine = 0
    var upLine = 0
    /// The last arrival.
    var arrival: (id: Int64, time: VirtualTime, line: Int)?

    /// Whether it was down at a line or at any time since.
    func wasDown(since line: Int) -> Bool { isDown || downLine > line || upLine > line }
  }

  private struct Fault {
    let id: String
    /// 0 while it is active.
    var endLine = 0
  }

  private var link = Medium()
  private var uplink = Medium()
  private var on: [Fault] = []
  /// Ended faults, in the order of their ends.
  private var over: [Fault] = []
  /// The end of the last forgotten fault; drops of frames sent before it are not judged.
  private var forgottenLine = 0
  private var isBlameJudged = true

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    switch event.body {
    case .frameDelivered(let frame):
      if event.place == .uplink {
        Self.observeArrival(frame.id, event, line, &uplink, &report)
      } else {
        Self.observeArrival(frame.id, event, line, &link, &report)
      }
    case .frameDropped(let frame): observeDrop(frame, event, line, &report)
    case .linkDown:
      if event.place == .uplink {
        Self.observeDown(event, line, &uplink, &report)
      } else {
        Self.observeDown(event, line, &link, &report)
      }
    case .linkUp:
      if event.place == .uplink {
        uplink.isDown = false
        uplink.upLine = line
      } else {
        link.isDown = false
        link.upLine = line
      }
    case .faultBegin(let fault): observeBegin(of: fault.fault)
    case .faultEnd(let fault): observeEnd(of: fault.fault, line)
    default: break
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}

  // MARK: - The link

  private static func observeArrival(
    _ id: Int64, _ event: TypedEvent, _ line: Int, _ medium: inout Medium, _ report: inout [Violation]
  ) {
    medium.arrival = (id, event.time, line)
    guard let sent = event.frame?.line, medium.wasDown(since: sent) else { return }
    let cut = medium.downLine
    report.append(
      violation(
        "frame \(id) arrived, though the \(event.place.text) was down \(cut < sent ? "when it was sent" : "while it was on its way")",
        at: event.time, lines: [min(cut, sent), max(cut, sent), line]))
  }

  private static func observeDown(
    _ event: TypedEvent, _ line: Int, _ medium: inout Medium, _ report: inout [Violation]
  ) {
    medium.isDown = true
    medium.downLine = line
    guard let arrival = medium.arrival, arrival.time == event.time else { return }
    report.append(
      violation(
        "frame \(arrival.id) arrived at the instant at which the \(event.place.text) went down", at: event.time,
        lines: [arrival.line, line]))
  }

  // MARK: - The faults

  private mutating func observeBegin(of id: String) {
    guard !on.contains(where: { $0.id == id }) else { return }
    guard on.count < Self.onMax else {
      isBlameJudged = false
      return
    }
    on.append(Fault(id: id))
  }

  private mutating func observeEnd(of id: String, _ line: Int) {
    guard let index = on.lastIndex(where: { $0.id == id }) else { return }
    on.remove(at: index)
    over.append(Fault(id: id, endLine: line))
    if over.count > Self.overMax { forgottenLine = over.removeFirst().endLine }
  }

  private func observeDrop(_ frame: FrameDropped, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]) {
    guard isBlameJudged, let blamed = frame.fault, !on.contains(where: { $0.id == blamed }) else { return }
    let (id, cause) = (frame.id, frame.cause)
    // A drop at a stage is reported at once. A cut, a node that is down or a quirk may be over when the frame would
    // have arrived.
    let isAtOnce =
      cause == .loss || cause == .corrupt || cause == .overflow
    let sentLine = event.frame?.line ?? 0
    if !isAtOnce {
      guard sentLine > forgottenLine, !over.contains(where: { $0.id == blamed && $0.endLine > sentLine }) else {
        return
      }
    }
    let ended = over.last { $0.id == blamed }
    report.append(
      Self.violation(
        "frame \(id) was dropped by the fault \"\(blamed)\", which \(ended == nil ? "is not on" : "is over")",
        at: event.time, lines: [ended?.endLine ?? 0, sentLine, line].filter { $0 > 0 }.sorted()))
  }
}
