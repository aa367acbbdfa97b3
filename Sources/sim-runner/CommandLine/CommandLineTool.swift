package import Console
import Experiments
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

/// Help, printed from the catalogue.
enum HelpPage {
  /// `sim-runner --help`.
  static var overview: String {
    var text = """
      sim-runner \(Version.text): a watch, a phone, and a link between them that breaks on purpose

      usage: sim-runner [COMMAND] [OPTIONS]

      Without a command: the demo.

      """
    let width = CommandCatalog.groups.flatMap(\.commands).map { $0.name.count }.max() ?? 0
    for group in CommandCatalog.groups {
      text += "\n\(group.title):\n"
      for command in group.commands { text += "  \(padded(command.name, to: width))  \(command.about)\n" }
    }
    text += """

      sim-runner COMMAND --help explains a command. sim-runner --version prints the version.
      Exit status: 0 all held; 1 an expectation or invariant failed; 2 bad usage or bad input; 3 the environment failed.
      NO_COLOR=1 turns colours off; output to a pipe is plain unless FORCE_COLOR=1 or CLICOLOR_FORCE=1.
      """
    return text
  }

  /// `sim-runner COMMAND --help`.
  static func text(of command: any Command.Type) -> String {
    var text = "usage: sim-runner \(command.name)\(command.usage.isEmpty ? "" : " \(command.usage)")\n\n"
    text += command.about.prefix(1).uppercased() + command.about.dropFirst() + "."
    if !command.details.isEmpty { text += "\n\n" + command.details }
    guard !command.options.isEmpty else { return text }
    let heads = command.options.map { $0.name + ($0.value.map { " \($0)" } ?? "") }
    let width = heads.map(\.count).max() ?? 0
    text += "\n"
    for (option, head) in zip(command.options, heads) {
      text += "\n  \(padded(head, to: width))  \(option.about)"
    }
    return text
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
