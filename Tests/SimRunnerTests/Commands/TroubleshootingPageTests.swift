import Foundation
import Testing

/// The page quotes our errors: a text that changed in the sources alone could not be found by searching the page.
@Suite struct TroubleshootingPageTests {
  /// Shorter pieces occur anywhere.
  private static let pieceMin = 8

  /// The quoted messages: code in the first column of a table that begins with it.
  private static func quotations() throws -> [String] {
    let page = try String(contentsOf: Tool.root.appending(path: "docs/troubleshooting.md"), encoding: .utf8)
    return page.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("| `"), let end = line.dropFirst(3).firstIndex(of: "`") else { return nil }
      let text = String(line.dropFirst(3)[..<end])
      return text.hasPrefix("bash: ") || text == "verdict" ? nil : text
    }
  }

  /// All sources as one text, as a message reads: without the breaks between the literals that it is made of, and with
  /// `…` for what is filled in.
  private static func sources() throws -> String {
    var text = ""
    for folder in ["Sources", "scripts"] {
      let root = Tool.root.appending(path: folder).path()
      for name in try FileManager.default.subpathsOfDirectory(atPath: root) {
        guard let file = try? String(contentsOfFile: "\(root)/\(name)", encoding: .utf8) else { continue }
        text += file
      }
    }
    return text.replacing(#/"\s*\+\s*"/#, with: "").replacing("\\\"", with: "\"")
  }

  @Test func `every quoted message is one of ours`() throws {
    let quotations = try Self.quotations()
    #expect(quotations.count > 10)
    let sources = try Self.sources()
    for quotation in quotations {
      let pieces = quotation.split(separator: "…").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { $0.count >= Self.pieceMin }
      #expect(!pieces.isEmpty, "nothing to search for: \(quotation)")
      for piece in pieces { #expect(sources.contains(piece), "not in the sources: \(piece)") }
    }
  }
}
