package import Link

/// `context-converges`: in the end each side holds the other's latest application context.
package struct ContextConvergesChecker: Checker {
  package static let invariant = "context-converges"
  package static let about =
    "After the faults have healed, the last received application context is the last one set, unless its receiver is down."

  private struct Latest {
    var digest: EventDigest
    var time: VirtualTime
    var line: Int
  }

  private var set: [TraceEvent.Place: Latest] = [:]
  private var received: [TraceEvent.Place: Latest] = [:]
  private var nodes = NodeStates()
  private var isHealed = false
  /// Whether the scenario has a link: without one, nothing can heal or arrive.
  private let hasLink: Bool

  package init(header: TraceHeader) { hasLink = header.hasLink }

  package mutating func healed(_: FaultsHealed, at event: Occurrence, into report: inout Report) {
    isHealed = true
  }

  package mutating func contextSet(_ context: ContextSet, at event: Occurrence, into report: inout Report) {
    set[event.place] = Latest(digest: context.digest, time: event.time, line: event.line)
  }

  package mutating func contextReceived(_ context: ContextReceived, at event: Occurrence, into report: inout Report) {
    received[event.place] = Latest(digest: context.digest, time: event.time, line: event.line)
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    nodes.observe(change)
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    guard ending.isComplete, isHealed, hasLink else { return }
    for (sender, receiver) in [(TraceEvent.Place.watch, TraceEvent.Place.phone), (.phone, .watch)] {
      guard let latest = set[sender], nodes.isUp(receiver), nodes.isUp(sender) else { continue }
      guard let held = received[receiver] else {
        report.add(
          "the \(receiver.text) never received the \(sender.text)'s context", at: latest.time, lines: [latest.line])
        continue
      }
      guard held.digest != latest.digest else { continue }
      report.add(
        "the \(receiver.text) holds another context than the \(sender.text) set last", at: held.time,
        lines: [latest.line, held.line])
    }
  }
}

/// `newest-context-only`: only the latest context is sent, until it is confirmed, and a received one is never replaced by
/// an older one.
package struct NewestContextChecker: Checker {
  package static let invariant = "newest-context-only"
  package static let about =
    "Every transmission of a context carries the one that its sender set last, and none follows its confirmation, restarts included; the numbers of those received rise. An equal context is not set again."

  private struct Side {
    /// The last context that it set.
    var seq: Int64 = 0
    var digest = EventDigest.none
    var setLine = 0
    /// The confirmation that arrived for it; 0 for none.
    var confirmedLine = 0
    var confirmedAt: VirtualTime?
    /// The last one that it received.
    var received: Int64 = 0
    var receivedLine = 0
  }

  private let nodes: BuiltInNodes
  private var sides = [Side(), Side()]

  package init(header: TraceHeader) { nodes = BuiltInNodes(header) }

  package mutating func frameSent(_ sent: FrameSent, at event: Occurrence, into report: inout Report) {
    guard let frame = event.frame, frame.isBetweenDevices, frame.channel == .applicationContext, frame.kind == .data,
      nodes.contains(event.place)
    else { return }
    observeSent(frame, sent.digest, &report)
  }

  package mutating func frameDelivered(_: FrameDelivered, at event: Occurrence, into report: inout Report) {
    guard event.place == .link, let frame = event.frame, frame.isBetweenDevices,
      frame.channel == .applicationContext, frame.kind == .ack,
      let side = frame.peer.deviceIndex, sides[side].seq == frame.seq, sides[side].confirmedLine == 0
    else { return }
    sides[side].confirmedLine = event.line
    sides[side].confirmedAt = event.time
  }

  package mutating func contextSet(_ context: ContextSet, at event: Occurrence, into report: inout Report) {
    guard let side = event.place.deviceIndex else { return }
    if sides[side].setLine > 0, sides[side].digest == context.digest, nodes.contains(event.place) {
      report.add(
        "the \(event.place.text) set the context that it had set before", at: event.time,
        lines: [sides[side].setLine, event.line])
    }
    sides[side].seq = context.seq
    sides[side].digest = context.digest
    sides[side].setLine = event.line
    sides[side].confirmedLine = 0
  }

  package mutating func contextReceived(_ context: ContextReceived, at event: Occurrence, into report: inout Report) {
    observeReceived(context, event, &report)
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    // An app that dies at that instant may not have stored the confirmation.
    if change.hasEnded, let side = change.target.place.deviceIndex, sides[side].confirmedAt == event.time {
      sides[side].confirmedLine = 0
    }
  }

  private mutating func observeSent(_ frame: SentFrame, _ digest: EventDigest, _ report: inout Report) {
    guard let side = frame.sender.deviceIndex, sides[side].setLine > 0 else { return }
    let latest = sides[side]
    if frame.seq != latest.seq || digest != latest.digest {
      report.add(
        "the \(frame.sender.text) sent context \(frame.seq), though it has set \(latest.seq)", at: frame.time,
        lines: [latest.setLine, frame.line])
    } else if latest.confirmedLine > 0 {
      report.add(
        "the \(frame.sender.text) sent context \(frame.seq) again, which is confirmed", at: frame.time,
        lines: [latest.confirmedLine, frame.line])
    }
  }

  private mutating func observeReceived(
    _ context: ContextReceived, _ event: Occurrence, _ report: inout Report
  ) {
    guard let side = event.place.deviceIndex, nodes.contains(event.place) else { return }
    let last = sides[side]
    if context.seq <= last.received {
      report.add(
        "the \(event.place.text) received context \(context.seq) after \(last.received)", at: event.time,
        lines: [last.receivedLine, event.line])
    }
    sides[side].received = max(last.received, context.seq)
    sides[side].receivedLine = event.line
  }
}

