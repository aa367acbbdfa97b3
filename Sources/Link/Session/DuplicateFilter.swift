/// Knows which sequence numbers of one epoch have been seen.
///
/// Remembers the last 1,024; an older one counts as seen, because at most once is a promise and
/// delivery is not.
struct DuplicateFilter: Sendable, Equatable {
  private var words = [UInt64](repeating: 0, count: 16)
  private(set) var highest: UInt64 = 0

  /// Begins an epoch: every number below `next` counts as seen.
  init(next: UInt64 = 1) {
    highest = max(next, 1) - 1
    // The numbers that share a remembered word with those to come.
    if highest > 0 { words = [UInt64](repeating: .max, count: 16) }
    words[Int(highest >> 6 & 15)] = highest & 63 == 63 ? .max : (1 << (highest & 63 + 1)) - 1
  }

  /// Notes a number, which is at least 1; false when it was seen before.
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
    // Only whole words are cleared: what is remembered for certain are the last 15 words.
    guard highest &- number < 960, words[word] & bit == 0 else { return false }
    words[word] |= bit
    return true
  }
}
