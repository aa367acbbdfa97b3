import Foundation
import Link

/// `sim-runner docs`: prints the reference pages from the catalogues, for those who change them.
enum DocsCommand: Command {
  static let name = "docs"
  static let about = "writes the reference pages that are printed from the catalogues"
  static let usage = "[FOLDER] [--check]"
  static let isHidden = true
  static let options: [Option] = [.flag("--check", "write nothing; say which pages differ from what would be written")]
  static let details = """
    FOLDER is `docs` unless given. Exit status: 0; with --check 1 when a page differs.
    """

  /// The pages by file name.
  static let pages: [(name: String, text: @Sendable () -> String)] = [
    ("scenario-reference.md", { ScenarioReference.page }),
    ("profiles.md", { ProfileReference.page }),
    ("checkers.md", { CheckerReference.page }),
  ]

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let folder = arguments.operands.isEmpty ? "docs" : try arguments.onlyOperand("the folder")
    var differing = 0
    for page in pages {
      let path = "\(folder)/\(page.name)"
      let text = page.text()
      let bytes = Array(text.utf8)
      if arguments.has("--check") {
        guard (try? FilePath.read(path)) != bytes else { continue }
        Terminal.print("\(path): differs from what `sim-runner docs` writes")
        differing += 1
      } else {
        do { try Data(bytes).write(to: URL(filePath: path), options: .atomic) } catch {
          throw .environment("\(path): error: cannot be written: \(error.systemText)")
        }
      }
    }
    return differing == 0 ? 0 : 1
  }
}
