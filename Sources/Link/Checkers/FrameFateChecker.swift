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
