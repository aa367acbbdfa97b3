package import Link

/// `no-silent-refusal`: a message is sent, or its sender gets an error.
package struct SilentRefusalChecker: Checker {
  package static let invariant = "no-silent-refusal"
  package static let about =
    "Every message that an app sends leaves as a frame or is refused with an error: of the numbers of an epoch none is passed over."

  /// The last message number of a sender's epoch that was sent or refused.
  private struct Last {
    var epoch: Int64
    var seq: Int64
    var line: Int
  }

  private var watch: Last?
  private var phone: Last?

  package init(header: TraceHeader) {}

  package mutating func frameSent(_: FrameSent, at event: Occurrence, into report: inout Report) {
    guard let frame = event.frame, frame.kind == .data, frame.channel == .message else { return }
    account(for: Last(epoch: frame.epoch, seq: frame.seq, line: event.line), event, &report)
  }

  package mutating func messageRefused(_ message: MessageRefused, at event: Occurrence, into report: inout Report) {
    account(for: Last(epoch: message.epoch, seq: message.seq, line: event.line), event, &report)
  }

  private mutating func account(for now: Last, _ event: Occurrence, _ report: inout Report) {
    switch event.place {
    case .watch: Self.account(for: now, after: &watch, of: event, &report)
    case .phone: Self.account(for: now, after: &phone, of: event, &report)
    case .edge, .link, .uplink, .runner: break
    }
  }

  private static func account(
    for now: Last, after last: inout Last?, of event: Occurrence, _ report: inout Report
  ) {
    defer { last = now }
    guard let last, last.epoch == now.epoch, now.seq > last.seq +| 1 else { return }
    // Cannot overflow: one number is below the other, and they are not adjacent.
    let (first, final) = (last.seq + 1, now.seq - 1)
    let missing = first == final ? "\(first)" : "\(first) to \(final)"
    report.add(
      "the \(event.place.text) neither sent nor refused its message \(missing) of epoch \(now.epoch)", at: event.time,
      lines: [last.line, now.line])
  }
}
