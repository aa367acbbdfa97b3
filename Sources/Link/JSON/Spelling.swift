/// Guesses which known word a misspelt one means.
public enum Spelling {
  /// Returns the nearest known word, the first of equally near ones; nil if none is near.
  ///
  /// A word is near if at most a third of the longer word's letters are wrong, at least one; case does not matter.
  /// Words longer than 64 letters have no near one, which bounds the work for untrusted text.
  public static func nearest(to word: String, among known: [String]) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    let letters = Array(word.lowercased().unicodeScalars)
    var best: (word: String, distance: Int)?
    for candidate in known where candidate.utf8.count <= 64 {
      let other = Array(candidate.lowercased().unicodeScalars)
      let distance = distance(letters, other)
      guard distance <= max(1, max(letters.count, other.count) / 3), distance < max(letters.count, other.count) else {
        continue
      }
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
  }

  /// Counts the insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
  ///
  /// This is the restricted Damerau-Levenshtein distance.
  static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
        row.append(cost)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
