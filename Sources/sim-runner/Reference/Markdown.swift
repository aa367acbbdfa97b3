/// Pieces of the reference pages.
enum Markdown {
  /// The first lines of a page that is printed and not edited.
  static func head(_ title: String) -> String {
    """
    # \(title)

    <!-- Printed by `sim-runner docs`: change the catalogues in Sources, not this page. -->

    Terms are in [glossary.md](glossary.md).

    """
  }

  /// A table with its head.
  static func table(_ head: [String], _ rows: [[String]]) -> String {
    var text = "| " + head.joined(separator: " | ") + " |\n"
    text += "|" + String(repeating: " --- |", count: head.count) + "\n"
    for row in rows {
      let cells = row.map { $0.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|") }
      text += "| " + cells.joined(separator: " | ") + " |\n"
    }
    return text
  }

  /// A text as code; nothing where it is empty.
  static func code(_ text: String) -> String { text.isEmpty ? "" : "`\(text)`" }

  /// Code over several lines.
  static func block(_ text: String, _ language: String = "json5") -> String {
    "```\(language)\n\(text.hasSuffix("\n") ? text : text + "\n")```\n"
  }
}
