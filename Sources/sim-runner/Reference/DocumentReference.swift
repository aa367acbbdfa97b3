import Console
import Foundation
import Link

/// The page that says of each requirement of the documents what shows it and what holds it.
///
/// Its table is a file of its own, which a test runs row by row.
enum DocumentReference {
  /// A requirement.
  struct Row {
    var requirement: String
    /// What shows it; see the table's first lines.
    var evidence: String
    /// The invariant that holds it; empty for none.
    var invariant: String
  }

  /// The page made of a table.
  ///
  /// - Throws: For a table that cannot be read.
  static func page(of path: String) throws(Failure) -> String {
    let table: JSONNode
    let bytes = try FilePath.read(path)
    do { table = try JSONParser.parse(bytes, dialect: .json5) } catch { throw .input("\(path): error: \(error)") }
    guard case .object(let paths)? = table["scenarios"]?.value else {
      throw .input("\(path): error: found no scenarios, expected an object")
    }
    var number = 0
    var sections: [String] = []
    for document in table["documents"]?.elements ?? [] {
      var lines = ["## \(document["title"]?.text ?? "")\n"]
      for element in document["rows"]?.elements ?? [] {
        guard let row = Row(element.text ?? "") else {
          throw .input("\(path): error: found \"\(element.text ?? "")\", expected requirement | evidence | invariant")
        }
        number += 1
        let held = row.invariant.isEmpty ? "" : "; `\(row.invariant)`"
        lines.append("\(number). \(row.requirement): \(row.shown)\(held)")
      }
      sections.append(lines.joined(separator: "\n") + "\n")
    }
    let scenarios = paths.map { "`\($0.key)`: `\($0.node.text ?? "")`" }
    return """
      # The documents, row by row

      <!-- Printed by `sim-runner docs` from documents.json5: change that table, not this page. -->

      What the five documents that Wristwire comes from ask for, what shows it, and behind a semicolon the
      [invariant](internals/checkers.md) that holds it. A test runs every row. To see one:
      `sim-runner run scenarios/NAME.json5 --trace t.jsonl --state-dir state`; an event is in the trace, a `Table.column` in
      `state/phone/store.sqlite`, a file in `state`; a screen is one of `sim-runner open`. Scenarios: \(scenarios.joined(separator: ", ")).

      \(sections.joined(separator: "\n"))
      """
  }
}

extension DocumentReference.Row {
  /// Reads `requirement | evidence | invariant`; nil for other parts.
  init?(_ text: String) {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    guard (2...3).contains(parts.count), !parts[0].isEmpty, parts[1].contains(" ") else { return nil }
    self.init(requirement: parts[0], evidence: parts[1], invariant: parts.count > 2 ? parts[2] : "")
  }

  /// The evidence as the page shows it.
  var shown: String {
    let (first, rest) = (evidence.prefix { $0 != " " }, evidence.drop { $0 != " " }.dropFirst())
    return switch first {
    case "-": "not possible: \(rest)"
    case "migrate": "`sim-runner migrate`: `\(rest)`"
    default: "\(first): `\(rest)`"
    }
  }
}
