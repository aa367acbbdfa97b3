import TraceTools
import Console
import Link

/// `sim-runner story`: prints a trace as a story.
enum StoryCommand: Command {
  static let name = "story"
  static let about = "prints a trace as a story, with its violations at their instants"
  static let usage = "TRACE [--node NODE] [--event NAME] [--message ID] [--from TIME] [--to TIME] [--log-level LEVEL]"
  static let options: [Option] = [
    .value("--node", "NODE", "only watch, phone, edge, link, uplink, runner, coach or run"),
    .value("--event", "EVENT", "only this event; with a final point a family: script."),
    .value("--message", "ID", "only this line of the script"),
    .value("--from", "TIME", "only from this instant on: 11m, 90s, 1:30"),
    .value("--to", "TIME", "only up to this instant"),
    .value("--log-level", "debug|info|notice|error|fault", "apps' logs from this level on; notice by default"),
  ]
  static let details = """
    TRACE is a file of JSON lines (docs/internals/trace-format.md), or - for standard input. What the phone believes is
    shown beside what was true, whenever the two differ. Violations are those that the trace itself lists;
    `sim-runner check` judges a trace that lists none. `sim-runner why` explains a line of the story.
    Exit status: 0 printed; 2 the file is no trace.
    """
  /// What `--node` takes.
  static let nodes = TraceEvent.Place.allCases.map(\.text) + ["coach", "run"]

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let path = try arguments.onlyOperand("the trace")
    let filter = try filter(arguments)
    var book: StoryBook?
    let ending = try TraceFile.read(path) { header in
      book = StoryBook(header: header, filter: filter)
    } take: { event, line in
      book?.observe(event, line: line)
    }
    if let event = arguments.value("--event"), let book, !book.eventCounts.keys.contains(where: filter.names) {
      throw .input(
        "--event: found \"\(TerminalText.escape(event))\", which the trace does not have; it has "
          + StoryText.list(book.eventCounts.keys.sorted().map { TerminalText.escape($0) }))
    }
    let screen = Screen(onStandardError: false)
    for line in book?.finish() ?? [] {
      screen.show(lines: line.rendered(isColored: screen.isColored, columns: screen.columns))
    }
    if ending.isTruncated { Terminal.error("\(path): note: the trace is truncated: it has no \"end\" line") }
    return 0
  }

  private static func filter(_ arguments: Arguments) throws(Failure) -> StoryFilter {
    var filter = StoryFilter()
    if let node = arguments.value("--node") {
      guard nodes.contains(node) else {
        throw .input("--node: found \"\(TerminalText.escape(node))\"\(PlainText.hint(for: node, among: nodes))")
      }
      filter.node = node
    }
    if let event = arguments.value("--event") {
      let names = TraceEvent.Name.known.map(\.text)
      let isFamily = event.hasSuffix(".") && (event == "app." || names.contains { $0.hasPrefix(event) })
      guard isFamily || event.hasPrefix("app.") || names.contains(event) else {
        throw .input(
          "--event: found \"\(TerminalText.escape(event))\"\(EventWords.hint(for: event)), expected an event, or a family such as message."
        )
      }
      filter.event = event
    }
    filter.message = arguments.value("--message")
    if let level = arguments.value("--log-level") {
      let levels = AppLogLevel.allCases.map(\.rawValue)
      guard let value = AppLogLevel(rawValue: level) else {
        throw .input("--log-level: found \"\(TerminalText.escape(level))\"\(PlainText.hint(for: level, among: levels))")
      }
      filter.logLevel = value
    }
    if let from = arguments.value("--from") { filter.window.from = try ClockText.parse(from, option: "--from") }
    if let to = arguments.value("--to") {
      let end = try ClockText.parse(to, option: "--to")
      guard end >= filter.window.from else { throw .input("--to: found a time before --from, expected a later one") }
      filter.window.to = end
    }
    return filter
  }
}
