package import Link

/// `link-no-faster`: the link carries frames in order, and no faster than its profile says.
package struct LinkNoFasterChecker: Checker {
  package static let invariant = "link-no-faster"
  package static let about =
    "The originals of a direction's frames arrive in the order of their sending, unless a fault reorders, and none before the link's bandwidth has carried it and those before it."

  /// A frame on its way.
  private struct Flight {
    var id: Int64 = -1
    /// When the link has carried it at the earliest.
    var carriedAt = VirtualTime.start
  }

  /// One direction of the link.
  private struct Lane {
    var carriedAt = VirtualTime.start
    /// The same before the last frame, which may turn out to be dropped before its turn.
    var before = VirtualTime.start
    /// The latest sent of the originals that have arrived.
    var arrived: (id: Int64, line: Int)?
  }

  /// Bytes per second of each direction, by lane; nil for no limit.
  private let rates: [Int64?]
  private let isJudged: Bool
  private var flights: [Flight] = []
  private var lanes = [Lane(), Lane()]
  private var reorders = ActiveFaults(["reorder"])

  package init(header: TraceHeader) {
    rates = ["toPhone", "toWatch"].map { way in
      let own = header.link[way]?["bytesPerSecond"]
      return (own ?? header.link["bytesPerSecond"])?.integer.flatMap { $0 > 0 ? $0 : nil }
    }
    // A recording has the times of its app's own clock.
    isJudged = header.extra("capture") == nil && header.extra("freeRunning") == nil
  }

  package mutating func frameSent(_: FrameSent, at event: Occurrence, into report: inout Report) {
    guard isJudged else { return }
    guard let frame = event.frame, frame.isBetweenDevices, frame.channel != .health else { return }
    observeSent(frame)
  }

  package mutating func frameDelivered(_ copy: FrameDelivered, at event: Occurrence, into report: inout Report) {
    guard isJudged else { return }
    guard event.place == .link, copy.copy == 0, let frame = event.frame, frame.isBetweenDevices else { return }
    observeArrival(frame, event.time, event.line, &report)
  }

  package mutating func frameDropped(_ copy: FrameDropped, at event: Occurrence, into report: inout Report) {
    guard isJudged else { return }
    guard event.place == .link, copy.cause == .overflow || copy.cause == .disconnected, let frame = event.frame,
      frame.isBetweenDevices, frame.time == event.time, let carriedAt = carriedAt(frame)
    else { return }
    // It never had its turn.
    let lane = Self.lane(frame)
    if lanes[lane].carriedAt == carriedAt { lanes[lane].carriedAt = lanes[lane].before }
  }

  package mutating func linkDown(_: LinkWentDown, at event: Occurrence, into report: inout Report) {
    guard isJudged else { return }
    guard event.place == .link else { return }
    // All that waited is lost.
    for lane in lanes.indices { lanes[lane].carriedAt = event.time }
  }

  package mutating func faultBegin(_ fault: FaultBegan, at event: Occurrence, into report: inout Report) {
    guard isJudged else { return }
    reorders.observe(fault, at: event.time)
  }

  package mutating func faultEnd(_ fault: FaultEnded, at event: Occurrence, into report: inout Report) {
    guard isJudged else { return }
    reorders.observe(fault, at: event.time)
  }

  private static func lane(_ frame: SentFrame) -> Int { frame.sender == .watch ? 0 : 1 }

  /// When the link has carried a frame at the earliest; nil for one that is forgotten.
  private func carriedAt(_ frame: SentFrame) -> VirtualTime? {
    let place = Int(truncatingIfNeeded: frame.id) & (FrameLog.countMax - 1)
    guard place < flights.count, flights[place].id == frame.id else { return nil }
    return flights[place].carriedAt
  }

  private mutating func observeSent(_ frame: SentFrame) {
    let lane = Self.lane(frame)
    let now = frame.time
    var carriedAt = now
    if let bytesPerSecond = rates[lane] {
      let (product, overflows) = max(0, frame.bytes).multipliedReportingOverflow(by: 1_000_000_000)
      let span = overflows ? 0 : product / bytesPerSecond
      lanes[lane].before = lanes[lane].carriedAt
      carriedAt = max(now, lanes[lane].carriedAt) + VirtualTime.Span(nanoseconds: span)
      lanes[lane].carriedAt = carriedAt
    }
    let place = Int(truncatingIfNeeded: frame.id) & (FrameLog.countMax - 1)
    if flights.isEmpty { flights.reserveCapacity(1_024) }
    while flights.count <= place { flights.append(Flight()) }
    flights[place] = Flight(id: frame.id, carriedAt: carriedAt)
  }

  private mutating func observeArrival(
    _ frame: SentFrame, _ now: VirtualTime, _ line: Int, _ report: inout Report
  ) {
    guard let carriedAt = carriedAt(frame) else { return }
    let lane = Self.lane(frame)
    if now < carriedAt {
      report.add(
        "frame \(frame.id) arrived \((carriedAt - now).text) before the link could have carried it and those before it",
        at: now, lines: [frame.line, line])
    }
    guard let last = lanes[lane].arrived, last.id > frame.id else {
      lanes[lane].arrived = (frame.id, line)
      return
    }
    let mayBeHeldBack = reorders.isActive(on: frame.sender) || reorders.lastEnd.map { $0 >= frame.time } ?? false
    guard !mayBeHeldBack else { return }
    report.add(
      "frame \(last.id) overtook frame \(frame.id), which no fault held back", at: now,
      lines: [frame.line, last.line, line])
  }
}
