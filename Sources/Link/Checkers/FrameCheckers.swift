package import Link

/// `every-frame-one-fate`: no frame disappears, and none has two fates.
package struct FrameFateChecker: Checker {
  package static let invariant = "every-frame-one-fate"
  package static let about =
    "Every copy of every frame is delivered or dropped exactly once, and the count in the last line is that of the sent frames."

  /// A frame with copies in flight.
  private struct Flight {
    var line: Int
    var time: VirtualTime
    /// Copies that exist, the original among them.
    var copies: UInt32 = 1
    var settled: UInt32 = 0
    /// Bitmask of the settled ones among the first 64 copies.
    var fates: UInt64 = 0
  }

  /// The frames in flight, except ``latest``.
  private var flights = NumberTable<Flight>()
  /// The frame sent last, while it is in flight: nearly all arrive before another is sent.
  private var latest: Flight?
  private var latestID: UInt64 = 0
  private var sentCount: Int64 = 0
  private var lastID: UInt64 = 0

  package init(header: TraceHeader) {}

  package mutating func frameSent(_: FrameSent, at event: Occurrence, into report: inout Report) {
    guard let frame = event.frame else { return }
    let id = UInt64(truncatingIfNeeded: frame.id)
    sentCount += 1
    if id <= lastID {
      report.add("frame \(id) is sent after frame \(lastID): ids count upwards", at: event.time, lines: [event.line])
    }
    lastID = max(lastID, id)
    if let latest { flights[latestID] = latest }
    latest = nil
    if flights.count > 0 { flights[id] = nil }
    latestID = id
    latest = Flight(line: event.line, time: event.time)
  }

  package mutating func frameDuplicated(_ frame: FrameDuplicated, at event: Occurrence, into report: inout Report) {
    let id = UInt64(truncatingIfNeeded: frame.id)
    guard var flight = flight(id) else {
      report.add("frame \(id) is duplicated while none is in flight", at: event.time, lines: [event.line])
      return
    }
    flight.copies = flight.copies +| UInt32(clamping: frame.copies)
    update(flight, id)
  }

  package mutating func frameDelivered(_ frame: FrameDelivered, at event: Occurrence, into report: inout Report) {
    settle(frame.id, copy: frame.copy, event, &report)
  }

  package mutating func frameDropped(_ frame: FrameDropped, at event: Occurrence, into report: inout Report) {
    settle(frame.id, copy: frame.copy, event, &report)
  }

  package mutating func end(_ end: TraceEnd, at event: Occurrence, into report: inout Report) {
    observeEnd(end, event, &report)
  }

  private mutating func settle(
    _ id: Int64, copy: Int64, _ event: Occurrence, _ report: inout Report
  ) {
    let (id, copy) = (UInt64(truncatingIfNeeded: id), UInt64(truncatingIfNeeded: copy))
    guard var flight = flight(id) else {
      let why =
        id <= lastID
        ? "got another fate (\(event.name.text)), but it had already been delivered or dropped"
        : "has a fate (\(event.name.text)), but was never sent"
      report.add("frame \(id) \(why)", at: event.time, lines: [event.line])
      return
    }
    let bit: UInt64 = copy < 64 ? 1 << copy : 0
    guard copy < flight.copies, flight.fates & bit == 0 else {
      let what =
        copy < flight.copies ? "was delivered or dropped twice" : "was delivered or dropped, but was never made"
      report.add("copy \(copy) of frame \(id) \(what)", at: event.time, lines: [flight.line, event.line])
      return
    }
    flight.fates |= bit
    flight.settled += 1
    update(flight.settled == flight.copies ? nil : flight, id)
  }

  @inline(__always)
  private func flight(_ id: UInt64) -> Flight? { id == latestID && latest != nil ? latest : flights[id] }

  @inline(__always)
  private mutating func update(_ flight: Flight?, _ id: UInt64) {
    if id == latestID, latest != nil { latest = flight } else { flights[id] = flight }
  }

  private func observeEnd(_ end: TraceEnd, _ event: Occurrence, _ report: inout Report) {
    if let frames = end.frames, frames != sentCount {
      report.add(
        "the end of the trace counts \(frames) frames, but \(sentCount) were sent", at: event.time, lines: [event.line])
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    guard ending.isComplete else { return }
    var flights = flights
    if let latest { flights[latestID] = latest }
    for (id, flight) in flights.sorted {
      let missing = flight.copies - flight.settled
      report.add(
        "frame \(id) lost track of \(missing) of its \(flight.copies) copies: neither delivered nor dropped",
        at: flight.time,
        lines: [flight.line])
    }
  }
}

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
