import Console
import Link

/// `--format mermaid`: a sequence diagram as text, for documents that render it.
struct MermaidExporter: TraceExporter {
  static let name = "mermaid"
  static let about = "a sequence diagram of a stretch, for Markdown"
  static let suffixes = [".mmd", ".mermaid"]
  static let isReadable = true

  private var stretch: SequenceStretch

  init(_ subject: ExportSubject, into bytes: inout [UInt8]) {
    stretch = SequenceStretch(subject)
    let title = Self.plain("\(subject.header.scenario), seed \(subject.header.seed)")
    bytes += "---\ntitle: \"\(title)\"\n---\nsequenceDiagram\n".utf8
  }

  mutating func observe(_ event: TraceEvent, line: Int, into bytes: inout [UInt8]) {
    stretch.observe(event, line: line)
  }

  mutating func finish(_ ending: ExportEnding, into bytes: inout [UInt8]) -> [String] {
    let steps = stretch.finish()
    let hasEdge = steps.contains { if case .sent(let frame) = $0 { frame.isOnUplink } else { false } }
    var text = ""
    for node in ["watch", "phone"] + (hasEdge ? ["edge"] : []) { text += "  participant \(node)\n" }
    for step in steps {
      switch step {
      case .sent(let frame) where frame.fates.isEmpty:
        text += "  \(frame.sender.text)-)\(frame.receiver): \(Self.plain(frame.label)), unknown fate\n"
      case .sent: break  // Its arrow is drawn at its fate.
      case .fate(let frame, let fate): text += arrow(frame, fate)
      case .sentence(let line): text += noteText(line)
      }
    }
    if let notice = stretch.notice { text += "  Note over watch,phone: \(Self.plain(notice))\n" }
    bytes += text.utf8
    return stretch.notice.map { [$0] } ?? []
  }

  private func arrow(_ frame: ExportedFrame, _ fate: ExportedFrame.Fate) -> String {
    let after = StoryText.length(fate.time - frame.time, places: 3)
    let copy = fate.copy == 0 ? "" : " (copy \(fate.copy))"
    let (head, what) = fate.cause.map { ("-x", "lost: \($0)") } ?? ("->>", after)
    return "  \(frame.sender.text)\(head)\(frame.receiver): "
      + Self.plain("\(StoryText.clock(frame.time)) \(frame.label)\(copy), \(what)") + "\n"
  }

  private func noteText(_ line: StoryLine) -> String {
    let place =
      switch line.voice {
      case .watch: "left of watch"
      case .phone, .coach, .edge: "right of phone"
      case .link, .run: "over watch,phone"
      }
    return "  Note \(place): \(Self.plain("\(StoryText.clock(line.time)) \(line.text)"))\n"
  }

  /// Returns text without Mermaid's own syntax: `#` begins a code, `;` ends a statement, `%%` begins a comment.
  static func plain(_ text: String) -> String {
    var plain = ""
    for scalar in TerminalText.escape(text).unicodeScalars {
      switch scalar {
      case "#": plain += "#35;"
      case ";": plain += "#59;"
      case "%": plain += "#37;"
      case "\"": plain += "'"
      case "<": plain += "#lt;"
      case ">": plain += "#gt;"
      case "\\": plain += "#92;"
      default: plain.unicodeScalars.append(scalar)
      }
    }
    return plain
  }
}
