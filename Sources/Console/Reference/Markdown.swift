package import Link

/// Pieces of the reference pages.
package enum Markdown {
  /// The head of a generated page.
  package static func head(_ title: String) -> String {
    """
    # \(title)

    <!-- Printed by `sim-runner docs`: change the catalogues in Sources, not this page. -->

    """
  }

  /// A table with its head.
  package static func table(_ head: [String], _ rows: [[String]]) -> String {
    var text = "| " + head.joined(separator: " | ") + " |\n"
    text += "|" + String(repeating: " --- |", count: head.count) + "\n"
    for row in rows {
      let cells = row.map { $0.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|") }
      text += "| " + cells.joined(separator: " | ") + " |\n"
    }
    return text
  }

  /// A list of terms and what each means.
  package static func list(_ rows: [(term: String, meaning: String)]) -> String {
    rows.map { "* \($0.term): \($0.meaning)\n" }.joined()
  }

  /// A table of an object's keys, with the default behind the value.
  package static func table(of fields: [FieldDescription]) -> String {
    table(
      ["key", "value (default)", "meaning"],
      fields.map { [code($0.name), "\($0.value.range) (\($0.standard ?? "*required*"))", $0.about] })
  }

  /// Keys in one cell of a table.
  package static func keys(_ fields: [FieldDescription]) -> String {
    fields.map { "`\($0.name)` (\($0.value.range); \($0.standard ?? "required")): \($0.about)" }.joined(separator: "; ")
  }

  /// The text without marks: code as it is, and of a link its words.
  package static func plain(_ text: String) -> String {
    text.replacing(/\[([^\]]*)\]\([^)]*\)/) { String($0.output.1) }.replacing("`", with: "")
  }

  /// A text as code; empty for an empty text.
  package static func code(_ text: String) -> String { text.isEmpty ? "" : "`\(text)`" }

  /// Code over several lines.
  package static func block(_ text: String, _ language: String = "json5") -> String {
    "```\(language)\n\(text.hasSuffix("\n") ? text : text + "\n")```\n"
  }

  /// A page with the text between two marks replaced; as it is if a mark is missing.
  package static func replacingPart(of page: String, _ begin: String, _ end: String, with text: String) -> String {
    guard let first = page.firstRange(of: begin), let last = page[first.upperBound...].firstRange(of: end) else {
      return page
    }
    var page = page
    page.replaceSubrange(first.upperBound..<last.lowerBound, with: "\n" + text + "\n")
    return page
  }
}
