/// `link-no-faster`: the link carries frames in order, and no faster than its profile says.
public struct LinkNoFasterChecker: Checker {
  public static let invariant = "link-no-faster"
  public static let about =
    "The originals of a direction's frames arrive in the order of their sending, unless a fault reorders, and none before the link's bandwidth has carried it and those before it."
  public static let interests: [TraceEvent.Name] = [
    "frame.sent", "frame.delivered", "frame.dropped", "link.down", "fault.begin", "fault.end",
  ]

  /// A frame on its way.
  private struct Flight {
    var id: Int64 = -1
    var sentAt = VirtualTime.start
    /// When the link has carried it at the earliest.
    var carriedAt = VirtualTime.start
    var line = 0
  }

  /// One direction of the link.
  private struct Lane {
    var carriedAt = VirtualTime.start
    /// The same before the last frame, which may turn out to be dropped before its turn.
    var before = VirtualTime.start
    /// The latest sent of the originals that have arrived.
    var arrived: (id: Int64, line: Int)?
  }

  /// Bytes per second; nil for no limit.
  private let bytesPerSecond: Int64?
  private let isJudged: Bool
  private var log = FrameLog()
  private var flights: [Flight] = []
  private var lanes = [Lane(), Lane()]
  private var reorders = ActiveFaults(["reorder"])

  public init(header: TraceHeader) {
    var limit: Int64?
    if case .object(let members) = header.link.value,
      case .integer(let value)? = members.first(where: { $0.key == "bytesPerSecond" })?.node.value, value > 0
    {
      limit = value
    }
    bytesPerSecond = limit
    // A recording has the times of its app's own clock.
    isJudged = !header.extras.contains { $0.key == "capture" || $0.key == "freeRunning" }
  }

  public mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    guard isJudged else { return }
    switch event.body {
    case .frameSent(let frame):
      guard let entry = log.record(frame, event, line: line), entry.channel != .health else { return }
      observeSent(entry, bytes: frame.bytes, at: event.time)
    case .frameDelivered(let frame):
      guard event.place == .link, frame.copy == 0, let entry = log.entry(of: frame.id) else { return }
      observeArrival(entry, event.time, line, &report)
    case .frameDropped(let frame):
      guard event.place == .link, frame.cause == .overflow || frame.cause == .disconnected,
        let entry = log.entry(of: frame.id), let flight = flight(frame.id), flight.sentAt == event.time
      else { return }
      // It never had its turn.
      let lane = Self.lane(entry)
      if lanes[lane].carriedAt == flight.carriedAt { lanes[lane].carriedAt = lanes[lane].before }
    case .linkDown:
      guard event.place == .link else { return }
      // All that waited is lost.
      for lane in lanes.indices { lanes[lane].carriedAt = event.time }
    default: reorders.observe(event)
    }
  }

  private static func lane(_ entry: FrameLog.Entry) -> Int { entry.sender == .watch ? 0 : 1 }

  private func flight(_ id: Int64) -> Flight? {
    let place = Int(truncatingIfNeeded: id) & (FrameLog.countMax - 1)
    guard place < flights.count, flights[place].id == id else { return nil }
    return flights[place]
  }

  private mutating func observeSent(_ entry: FrameLog.Entry, bytes: Int64, at now: VirtualTime) {
    let lane = Self.lane(entry)
    var carriedAt = now
    if let bytesPerSecond {
      let (product, overflows) = max(0, bytes).multipliedReportingOverflow(by: 1_000_000_000)
      let span = overflows ? 0 : product / bytesPerSecond
      lanes[lane].before = lanes[lane].carriedAt
      carriedAt = max(now, lanes[lane].carriedAt) + VirtualTime.Span(nanoseconds: span)
      lanes[lane].carriedAt = carriedAt
    }
    let place = Int(truncatingIfNeeded: entry.id) & (FrameLog.countMax - 1)
    if flights.isEmpty { flights.reserveCapacity(1_024) }
    while flights.count <= place { flights.append(Flight()) }
    flights[place] = Flight(id: entry.id, sentAt: now, carriedAt: carriedAt, line: entry.line)
  }

  private mutating func observeArrival(
    _ entry: FrameLog.Entry, _ now: VirtualTime, _ line: Int, _ report: inout [Violation]
  ) {
    guard let flight = flight(entry.id) else { return }
    let lane = Self.lane(entry)
    if now < flight.carriedAt {
      report.append(
        Self.violation(
          "frame \(entry.id) arrived \((flight.carriedAt - now).text) before the link could have carried it and those before it",
          at: now, lines: [flight.line, line]))
    }
    guard let last = lanes[lane].arrived, last.id > entry.id else {
      lanes[lane].arrived = (entry.id, line)
      return
    }
    let mayBeHeldBack = reorders.isActive(on: entry.sender) || reorders.lastEnd.map { $0 >= flight.sentAt } ?? false
    guard !mayBeHeldBack else { return }
    report.append(
      Self.violation(
        "frame \(last.id) overtook frame \(entry.id), which no fault held back", at: now,
        lines: [flight.line, last.line, line]))
  }

  public mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
