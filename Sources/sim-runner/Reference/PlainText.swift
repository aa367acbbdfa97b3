import Link

/// Text laid out for a terminal: columns and wrapped lines.
enum PlainText {
  /// Lays rows out in columns two blanks apart; the last column is not padded.
  static func columns(_ rows: [[String]], indent: Int = 0) -> [String] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.dropLast().enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.count)
      }
    }
    return rows.map { row in
      var line = String(repeating: " ", count: indent)
      for (column, cell) in row.enumerated() {
        line += cell
        guard column < row.count - 1 else { break }
        line += String(repeating: " ", count: widths[column] - cell.count + 2)
      }
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
  }

  /// Breaks a text into lines at its blanks; a word longer than a line stands alone.
  static func wrapped(_ text: String, width: Int = 100, indent: Int = 0) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(margin + line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    if !line.isEmpty { lines.append(margin + line) }
    return lines
  }

  /// `3 errors`, `1 error`.
  static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  /// What a unique name near a misspelt one adds to a message: a question, or the list of what there is.
  static func hint(for word: String, among known: [String]) -> String {
    if let nearest = Spelling.nearest(to: word, among: known) { return "; did you mean \"\(nearest)\"?" }
    return ", expected one of \(known.joined(separator: ", "))"
  }
}

/// The one JSON object that `--json` prints.
enum JSONOutput {
  /// Prints an object on standard output.
  static func print(_ members: [JSONMember]) {
    Terminal.print(String(decoding: JSONWriter.compact(JSONNode(.object(members))), as: UTF8.self))
  }

  /// An array of strings.
  static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { JSONNode(.string($0)) }) }

  /// An array of objects.
  static func objects(_ objects: [[JSONMember]]) -> JSONValue { .array(objects.map { JSONNode(.object($0)) }) }

  /// A string, or null.
  static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// A number to three decimals; null where there is none, or none that JSON could say.
  static func number(_ number: Double?) -> JSONValue {
    guard let number, number.isFinite else { return .null }
    guard abs(number) < 1e12 else { return .plain(number) }
    return .plain((number * 1_000).rounded() / 1_000)
  }
}
