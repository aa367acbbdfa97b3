import Console
import Foundation
import Link

/// `sim-runner man`: manual pages.
enum ManCommand: Command {
  static let name = "man"
  static let about = "prints a manual page, or writes them all"
  static let usage = "[COMMAND] [--write DIR]"
  static let options: [Option] = [
    .value("--write", "DIR", "write the page of every command here: sim-runner.1, sim-runner-run.1 ...")
  ]
  static let details = """
    Prints the source of the page; to read it:

      sim-runner man sweep | man -l -

    The pages come from the same catalogue as --help.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    if let folder = arguments.value("--write") {
      guard arguments.operands.isEmpty else {
        throw .input("--write: found \"\(arguments.operands[0])\", expected no command: it writes all pages")
      }
      try OutputFolder.make(folder)
      for page in ManualPage.all {
        let path = "\(folder)/\(page.file)"
        do { try Data(page.text.utf8).write(to: URL(filePath: path), options: .atomic) } catch {
          throw .environment("\(path): error: cannot be written: \(error.systemText)")
        }
      }
      return 0
    }
    guard !arguments.operands.isEmpty else {
      Terminal.print(lines: String(ManualPage.overview.dropLast()))
      return 0
    }
    let word = try arguments.onlyOperand("the command")
    guard let command = CommandCatalog.all.first(where: { $0.name == word && !$0.isHidden }) else {
      let hint = PlainText.hint(for: word, among: ValueKind.commands.map(\.text))
      throw .input("man: found \"\(TerminalText.escape(word))\"\(hint)")
    }
    Terminal.print(lines: String(ManualPage.text(of: command).dropLast()))
    return 0
  }
}
