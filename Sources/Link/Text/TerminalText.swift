/// Escapes text from a node, a file or a peer for a terminal.
public enum TerminalText {
  /// Returns the text on one line, with everything that could control a terminal escaped as in JSON: `\u001B`.
  ///
  /// Escapes control characters, line breaks, characters that change the direction of text or have no width, and
  /// noncharacters. The joiners U+200C and U+200D stay, because scripts and emoji need them.
  public static func escape(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    var escaped = ""
    for scalar in text.unicodeScalars {
      if mustBeEscaped(scalar) { append(scalar, to: &escaped) } else { escaped.unicodeScalars.append(scalar) }
    }
    return escaped
  }

  /// Whether a character may not reach a terminal as it is.
  public static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    if scalar.value == 0x200C || scalar.value == 0x200D { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return scalar.properties.isNoncharacterCodePoint
    }
  }

  private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
    for unit in Character(scalar).utf16 { text += "\\u" + hexText(UInt64(unit), digits: 4).uppercased() }
  }
}
