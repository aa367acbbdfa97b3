package import Link

/// `no-passage-while-down`: nothing passes a link that is down, and no inactive fault is blamed.
package struct PassageChecker: Checker {
  package static let invariant = "no-passage-while-down"
  package static let about =
    "No copy of a frame arrives that was sent, or on its way, while its link was down; a drop names a fault that is on."

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

  package mutating func frameDelivered(_ frame: FrameDelivered, at event: Occurrence, into report: inout Report) {
    if event.place == .uplink {
      Self.observeArrival(frame.id, event, &uplink, &report)
    } else {
      Self.observeArrival(frame.id, event, &link, &report)
    }
  }

  package mutating func frameDropped(_ frame: FrameDropped, at event: Occurrence, into report: inout Report) {
    observeDrop(frame, event, &report)
  }

  package mutating func linkDown(_: LinkWentDown, at event: Occurrence, into report: inout Report) {
    if event.place == .uplink {
      Self.observeDown(event, &uplink, &report)
    } else {
      Self.observeDown(event, &link, &report)
    }
  }

  package mutating func linkUp(_: LinkCameUp, at event: Occurrence, into report: inout Report) {
    if event.place == .uplink {
      uplink.isDown = false
      uplink.upLine = event.line
    } else {
      link.isDown = false
      link.upLine = event.line
    }
  }

  package mutating func faultBegin(_ fault: FaultBegan, at event: Occurrence, into report: inout Report) {
    observeBegin(of: fault.fault)
  }

  package mutating func faultEnd(_ fault: FaultEnded, at event: Occurrence, into report: inout Report) {
    observeEnd(of: fault.fault, event.line)
  }

  // MARK: - The link

  private static func observeArrival(
    _ id: Int64, _ event: Occurrence, _ medium: inout Medium, _ report: inout Report
  ) {
    medium.arrival = (id, event.time, event.line)
    guard let sent = event.frame?.line, medium.wasDown(since: sent) else { return }
    let cut = medium.downLine
    report.add(
      "frame \(id) arrived, though the \(event.place.text) was down \(cut < sent ? "when it was sent" : "while it was on its way")",
      at: event.time, lines: [min(cut, sent), max(cut, sent), event.line])
  }

  private static func observeDown(
    _ event: Occurrence, _ medium: inout Medium, _ report: inout Report
  ) {
    medium.isDown = true
    medium.downLine = event.line
    guard let arrival = medium.arrival, arrival.time == event.time else { return }
    report.add(
      "frame \(arrival.id) arrived at the instant at which the \(event.place.text) went down", at: event.time,
      lines: [arrival.line, event.line])
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

  private func observeDrop(_ frame: FrameDropped, _ event: Occurrence, _ report: inout Report) {
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
    report.add(
      "frame \(id) was dropped by the fault \"\(blamed)\", which \(ended == nil ? "is not on" : "is over")",
      at: event.time, lines: [ended?.endLine ?? 0, sentLine, event.line].filter { $0 > 0 }.sorted())
  }
}
