import Simulator
import Console

/// Manual pages, generated from the catalogue in the format of man(7).
enum ManualPage {
  /// A page and the name of its file.
  struct Page {
    var file: String
    var text: String
  }

  /// The page of the program, and one for each command that users type.
  static var all: [Page] {
    let commands = CommandCatalog.all.filter { !$0.isHidden }
    return [Page(file: "sim-runner.1", text: overview)]
      + commands.map { Page(file: "sim-runner-\($0.name).1", text: text(of: $0)) }
  }

  /// `man sim-runner`.
  static var overview: String {
    var page = head("sim-runner", about: "a watch, a phone, and a link between them that breaks on purpose")
    page += [".SH SYNOPSIS", ".B sim\\-runner", "[\\fICOMMAND\\fR] [\\fIOPTIONS\\fR]"]
    page += [
      ".SH DESCRIPTION",
      "Simulates a watch, a phone and the radio link between them, and breaks the link on purpose. The same scenario and",
      "seed give the same trace, byte for byte. Invariants and expectations judge every run. Without a command:",
      "the demo.", ".SH COMMANDS",
    ]
    let commands = CommandCatalog.all.filter { !$0.isHidden }
    for group in CommandCatalog.groups {
      page += [".SS \(escaped(group.title.replacing("`", with: "")))"]
      for command in group.commands {
        page += [".TP", ".BR \(escaped("sim-runner-\(command.name)")) (1)", line(command.about)]
      }
    }
    page += exitStatus
    page += [
      ".SH ENVIRONMENT", ".TP", ".B NO_COLOR", "Not empty: no colours.", ".TP",
      ".B FORCE_COLOR\\fR, \\fBCLICOLOR_FORCE",
      "Not empty and not 0: colours also in a pipe, unless NO_COLOR forbids them.", ".TP", ".B TMPDIR",
      "Where runs keep their sockets, and databases that are not to be kept.",
    ]
    return finished(page, seeing: commands.map { "sim-runner-\($0.name)" })
  }

  /// `man sim-runner-NAME`.
  static func text(of command: any Command.Type) -> String {
    var page = head("sim-runner-\(command.name)", about: command.about)
    page += [".SH SYNOPSIS", ".B sim\\-runner \(escaped(command.name))", line(command.usage)]
    page += [".SH DESCRIPTION", line(command.about.prefix(1).uppercased() + command.about.dropFirst() + ".")]
    page += body(command.details)
    if !command.options.isEmpty {
      page.append(".SH OPTIONS")
      for option in command.options {
        page += [".TP", "\\fB\(escaped(option.name))\\fR" + (option.value.map { " \\fI\(escaped($0))\\fR" } ?? "")]
        page.append(line(option.about))
      }
    }
    if !command.details.contains("Exit status") { page += exitStatus }
    return finished(page, seeing: ["sim-runner"])
  }

  private static let exitStatus = [
    ".SH EXIT STATUS",
    "0 all held; 1 an expectation or invariant failed; 2 bad usage or bad input; 3 the environment failed.",
  ]

  /// Without a date: the same sources give the same page.
  private static func head(_ name: String, about: String) -> [String] {
    [
      ".TH \(escaped(name.uppercased())) 1 \"\" \"Wristwire \(escaped(Version.text))\" \"Wristwire\"",
      ".SH NAME", "\(escaped(name)) \\- \(escaped(about))",
    ]
  }

  private static func finished(_ page: [String], seeing pages: [String]) -> String {
    let others = pages.enumerated().map { index, name in
      ".BR \(escaped(name)) (1)" + (index < pages.count - 1 ? "," : "")
    }
    return (page + [".SH SEE ALSO"] + others).joined(separator: "\n") + "\n"
  }

  /// Paragraphs are filled; one whose lines are all indented is printed as it is.
  private static func body(_ details: String) -> [String] {
    guard !details.isEmpty else { return [] }
    var page: [String] = []
    var paragraph: [Substring] = []
    func close() {
      guard !paragraph.isEmpty else { return }
      let isTable = paragraph.allSatisfy { $0.hasPrefix("  ") }
      page += isTable ? [".PP", ".nf"] : [".PP"]
      page += paragraph.map { line(String($0)) }
      if isTable { page.append(".fi") }
      paragraph = []
    }
    for text in details.split(separator: "\n", omittingEmptySubsequences: false) {
      if text.isEmpty {
        close()
      } else {
        paragraph.append(text)
      }
    }
    close()
    return page
  }

  /// A line of text, escaped if it begins like a request.
  private static func line(_ text: String) -> String {
    let safe = escaped(text)
    return safe.hasPrefix(".") || safe.hasPrefix("'") ? "\\&" + safe : safe
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "\"": escaped += "\\(dq"
      case "`": escaped += "\\(ga"
      case "~": escaped += "\\(ti"
      case "^": escaped += "\\(ha"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
