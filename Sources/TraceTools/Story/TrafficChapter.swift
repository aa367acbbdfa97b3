import Console
import Link

/// The thread of items that an app could not send, and of rare events, whose kinds have a sentence of their own.
struct TrafficChapter: StoryChapter {
  /// The same trouble within this time is reported once; the summary counts it.
  private static let pause = VirtualTime.Span.seconds(60)

  /// When each trouble was last reported; lookup only.
  private var reportedAt: [String: VirtualTime] = [:]

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    guard event.place == .watch || event.place == .phone else { return }
    switch event.body {
    case .messageRefused(let message):
      // Snapshots are sent every second, and the summary counts those that were not.
      guard message.kind != "liveMetrics" else { return }
      addLine(event, "cannot send \(quoted(message.kind)): \(TerminalText.escape(message.error))", into: &lines)
    case .messageFailed(let message):
      addLine(
        event, "its message \(quoted(message.kind)) fails: \(TerminalText.escape(message.error))", into: &lines)
    case .transferFailed(let transfer):
      addLine(
        event, "its transfer \(quoted(transfer.kind)) fails: \(TerminalText.escape(transfer.error))", into: &lines)
    default:
      guard let sentence = EventCatalog.entry(event.name)?.sentence?(event.fields) else { return }
      addLine(event, TerminalText.escape(sentence.text), sentence.isRelief ? .relief : .trouble, into: &lines)
    }
  }

  private func quoted(_ kind: String?) -> String { kind.map { "\"\(TerminalText.escape($0))\"" } ?? "" }

  private mutating func addLine(
    _ event: TraceEvent, _ text: String, _ tone: StoryLine.Tone = .trouble, into lines: inout [StoryLine]
  ) {
    let text = text.replacing("  ", with: " ")
    let key = "\(event.place.text) \(text)"
    if let last = reportedAt[key], event.time - last < Self.pause { return }
    // A user's node may produce any number of different failures.
    if reportedAt.count >= 1_000 { reportedAt.removeAll() }
    reportedAt[key] = event.time
    lines.add(event, text, tone)
  }
}
