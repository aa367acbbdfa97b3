// Why a recorded workout could not be read: file, position, what was found and what was expected.

/// The reason a recorded workout was refused.
///
/// Its description is one line, safe for a terminal: `FILE:LINE:COLUMN: error: found X, expected Y` for text formats
/// and `FILE: byte N: error: found X, expected Y` for binary ones. Quoted bytes are made printable and truncated.
package struct ImportError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The position of the error in the file.
  package enum Position: Sendable, Equatable {
    /// The file as a whole: missing, too large, of an unknown kind.
    case file
    /// A position in a text format; both count from 1, the column in characters.
    case text(line: Int, column: Int)
    /// A position in a binary format: the offset of the first byte concerned, from 0.
    case byte(Int)
  }

  /// The file's name or path as the caller gave it.
  package let file: String
  package let position: Position
  package let found: String
  package let expected: String

  /// Creates an error; `found` may quote the file and is made printable here.
  package init(file: String, position: Position = .file, found: String, expected: String) {
    self.file = file
    self.position = position
    self.found = Printable.text(found, charactersMax: 160)
    self.expected = expected
  }

  package var description: String {
    let name = Printable.text(file, charactersMax: 1_024)
    return switch position {
    case .file: "\(name): error: found \(found), expected \(expected)"
    case .text(let line, let column): "\(name):\(line):\(column): error: found \(found), expected \(expected)"
    case .byte(let offset): "\(name): byte \(offset): error: found \(found), expected \(expected)"
    }
  }
}

/// Makes text from a file safe to show: no control characters that could steer a terminal, and no endless lines.
enum Printable {
  /// Replaces control characters by `?` and truncates to `charactersMax` characters.
  static func text(_ text: String, charactersMax: Int) -> String {
    var shown = ""
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < charactersMax else { return shown + "…" }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: shown += "?"
      default: shown.unicodeScalars.append(scalar)
      }
      count += 1
    }
    return shown
  }

  /// Decodes `bytes` as UTF-8, replacing malformed parts, and makes the text printable.
  static func text(_ bytes: some Collection<UInt8>, charactersMax: Int) -> String {
    text(String(decoding: bytes.prefix(charactersMax * 4), as: UTF8.self), charactersMax: charactersMax)
  }
}

// The repairs of an import, for the user: the figures of a repaired file are only useful together with its repairs.

/// The repairs of one import, in the order in which they were made.
struct ImportFindings: Sendable, Equatable {
  /// Limit of findings; a damaged file can give one for every few bytes.
  static let linesMax = 100

  private var kept: [String] = []
  private var known: Set<String> = []
  private var omittedCount = 0

  /// One readable line for each finding; the last line counts those beyond ``linesMax``.
  var lines: [String] {
    guard omittedCount > 0 else { return kept }
    return kept + ["\(omittedCount) further \(omittedCount == 1 ? "finding is" : "findings are") not listed"]
  }

  /// Adds a line, unless it is there already.
  mutating func add(_ line: String) {
    guard !known.contains(line) else { return }
    guard kept.count < Self.linesMax else {
      omittedCount += 1
      return
    }
    known.insert(line)
    kept.append(line)
  }

  /// Adds `count` and the noun that fits it; nothing if `count` is 0.
  mutating func add(_ count: Int, _ one: String, _ many: String) {
    if count > 0 { add("\(count) \(count == 1 ? one : many)") }
  }
}
