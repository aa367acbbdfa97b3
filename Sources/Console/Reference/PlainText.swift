import Link

/// Lays out text for a terminal: columns and wrapped lines.
package enum PlainText {
  /// Aligns rows in columns two blanks apart; the last column is not padded.
  package static func columns(_ rows: [[String]], indent: Int = 0) -> [String] {
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

  /// Wraps a text at its blanks; a word longer than a line is not split.
  package static func wrapped(_ text: String, width: Int = 100, indent: Int = 0) -> [String] {
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
  package static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  /// The hint after an unknown name: a question if one is similar, or a list.
  package static func hint(for word: String, among known: [String]) -> String {
    if let nearest = Spelling.nearest(to: word, among: known) { return "; did you mean \"\(nearest)\"?" }
    return ", expected one of \(known.joined(separator: ", "))"
  }
}

/// Breaks a text at blanks into lines of at most `width` characters; a longer word gets its own line.
package func wrap(_ text: String, to width: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  var length = 0
  for word in text.split(separator: " ", omittingEmptySubsequences: false) {
    if length > 0, length + 1 + word.count > width {
      lines.append(line)
      line = ""
      length = 0
    }
    if length > 0 {
      line += " "
      length += 1
    }
    line += word
    length += word.count
  }
  lines.append(line)
  return lines
}
