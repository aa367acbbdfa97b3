package import Link

/// The duration of a spoken line: `words / 2.5 + 0.4` seconds, 0.2 s of silence at each end.
package enum SpeechLength {
  /// Counts words separated by white space.
  package static func wordCount(in text: String) -> Int {
    var count = 0
    var isInWord = false
    // Fast path: Unicode properties are looked up only beyond ASCII.
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

  /// The duration of a line.
  ///
  /// Exact: 2.5 words a second are 400 ms a word, and the silences add another 400 ms.
  package static func span(words: Int) -> VirtualTime.Span {
    .milliseconds(400 * (Int64(words) + 1))
  }
}
