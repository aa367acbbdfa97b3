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

/// `sim-runner complete`: what may come next on a command line, asked by the scripts of the shells.
enum CompleteCommand: Command {
  static let name = "complete"
  static let about = "prints what may come next on a command line; the completion scripts ask"
  static let usage = "SHELL -- WORD..."
  static let isHidden = true
  static let takesAnyWords = true
  static let options: [Option] = []

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let words = arguments.operands
    guard words.count >= 2, let shell = CompletionScript(rawValue: words[0]), words[1] == "--" else {
      throw .input("usage: sim-runner \(name) \(usage)")
    }
    Terminal.write(CompletionRequest(Array(words.dropFirst(2))).text(hasPrefix: shell.replacesWholeWord), to: 1)
    return 0
  }
}
