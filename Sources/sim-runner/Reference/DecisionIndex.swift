import Console
import Foundation

/// The list of decisions, made from the titles of their pages.
enum DecisionIndex {
  /// The page, in the order of the numbers.
  ///
  /// - Throws: For a folder that cannot be read, or a page without a title of the form `# 31. TITLE`.
  static func page(of folder: String) throws(Failure) -> String {
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      throw .environment("\(folder): error: cannot be read: \(error.systemText)")
    }
    var rows: [(number: Int, text: String)] = []
    for name in names where name.hasSuffix(".md") && name != "README.md" {
      let text = String(decoding: try FilePath.read("\(folder)/\(name)"), as: UTF8.self)
      guard let title = text.firstMatch(of: /^# ([0-9]+)\. ([^\n]+)\n/), let number = Int(title.1) else {
        throw .input("\(folder)/\(name):1: expected a title such as \"# 31. An app follows grants\"")
      }
      rows.append((number, "\(number). [\(title.2)](\(name))\n"))
    }
    return """
      # Decisions

      One page for each choice that had alternatives: what, why, and what was rejected. `sim-runner docs` makes this list.

      \(rows.sorted { $0.number < $1.number }.map(\.text).joined())
      """
  }
}
