import Console
import Link

/// `--format svg`: a sequence diagram as a drawing.
///
/// Time runs downwards, with a row for each event; an arrow slants from the sending of a frame to its arrival.
struct SVGExporter: TraceExporter {
  static let name = "svg"
  static let about = "a sequence diagram of a stretch, as a drawing"
  static let suffixes = [".svg"]
  static let isReadable = true

  private static let rowHeight = 24
  private static let headHeight = 76
  private static let timeWidth = 84
  private static let laneWidth = 440

  private let subject: ExportSubject
  private var stretch: SequenceStretch
  private var body = ""
  /// The story's lines, drawn over the arrows.
  private var words = ""
  private var y = headHeight

  init(_ subject: ExportSubject, into bytes: inout [UInt8]) {
    self.subject = subject
    stretch = SequenceStretch(subject)
  }

  mutating func observe(_ event: TraceEvent, line: Int, into bytes: inout [UInt8]) {
    stretch.observe(event, line: line)
  }

  mutating func finish(_ ending: ExportEnding, into bytes: inout [UInt8]) -> [String] {
    let steps = stretch.finish()
    let hasEdge = steps.contains { if case .sent(let frame) = $0 { frame.isOnUplink } else { false } }
    draw(steps)
    if let notice = stretch.notice { drawNote(notice, tone: .quiet, at: nil) }
    y += Self.rowHeight
    let width = Self.timeWidth + Self.laneWidth * (hasEdge ? 2 : 1) + 110
    bytes += head(width: width, hasEdge: hasEdge).utf8
    bytes += body.utf8
    bytes += words.utf8
    bytes += "</svg>\n".utf8
    return stretch.notice.map { [$0] } ?? []
  }

  // MARK: Rows

  private mutating func draw(_ steps: [SequenceStretch.Step]) {
    /// The rows in which the frames in flight were sent, by their lines.
    var sentAt: [Int: Int] = [:]
    var last: VirtualTime?
    for step in steps {
      let time = Self.time(of: step)
      if let last, time - last > .seconds(5) { gap(time - last) }
      last = time
      switch step {
      case .sent(let frame):
        sentAt[frame.line] = y
        clock(time)
        label(frame)
      case .fate(let frame, let fate): arrow(frame, fate, from: sentAt[frame.line] ?? y)
      case .sentence(let line): drawNote("\(line.voice.rawValue): \(line.text)", tone: line.tone, at: line.time)
      }
      y += Self.rowHeight
    }
    if steps.isEmpty { drawNote("nothing happened in this stretch", tone: .quiet, at: nil) }
  }

  private static func time(of step: SequenceStretch.Step) -> VirtualTime {
    switch step {
    case .sent(let frame): frame.time
    case .fate(_, let fate): fate.time
    case .sentence(let line): line.time
    }
  }

  private static func lane(_ node: String) -> Int {
    switch node {
    case "watch": timeWidth + 50
    case "edge": timeWidth + 50 + 2 * laneWidth
    default: timeWidth + 50 + laneWidth
    }
  }

  private mutating func clock(_ time: VirtualTime) {
    let milliseconds = time.nanoseconds / 1_000_000 % 1_000
    let fraction = String(milliseconds + 1_000).dropFirst()
    body +=
      "<text class=\"t\" x=\"\(Self.timeWidth - 10)\" y=\"\(y + 4)\">\(StoryText.clock(time)).\(fraction)</text>\n"
  }

  private mutating func label(_ frame: ExportedFrame) {
    let (from, to) = (Self.lane(frame.sender.text), Self.lane(frame.receiver))
    let (x, anchor) = to > from ? (from + 8, "start") : (from - 8, "end")
    body += "<circle cx=\"\(from)\" cy=\"\(y)\" r=\"2.5\" class=\"d\"/>"
    body += "<text x=\"\(x)\" y=\"\(y - 4)\" text-anchor=\"\(anchor)\">\(Markup.escaped(frame.label))</text>\n"
  }

