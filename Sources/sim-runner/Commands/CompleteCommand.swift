import Console
import Link

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
