import Link

/// The error of a command, with its exit status.
package enum Failure: Error {
  /// Bad usage or bad input: position, found, expected.
  case input(String)
  /// Bad input with several errors, one line each.
  case problems([String])
  /// The environment failed: no socket, no disk, a node that died.
  case environment(String)

  package var status: Int32 {
    switch self {
    case .input, .problems: 2
    case .environment: 3
    }
  }

  /// One or more lines for standard error, escaped for a terminal.
  package var text: String {
    switch self {
    case .input(let text), .environment(let text): TerminalText.escape(text)
    case .problems(let lines): lines.map(TerminalText.escape).joined(separator: "\n")
    }
  }
}
