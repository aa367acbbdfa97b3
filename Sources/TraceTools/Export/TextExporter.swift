import Link

/// `--format text`: the story, its violations and the summary as plain text.
struct TextExporter: TraceExporter {
  static let name = "text"
  static let about = "the story and the summary as plain text"
  static let suffixes = [".txt"]
  static let isReadable = true

  private var book: StoryBook

  init(_ subject: ExportSubject, into bytes: inout [UInt8]) {
    book = StoryBook(header: subject.header, filter: StoryFilter(window: subject.window))
    bytes += "\(TerminalText.escape(subject.header.scenario)), seed \(subject.header.seed)\n\n".utf8
  }

  mutating func observe(_ event: TraceEvent, line: Int, into bytes: inout [UInt8]) { book.observe(event, line: line) }

  mutating func finish(_ ending: ExportEnding, into bytes: inout [UInt8]) -> [String] {
    for line in book.finish() { bytes += "\(line.rendered())\n".utf8 }
    bytes += "\n\(StorySummary.text(StorySummary.rows(book.tally)))\n".utf8
    return []
  }
}
