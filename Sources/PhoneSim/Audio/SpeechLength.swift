package import Link

/// How long a line takes to say: `words / 2.5 + 0.4` seconds, of which 0.2 s at each end are silence.
package enum SpeechLength {
  /// Counts words: stretches of text between white space.
  package static func words(in text: String) -> Int {
    var count = 0
    var isInWord = false
    // The white space of ASCII is known; only what lies beyond is looked up.
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      for byte in text.utf8 {
        let isSpace = byte == 0x20 || 0x09...0x0D ~= byte
        if !isSpace, !isInWord { count += 1 }
        isInWord = !isSpace
      }
      return count
    }
    for scalar in text.unicodeScalars {
      let isSpace = scalar.properties.isWhitespace
      if !isSpace, !isInWord { count += 1 }
      isInWord = !isSpace
    }
    return count
  }

  /// The time that so many words take.
  ///
  /// Exact: 2.5 words a second are 400 ms a word, and the silence is as long as one.
  package static func span(words: Int) -> VirtualTime.Span {
    .milliseconds(400 * (Int64(words) + 1))
  }
}
