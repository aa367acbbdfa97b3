import Link

/// Converts a command between one option's text and a list of arguments.
package enum CommandWords {
  /// Splits at blanks; quotes of either kind keep blanks, a backslash outside single quotes keeps the next character.
  ///
  /// - Throws: For an unclosed quote, and for an empty command.
  package static func split(_ text: String, option: String) throws(Failure) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = text[...]
    while let character = rest.popFirst() {
      if let open = quote {
        if character == open {
          quote = nil
        } else if character == "\\", open == "\"", let next = rest.first, next == "\"" || next == "\\" {
          word?.append(next)
          rest.removeFirst()
        } else {
          word?.append(character)
        }
        continue
      }
      switch character {
      case "'", "\"":
        quote = character
        word = word ?? ""
      case "\\":
        guard let next = rest.popFirst() else {
          throw .input("\(option): found a backslash at the end, expected a character after it")
        }
        word = (word ?? "") + String(next)
      case _ where character.isWhitespace:
        if let finished = word { words.append(finished) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let quote { throw .input("\(option): found no second \(quote), expected quotes in pairs") }
    if let word { words.append(word) }
    guard let program = words.first, !program.isEmpty else {
      throw .input("\(option): found no word, expected a program and its arguments")
    }
    return words
  }

  /// Joins arguments, quoted for a shell.
  package static func join(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

  private static func quoted(_ word: String) -> String {
    if word.unicodeScalars.contains(where: TerminalText.mustBeEscaped) { return bytesQuoted(word) }
    let plain = word.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          || "-_./:=@%+,".unicodeScalars.contains(scalar))
    }
    return plain && !word.isEmpty
      ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// An argument with control characters, as bash, ksh and zsh read it: `$'a\x0Ab'`.
  private static func bytesQuoted(_ word: String) -> String {
    var text = "$'"
    for scalar in word.unicodeScalars {
      if TerminalText.mustBeEscaped(scalar) {
        for byte in Character(scalar).utf8 {
          text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
      } else {
        if scalar == "'" || scalar == "\\" { text += "\\" }
        text.unicodeScalars.append(scalar)
      }
    }
    return text + "'"
  }
}
