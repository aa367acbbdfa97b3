/// `every-frame-one-fate`: no frame disappears, and none is heard of twice.
public struct FrameFateChecker: Checker {
  public static let invariant = "every-frame-one-fate"
  public static let about =
    "Every copy of every frame is delivered or dropped exactly once, and the count at the end is that of the frames sent."
  public static let interests: [TraceEvent.Name] = [
    "frame.sent", "frame.duplicated", "frame.delivered", "frame.dropped", "end",
  ]

  /// A frame some of whose copies are on their way.
  private struct Flight {
    var line: Int
    var time: VirtualTime
    /// Copies that exist, the original among them.
    var copies: UInt32 = 1
    var settled: UInt32 = 0
    /// Which of the first 64 copies are settled, a bit each.
    var fates: UInt64 = 0
  }

  /// All that are under way but the one below.
  private var flights = NumberTable<Flight>()
  /// The frame that was sent last, while it is under way: nearly all arrive before another is sent.
  private var latest: Flight?
  private var latestID: UInt64 = 0
  private var sentCount: Int64 = 0
  private var lastID: UInt64 = 0

  public init(header: TraceHeader) {}

  public mutating func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {
    if event.name.code == TraceEvent.Name.Code.end { return observeEnd(event, line: line, into: &report) }
    var fields = FieldCursor(event)
    let id = UInt64(truncatingIfNeeded: fields.integer("id") ?? 0)
    switch event.name.code {
    case TraceEvent.Name.Code.frameSent:
      sentCount += 1
      if id <= lastID {
        report.append(
          Self.violation("frame \(id) is sent after frame \(lastID): ids count upwards", at: event.time, lines: [line]))
      }
      lastID = max(lastID, id)
      if let latest { flights[latestID] = latest }
      latest = nil
      if flights.count > 0 { flights[id] = nil }
      latestID = id
      latest = Flight(line: line, time: event.time)
    case TraceEvent.Name.Code.frameDuplicated:
      guard var flight = flight(id) else {
        report.append(
          Self.violation("frame \(id) is duplicated while none is on its way", at: event.time, lines: [line]))
        return
      }
      flight.copies = flight.copies +| UInt32(clamping: fields.integer("copies") ?? 1)
      note(flight, id)
    default:
      settle(id, copy: UInt64(truncatingIfNeeded: fields.integer("copy") ?? 0), event, line, &report)
    }
  }

  private mutating func settle(
    _ id: UInt64, copy: UInt64, _ event: TraceEvent, _ line: Int, _ report: inout [Violation]
  ) {
    guard var flight = flight(id) else {
      let why = id <= lastID ? "has its fate already" : "was never sent"
      report.append(Self.violation("\(event.name.text) of frame \(id), which \(why)", at: event.time, lines: [line]))
      return
    }
    let bit: UInt64 = copy < 64 ? 1 << copy : 0
    guard copy < flight.copies, flight.fates & bit == 0 else {
      let what =
        copy < flight.copies ? "a second fate for copy \(copy)" : "a fate for copy \(copy), which was never made"
      report.append(Self.violation("\(what) of frame \(id)", at: event.time, lines: [flight.line, line]))
      return
    }
    flight.fates |= bit
    flight.settled += 1
    note(flight.settled == flight.copies ? nil : flight, id)
  }

  @inline(__always)
  private func flight(_ id: UInt64) -> Flight? { id == latestID && latest != nil ? latest : flights[id] }

  @inline(__always)
  private mutating func note(_ flight: Flight?, _ id: UInt64) {
    if id == latestID, latest != nil { latest = flight } else { flights[id] = flight }
  }

  private func observeEnd(_ end: TraceEvent, line: Int, into report: inout [Violation]) {
    if let frames = end["frames"]?.integer, frames != sentCount {
      report.append(
        Self.violation("the end counts \(frames) frames, the trace has \(sentCount)", at: end.time, lines: [line]))
    }
  }

  public mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    guard ending.isComplete else { return }
    var flights = flights
    if let latest { flights[latestID] = latest }
    for (id, flight) in flights.sorted {
      let missing = flight.copies - flight.settled
      report.append(
        Self.violation(
          "frame \(id): \(missing) of \(flight.copies) copies neither delivered nor dropped", at: flight.time,
          lines: [flight.line]))
    }
  }
}
