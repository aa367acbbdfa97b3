import Link

/// The thread of items that an app could not send: refused and failed messages and transfers, and switches of watches.
struct TrafficChapter: StoryChapter {
  /// The same trouble within this time is reported once; the summary counts it.
  private static let pause = VirtualTime.Span.seconds(60)

  /// When each trouble was last reported; lookup only.
  private var reportedAt: [String: VirtualTime] = [:]

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    guard event.place == .watch || event.place == .phone else { return }
    switch event.name.code {
    case TraceEvent.Name.Code.messageRefused:
      // Snapshots are sent every second, and the summary counts those that were not.
      guard event.text("kind") != "liveMetrics" else { return }
      addLine(event, "cannot send \(quoted(event, or: "a message")): \(error(event))", into: &lines)
    case TraceEvent.Name.Code.messageFailed:
      addLine(event, "its message \(quoted(event, or: "")) fails: \(error(event))", into: &lines)
    case TraceEvent.Name.Code.transferFailed:
      addLine(event, "its transfer \(quoted(event, or: "")) fails: \(error(event))", into: &lines)
    default: observeRare(event, into: &lines)
    }
  }

  private mutating func observeRare(_ event: TraceEvent, into lines: inout [StoryLine]) {
    switch event.name.text {
    case "transfer.refused":
      let channel = event.text("channel") == "file" ? "a file" : "a transfer"
      addLine(event, "cannot queue \(channel): \(error(event))", into: &lines)
    case "transfer.cancelled": addLine(event, "gives up its transfer \(quoted(event, or: ""))", into: &lines)
    case "transfer.setAside":
      addLine(event, "sets a transfer aside that it cannot decode", into: &lines)
    case "payload.undecodable":
      addLine(
        event, "receives something of the \(word(event, "from")) that it cannot decode: \(error(event))", into: &lines)
    case "session.deactivated":
      addLine(event, "its session is deactivated: the runner switches watches", into: &lines)
    case "session.activated": addLine(event, "its session is active again", .relief, into: &lines)
    default: break
    }
  }

  private func quoted(_ event: TraceEvent, or other: String) -> String {
    event.text("kind").map { "\"\(TerminalText.escape($0))\"" } ?? other
  }

  private func word(_ event: TraceEvent, _ key: String) -> String {
    event.text(key).map { TerminalText.escape($0) } ?? "unknown"
  }

  private func error(_ event: TraceEvent) -> String { word(event, "error") }

  private mutating func addLine(
    _ event: TraceEvent, _ text: String, _ tone: StoryLine.Tone = .trouble, into lines: inout [StoryLine]
  ) {
    let text = text.replacing("  ", with: " ")
    let key = "\(event.place.text) \(text)"
    if let last = reportedAt[key], event.time - last < Self.pause { return }
    // A user's node may produce any number of different failures.
    if reportedAt.count >= 1_000 { reportedAt.removeAll() }
    reportedAt[key] = event.time
    lines.append(StoryLine(time: event.time, voice: event.place == .watch ? .watch : .phone, text: text, tone: tone))
  }
}
