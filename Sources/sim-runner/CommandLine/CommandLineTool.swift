import Experiments
package import Console
import Foundation
import Link
import LinkTransport
import Simulator

/// `sim-runner`: finds the command, prints help, turns failures into exit statuses.
package enum CommandLineTool {
  /// Runs the command that the arguments name.
  ///
  /// - Parameter others: Commands of a program that has more than `sim-runner`, such as the benchmark.
  /// - Returns: The exit status.
  package static func run(_ words: [String], adding others: [any Command.Type] = []) -> Int32 {
    do {
      let status = try dispatch(words, among: CommandCatalog.all + others)
      guard let lost = Terminal.lostOutput else { return status }
      Terminal.error("standard output: error: cannot be written: \(SystemText.of(lost))")
      return max(status, 3)
    } catch {
      for line in error.text.split(separator: "\n") { Terminal.error(String(line)) }
      return error.status
    }
  }

  /// Sets how this program's copy guards the programs that a command starts; only where this program is `sim-runner`.
  package static func setGuard() { Orphans.setGuard([ProcessRun.ownPath, CommandName.guardRun]) }

  private static func dispatch(_ words: [String], among commands: [any Command.Type]) throws(Failure) -> Int32 {
    func command(_ name: String) -> (any Command.Type)? { commands.first { $0.name == name } }
    guard let first = words.first else { return try DemoCommand.run(Arguments([], for: DemoCommand.self)) }
    switch first {
    case "--version", "-V":
      Terminal.print(BuildIdentity.line)
      return 0
    case "--help", "-h", "help":
      guard let name = words.dropFirst().first(where: { !$0.hasPrefix("-") }) else {
        Terminal.print(lines: HelpPage.overview)
        return 0
      }
      guard let command = command(name) else { throw unknown(name) }
      Terminal.print(lines: HelpPage.text(of: command))
      return 0
    default: break
    }
    guard let command = command(first) else {
      if first.hasPrefix("-") { return try DemoCommand.run(Arguments(words, for: DemoCommand.self)) }
      throw unknown(first)
    }
    let rest = Array(words.dropFirst())
    if rest.contains("--help") || rest.contains("-h") {
      Terminal.print(lines: HelpPage.text(of: command))
      return 0
    }
    let arguments = try Arguments(rest, for: command)
    try arguments.refuseOverlaps(for: command)
    return try command.run(arguments)
  }

  /// The error for an unknown command, with a hint if a similar one exists.
  private static func unknown(_ word: String) -> Failure {
    if word == "bench" {
      return .input("sim-runner: unknown command \"bench\": `make bench` measures, in a clone of Wristwire")
    }
    let names = CommandCatalog.all.filter { !$0.isHidden }.map { $0.name }
    var isFolder: ObjCBool = false
    var hint = Spelling.nearest(to: word, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
    if hint.isEmpty, FileManager.default.fileExists(atPath: word, isDirectory: &isFolder) {
      let name = isFolder.boolValue ? TestCommand.name : word.hasSuffix(".jsonl") ? CheckCommand.name : RunCommand.name
      hint = "; did you mean \"\(TerminalText.escape(CommandWords.join([name, word])))\"?"
    }
    return .input("sim-runner: unknown command \"\(TerminalText.escape(word))\"\(hint) (--help lists them)")
  }
}
