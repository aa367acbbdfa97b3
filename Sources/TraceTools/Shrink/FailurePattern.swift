/// What details of failures of the same kind have in common.
package enum FailurePattern {
  /// Normalizes a detail: words with a digit become `#`, consecutive ones a single `#`, and quoted text becomes `""`.
  package static func of(_ detail: String) -> String {
    var words: [Substring] = []
    for word in unquoted(detail).split(separator: " ") {
      let isVariable = word.utf8.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      if !isVariable { words.append(word) } else if words.last != "#" { words.append("#") }
    }
    return words.joined(separator: " ")
  }

  private static func unquoted(_ text: String) -> String {
    var kept = ""
    var isQuoted = false
    for character in text {
      if character == "\"" { isQuoted.toggle() }
      if !isQuoted || character == "\"" { kept.append(character) }
    }
    return kept
  }
}
