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

/// Detects a compressed file instead of text, and names the command that unpacks it.
enum CompressedInput {
  /// The first bytes of each kind of compressed file, and the program that unpacks it.
  private static let kinds: [(name: String, magic: [UInt8], program: String)] = [
    ("gzip", [0x1F, 0x8B], "gunzip -k"),
    ("bzip2", [0x42, 0x5A, 0x68], "bunzip2 -k"),
    ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "unxz -k"),
    ("zstd", [0x28, 0xB5, 0x2F, 0xFD], "unzstd"),
    ("zip", [0x50, 0x4B, 0x03, 0x04], "unzip"),
  ]

  /// Refuses compressed data, recognised by its first bytes.
  ///
  /// - Parameters:
  ///   - bytes: At least the first six bytes, or the whole file if it is shorter.
  ///   - path: The file; `-` for standard input.
  /// - Throws: ``Failure/input(_:)`` with the command that unpacks it.
  static func check(_ bytes: some Collection<UInt8>, path: String) throws(Failure) {
    guard let kind = kinds.first(where: { bytes.starts(with: $0.magic) }) else { return }
    let name = path == "-" ? "standard input" : path
    let command = path == "-" ? kind.program : "\(kind.program) \(CommandWords.join([path]))"
    throw .input("\(name): error: found \(kind.name) data, expected text; to unpack it: \(command)")
  }
}