/// `complication-budget`: no side queues more complication transfers in a day than it may.
package struct ComplicationBudgetChecker: Checker {
  package static let invariant = "complication-budget"
  package static let about =
    "A device queues at most 50 complication transfers in a day of its clock; a clock that is set to another day begins a new count."

  /// The most complication transfers in a day.
  private static let perDay = 50
  private static let day: Int64 = 86_400_000_000_000

  private struct Count {
    var day: Int64?
    var count = 0
  }

  /// The run's start in nanoseconds since 1970; nil if the header does not name it.
  private let startedAt: Int64?
  private var counts = Array(repeating: Count(), count: TraceEvent.Place.allCases.count)
  private var skews = ActiveFaults(["clockSkew"])

  package init(header: TraceHeader) { startedAt = header.unixStart }

  package mutating func faultBegin(_ fault: FaultBegan, at event: Occurrence, into report: inout Report) {
    skews.observe(fault, at: event.time)
    restart(event)
  }

  package mutating func faultEnd(_ fault: FaultEnded, at event: Occurrence, into report: inout Report) {
    skews.observe(fault, at: event.time)
    restart(event)
  }

  /// Its clock may show another day, or begin one.
  private mutating func restart(_ event: Occurrence) {
    for place in [TraceEvent.Place.watch, .phone] where skews.isActive(on: place) || skews.lastEnd == event.time {
      counts[Int(place.rawValue)] = Count()
    }
  }

  package mutating func transferQueued(_ queued: TransferQueued, at event: Occurrence, into report: inout Report) {
    guard queued.identity.complication == true, let startedAt else { return }
    let place = Int(event.place.rawValue)
    let isSkewed = skews.isActive(on: event.place)
    let (sum, overflows) = startedAt.addingReportingOverflow(event.time.nanoseconds)
    let day = isSkewed || overflows ? 0 : sum / Self.day
    if counts[place].day != day { counts[place] = Count(day: day) }
    counts[place].count += 1
    // A day may begin while the clock is wrong.
    guard counts[place].count == (isSkewed ? 2 : 1) * Self.perDay + 1 else { return }
    report.add(
      "the \(event.place.text) queued more than \(Self.perDay) complication transfers in a day", at: event.time,
      lines: [event.line])
  }
}
