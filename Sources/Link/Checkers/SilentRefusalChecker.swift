/// `no-silent-refusal`: a message goes out, or somebody is told why not.
public struct SilentRefusalChecker: Checker {
  public static let invariant = "no-silent-refusal"
  public static let about =
    "Every message that an app sends leaves as a frame or is refused with an error: of the numbers of an epoch none is passed over."
  public static let interests: [TraceEvent.Name] = ["frame.sent", "message.refused"]
  public static let frameSorts: [FrameSort]? = [.plain, .data]

  /// The last number of a sender's epoch that is accounted for.
  private struct Last {
    var epoch: Int64
    var seq: Int64
    var line: Int
  }

  private var watch: Last?
  private var phone: Last?

  public init(header: TraceHeader) {}

  public mutating func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {
    var fields = FieldCursor(event)
    if event.name.code == TraceEvent.Name.Code.frameSent {
      fields.skip("id")
      fields.skip("to")
      guard fields.says("kind", Frame.Kind.data.text), fields.says("channel", Channel.message.text) else { return }
    }
    guard let epoch = fields.integer("epoch"), let seq = fields.integer("seq") else { return }
    let now = Last(epoch: epoch, seq: seq, line: line)
    switch event.place {
    case .watch: Self.account(for: now, after: &watch, at: event.time, &report)
    case .phone: Self.account(for: now, after: &phone, at: event.time, &report)
    case .edge, .link, .uplink, .runner: break
    }
  }

  private static func account(for now: Last, after last: inout Last?, at time: VirtualTime, _ report: inout [Violation])
  {
    defer { last = now }
    guard let last, last.epoch == now.epoch, now.seq > last.seq +| 1 else { return }
    // Exact: the one is below the other, and not next to it.
    let (first, final) = (last.seq + 1, now.seq - 1)
    let missing = first == final ? "\(first)" : "\(first) to \(final)"
    report.append(
      violation(
        "message \(missing) of epoch \(now.epoch) was neither sent nor refused", at: time, lines: [last.line, now.line])
    )
  }

  public mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
