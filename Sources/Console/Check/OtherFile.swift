/// A file that is given in place of a trace, and the command that takes it.
package enum OtherFile {
  case scenario
  case capture

  /// Recognizes a file by its first bytes; nil for one that may be a damaged trace, or anything else.
  package init?(_ bytes: [UInt8]) {
    let text = String(decoding: bytes.prefix(4_096), as: UTF8.self)
    let first = text.prefix { $0 != "\n" }
    if first.contains("\"trace\"") { return nil }
    if first.contains("\"t_send\"") {
      self = .capture
    } else if text.contains(#/(^|[{,\s])"?scenario"?\s*:/#) {
      self = .scenario
    } else {
      return nil
    }
  }

  /// What was found, and what to do with it.
  package func text(_ path: String) -> String {
    let (what, why, command) =
      switch self {
      case .scenario: ("a scenario", "to run it", "run")
      case .capture: ("a capture", "to fit a link", CommandName.profile)
      }
    return "found \(what), expected a trace; \(why): \(CommandWords.join([Terminal.program, command, path]))"
  }
}
