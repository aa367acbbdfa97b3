package import Link

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
