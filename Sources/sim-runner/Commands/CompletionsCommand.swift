import Console
import Link

/// `sim-runner completions`: the script that a shell loads to complete commands, options and names.
enum CompletionsCommand: Command {
  static let name = "completions"
  static let about = "prints what makes Tab complete commands, options, names and files in your shell"
  static let usage = "SHELL"
  static let options: [Option] = []
  static let details = """
    SHELL is bash, zsh or fish. To load it:

    \(CompletionScript.installation)

    The script asks this program what fits, so it never goes out of date.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let name = try arguments.onlyOperand("the shell")
    guard let script = CompletionScript(rawValue: name) else {
      let known = CompletionScript.allCases.map(\.rawValue).joined(separator: ", ")
      throw .input("completions: found \"\(TerminalText.escape(name))\", expected one of \(known)")
    }
    Terminal.print(lines: script.text)
    return 0
  }
}
