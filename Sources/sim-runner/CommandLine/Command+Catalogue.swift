import Console
import Link

extension Command {
  /// Shows a catalogue: a line for each entry without an operand, and the page of the entry that it names.
  ///
  /// - Parameters:
  ///   - row: The columns of an entry's line, the name first.
  ///   - printJSON: Prints the object of `--json`.
  static func showCatalogue<Entry>(
    _ entries: [Entry], named noun: String, _ arguments: Arguments, name: (Entry) -> String,
    row: (Entry) -> [String], page: (Entry) -> [String], printJSON: ([Entry]) -> Void
  ) throws(Failure) -> Int32 {
    var (shown, lines) = (entries, [String]())
    if arguments.operands.isEmpty {
      lines = PlainText.columns(entries.map(row))
    } else {
      let wanted = try arguments.onlyOperand(noun)
      guard let entry = entries.first(where: { name($0) == wanted }) else {
        let hint = PlainText.hint(for: wanted, among: entries.map(name))
        throw .input("\(Self.name): found \"\(TerminalText.escape(wanted))\"\(hint)")
      }
      (shown, lines) = ([entry], page(entry))
    }
    if arguments.has("--json") { printJSON(shown) } else { for line in lines { Terminal.print(line) } }
    return 0
  }
}
