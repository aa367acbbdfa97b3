import Foundation
import Link

/// `sim-runner`: finds the command, prints help, turns failures into exit statuses.
enum CommandLineTool {
  /// Runs the command that the words name.
  ///
  /// - Returns: The exit status.
  static func run(_ words: [String]) -> Int32 {
    do {
      let status = try dispatch(words)
      guard let lost = Terminal.lostOutput else { return status }
      Terminal.error("standard output: error: cannot be written: \(String(cString: strerror(lost)))")
      return max(status, 3)
    } catch {
      Terminal.error(error.text)
      return error.status
    }
  }

  private static func dispatch(_ words: [String]) throws(Failure) -> Int32 {
    guard let first = words.first else { return try DemoCommand.run(Arguments([], for: DemoCommand.self)) }
    switch first {
    case "--version", "-V":
      Terminal.print("sim-runner \(Version.text)")
      return 0
    case "--help", "-h", "help":
      if words.count > 1, let command = command(words[1]) {
        Terminal.print(HelpPage.text(of: command))
      } else {
        Terminal.print(HelpPage.overview)
      }
      return 0
    default: break
    }
    guard let command = command(first) else {
      if first.hasPrefix("-") { return try DemoCommand.run(Arguments(words, for: DemoCommand.self)) }
      let names = CommandCatalog.all.filter { !$0.isHidden }.map { $0.name }
      let hint = nearestSpelling(to: first, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
      throw .input("sim-runner: unknown command \"\(first)\"\(hint) (--help lists them)")
    }
    let rest = Array(words.dropFirst())
    if rest.contains("--help") || rest.contains("-h") {
      Terminal.print(HelpPage.text(of: command))
      return 0
    }
    let arguments = try Arguments(rest, for: command)
    try arguments.keepApart(for: command)
    return try command.run(arguments)
  }

  private static func command(_ name: String) -> (any Command.Type)? {
    CommandCatalog.all.first { $0.name == name }
  }
}

/// The known word nearest to a misspelt one; nil where none is near.
func nearestSpelling(to word: String, among known: [String]) -> String? { Spelling.nearest(to: word, among: known) }
