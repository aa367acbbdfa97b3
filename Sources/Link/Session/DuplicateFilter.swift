/// The sequence numbers of one epoch that have been seen.
///
/// Remembers at least the last 960 of 1,024; older ones count as seen, because at-most-once is guaranteed and delivery
/// is not.
struct DuplicateFilter: Sendable, Equatable {
  private var words = [UInt64](repeating: 0, count: 16)
  private(set) var highest: UInt64 = 0

  /// Starts an epoch: every number below `next` counts as seen.
  init(next: UInt64 = 1) {
    highest = max(next, 1) - 1
    // Numbers below `next` may share a word with later ones.
    if highest > 0 { words = [UInt64](repeating: .max, count: 16) }
    words[Int(highest >> 6 & 15)] = highest & 63 == 63 ? .max : (1 << (highest & 63 + 1)) - 1
  }

  /// Adds a number, which must be at least 1; returns false if it was seen before.
  mutating func insert(_ seq: SequenceNumber) -> Bool {
    let number = seq.rawValue
    let word = Int(number >> 6 & 15)
    let bit: UInt64 = 1 << (number & 63)
    if number > highest {
      let steps = (number >> 6) &- (highest >> 6)
      if steps > 0 {
        for step in 1...min(steps, 16) { words[Int((highest >> 6 &+ step) & 15)] = 0 }
      }
      highest = number
      words[word] |= bit
      return true
    }
    // Only whole words are cleared: the last 15 words are certainly intact.
    guard highest &- number < 960, words[word] & bit == 0 else { return false }
    words[word] |= bit
    return true
  }
}
