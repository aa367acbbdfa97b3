/// How far a strategy has learned from the seeds of a block.
///
/// Seeds are in fixed blocks, and a plan depends only on the seeds before it in its block. So the results are the same for
/// any number of processes and shards; starting in the middle of a block costs the runs before it.
struct BlockProgress {
  /// The number of seeds of a block.
  let size: UInt64
  /// The seed to learn from next; nil before the first.
  private(set) var next: UInt64?

  init(size: UInt64) { self.size = size }

  /// Goes to a seed's block.
  ///
  /// - Returns: Whether the block starts over, so that the strategy must forget what it has learned. It continues if no seed
  ///   past this one was learned from, and never across the beginning of a block.
  mutating func enterBlock(of seed: UInt64) -> Bool {
    let first = seed - seed % size
    if let next, next > first, next <= seed { return false }
    next = first
    return true
  }

  /// Goes past a seed; false if it is not the one to learn from next.
  mutating func pass(_ seed: UInt64) -> Bool {
    guard next == seed else { return false }
    next = seed == .max ? nil : seed + 1
    return true
  }
}
