import Simulator
import Console

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