  private mutating func arrow(_ frame: ExportedFrame, _ fate: ExportedFrame.Fate, from top: Int) {
    let (from, to) = (Self.lane(frame.sender.text), Self.lane(frame.receiver))
    clock(fate.time)
    guard let cause = fate.cause else {
      body += "<line class=\"a\" x1=\"\(from)\" y1=\"\(top)\" x2=\"\(to + (to > from ? -2 : 2))\" y2=\"\(y)\""
      body += " marker-end=\"url(#h)\"/>\n"
      return
    }
    // The arrow of a lost frame ends halfway.
    let (x, bottom) = (from + (to - from) * 6 / 10, top + max(8, (y - top) * 6 / 10))
    body += "<line class=\"l\" x1=\"\(from)\" y1=\"\(top)\" x2=\"\(x)\" y2=\"\(bottom)\"/>"
    body += "<path class=\"x\" d=\"M\(x - 4),\(bottom - 4)l8,8m0,-8l-8,8\"/>"
    let blame = fate.fault.map { " (\($0))" } ?? ""
    body += "<text class=\"lost\" x=\"\(x + 10)\" y=\"\(bottom + 4)\">\(Markup.escaped(cause + blame))</text>\n"
  }

  private mutating func drawNote(_ text: String, tone: StoryLine.Tone, at time: VirtualTime?) {
    let pieces = wrap(TerminalText.escape(text), to: 64)
    if let time { clock(time) }
    for (index, piece) in pieces.enumerated() {
      if index > 0 { y += 17 }
      let x = Self.timeWidth + 50 + Self.laneWidth / 2
      words += "<text class=\"n \(tone)\" x=\"\(x)\" y=\"\(y + 4)\">\(Markup.escaped(piece))</text>\n"
    }
  }

  private mutating func gap(_ length: VirtualTime.Span) {
    let x = Self.timeWidth + 50 + Self.laneWidth / 2
    body += "<text class=\"n quiet\" x=\"\(x)\" y=\"\(y + 2)\">\(StoryText.length(length, places: 0)) later</text>\n"
    y += Self.rowHeight
  }

  // MARK: Frame of the drawing

  private func head(width: Int, hasEdge: Bool) -> String {
    let title = Markup.escaped("\(subject.header.scenario), seed \(subject.header.seed)")
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(y)" width="\(width)" height="\(y)" role="img"
       aria-labelledby="title about">
      <title id="title">\(title)</title>
      <desc id="about">A sequence diagram: time runs down, arrows are frames between the devices.</desc>
      <style>
      svg { background: #fff; color: #1d2430; font: 12px ui-sans-serif, system-ui, sans-serif }
      text { fill: currentColor } .t { fill: #6b7685; text-anchor: end; font-size: 11px }
      .h { font-weight: 600; font-size: 14px; text-anchor: middle } .n { text-anchor: middle; font-size: 12.5px }
      .v { stroke: #c5ccd6; stroke-width: 1.5 } .a { stroke: #2f6fb2; stroke-width: 1.3 } .d, .m { fill: #2f6fb2 }
      .l { stroke: #b3372f; stroke-width: 1.3; stroke-dasharray: 5 3 }
      .x { stroke: #b3372f; stroke-width: 1.6; fill: none }
      .lost, .trouble { fill: #b3372f } .speech { fill: #1a6f78; font-style: italic } .relief { fill: #2b7a3d }
      .quiet { fill: #6b7685 }
      .n { paint-order: stroke; stroke: #fff; stroke-width: 5px }
      @media (prefers-color-scheme: dark) {
      svg { background: #14181f; color: #e3e8ef } .v { stroke: #3a4352 } .a { stroke: #76aee6 }
      .d, .m { fill: #76aee6 } .l, .x { stroke: #f08a80 } .lost, .trouble { fill: #f08a80 }
      .speech { fill: #7fd0d8 } .relief { fill: #82d394 } .t, .quiet { fill: #97a3b3 } .n { stroke: #14181f } }
      </style>
      <defs><marker id="h" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">
      <path class="m" d="M0,1L10,5L0,9z"/></marker></defs>
      <text x="16" y="24" style="font-weight:600;font-size:15px">\(title)</text>

      """
    for node in ["watch", "phone"] + (hasEdge ? ["edge"] : []) {
      let x = Self.lane(node)
      text += "<text class=\"h\" x=\"\(x)\" y=\"50\">\(node)</text>"
      text += "<line class=\"v\" x1=\"\(x)\" y1=\"58\" x2=\"\(x)\" y2=\"\(y - 8)\"/>\n"
    }
    return text
  }
}
