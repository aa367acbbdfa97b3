import Console
import Link

/// The thread of apps: the facts they record, their users' acts, and their defects.
struct AppChapter: StoryChapter {
  /// The limit of a fact's fields, in characters.
  private static let fieldsMax = 160

  /// The lowest level of log lines that the story shows.
  var logLevel = AppLogLevel.notice

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    guard event.place == .watch || event.place == .phone, event.name.text.hasPrefix(AppFact.family) else { return }
    var line = StoryLine(time: event.time, voice: StoryLine.Voice(event.place), text: "")
    switch event.body.kind {
    case let finding as AppFindingMade:
      line.text = "its app: \(finding.kind): \(finding.text)"
      line.tone = .trouble
    case let log as AppLogged:
      guard log.level >= logLevel else { return }
      line.text = "its app logs" + (log.level == .notice ? "" : " (\(log.level.rawValue))")
      line.text += (log.category.map { ", \($0): " } ?? ": ") + log.text
      line.tone = .quiet
    case let act as AppActTaken:
      line.text = "its user does \(TerminalText.escape(act.action))"
      if let arguments = act.arguments { line.text += " with \(arguments.text)" }
    default:
      line.text = "its app: \(event.name.text.dropFirst(AppFact.family.utf8.count))" + Self.text(event.fields)
    }
    line.text = TerminalText.escape(line.text)
    lines.append(line)
  }

  private static func text(_ fields: [TraceEvent.Field]) -> String {
    guard !fields.isEmpty else { return "" }
    let text = fields.map { "\($0.key) \($0.value.text ?? $0.value.jsonText)" }.joined(separator: ", ")
    return ", " + (text.count > fieldsMax ? text.prefix(fieldsMax) + "..." : text)
  }
}
