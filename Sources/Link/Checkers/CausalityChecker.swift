/// `causality`: time does not go back, and nothing arrives before it was sent.
public struct CausalityChecker: Checker {
  public static let invariant = "causality"
  public static let about = "Nothing arrives before it was sent, and no line is earlier than the one before it."
  public static let interests: [TraceEvent.Name] = ["frame.sent", "frame.delivered", "frame.dropped"]

  /// The highest frame that was sent: ids count upwards.
  private var lastID: Int64 = 0
  /// When the frames with ids of the latest few thousand were sent, by their low bits.
  private var sent: [(id: Int64, time: VirtualTime, line: Int)] = []
  private static let sentMax = 4096

  public init(header: TraceHeader) {}

  public mutating func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {
    var fields = FieldCursor(event)
    guard let id = fields.integer("id") else { return }
    if event.name.code == TraceEvent.Name.Code.frameSent {
      lastID = max(lastID, id)
      let place = Int(truncatingIfNeeded: id) & (Self.sentMax - 1)
      // Room for a quarter of an hour: a list that grows is copied again and again.
      if sent.isEmpty { sent.reserveCapacity(1_024) }
      while sent.count <= place { sent.append((-1, .start, 0)) }
      sent[place] = (id, event.time, line)
    } else {
      if id > lastID {
        report.append(
          Self.violation("\(event.name.text) of frame \(id) before it was sent", at: event.time, lines: [line]))
        return
      }
      let place = Int(truncatingIfNeeded: id) & (Self.sentMax - 1)
      guard place < sent.count, sent[place].id == id, event.time < sent[place].time else { return }
      report.append(
        Self.violation(
          "\(event.name.text) of frame \(id), \((sent[place].time - event.time).nanoseconds) ns before it was sent",
          at: event.time, lines: [sent[place].line, line]))
    }
  }

  public mutating func takeStepBack(
    _ event: TraceEvent, line: Int, from latest: VirtualTime, on latestLine: Int, into report: inout [Violation]
  ) {
    report.append(
      Self.violation(
        "\(event.name.text) at \(event.time.nanoseconds) ns stands after a line of \(latest.nanoseconds) ns",
        at: event.time, lines: [latestLine, line]))
  }

  public mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
