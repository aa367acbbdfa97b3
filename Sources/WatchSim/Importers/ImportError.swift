// Why a recorded workout could not be read: which file, where in it, what stood there and what should have.

/// The reason a recorded workout was refused.
///
/// Its description is one line, fit for a terminal: `FILE:LINE:COLUMN: error: found X, expected Y` for text formats and
/// `FILE: byte N: error: found X, expected Y` for binary ones. Bytes quoted from the file are made printable and cut short.
package struct ImportError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Where in the file the trouble stands.
  package enum Place: Sendable, Equatable {
    /// The file as a whole: missing, too large, of an unknown kind.
    case file
    /// A place in a text format; both count from 1, the column in characters.
    case text(line: Int, column: Int)
    /// A place in a binary format: the offset of the first byte concerned, from 0.
    case byte(Int)
  }

  /// The file's name or path as the caller gave it.
  package let file: String
  /// Where in the file.
  package let place: Place
  /// What stood there.
  package let found: String
  /// What should have stood there.
  package let expected: String

  /// Makes an error; `found` may quote the file and is made printable here.
  package init(file: String, place: Place = .file, found: String, expected: String) {
    self.file = file
    self.place = place
    self.found = Printable.text(found, charactersMax: 160)
    self.expected = expected
  }

  package var description: String {
    let name = Printable.text(file, charactersMax: 1_024)
    return switch place {
    case .file: "\(name): error: found \(found), expected \(expected)"
    case .text(let line, let column): "\(name):\(line):\(column): error: found \(found), expected \(expected)"
    case .byte(let offset): "\(name): byte \(offset): error: found \(found), expected \(expected)"
    }
  }
}

/// Text from a file, made safe to show: no control characters that could steer a terminal, and no endless lines.
enum Printable {
  /// Returns `text` with control characters replaced by `?` and at most `charactersMax` characters.
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

  /// Returns `bytes` as UTF-8, malformed parts replaced, made printable.
  static func text(_ bytes: some Collection<UInt8>, charactersMax: Int) -> String {
    text(String(decoding: bytes.prefix(charactersMax * 4), as: UTF8.self), charactersMax: charactersMax)
  }
}
