import Link

/// Finds small values by number.
///
/// Open addressing with linear probing and backward-shift deletion (Knuth, TAOCP vol. 3, 6.4, algorithm R). It is fast
/// enough to be queried several times a tick. It can be iterated only in sorted order, so the order of its slots never
/// reaches a report.
struct NumberTable<Value: Sendable>: Sendable {
  private var keys: [UInt64]
  private var values: [Value?]
  private var mask: Int
  private(set) var count = 0
  /// Random per process, so that a crafted trace cannot make all numbers collide.
  private let salt: UInt64

  init() {
    keys = Array(repeating: 0, count: 64)
    values = Array(repeating: nil, count: 64)
    mask = 63
    salt = UInt64(truncatingIfNeeded: Hasher().finalize())
  }

  /// The value of a number; set it to nil to forget it.
  subscript(key: UInt64) -> Value? {
    @inline(__always) get {
      let slot = slot(of: key)
      return values[slot]
    }
    set {
      guard let newValue else { return remove(key) }
      var slot = slot(of: key)
      if values[slot] == nil {
        if count * 2 > mask {
          grow()
          slot = self.slot(of: key)
        }
        keys[slot] = key
        count += 1
      }
      values[slot] = newValue
    }
  }

  /// The numbers and values in the order of the numbers.
  var sorted: [(key: UInt64, value: Value)] {
    zip(keys, values).compactMap { key, value in value.map { (key, $0) } }.sorted { $0.key < $1.key }
  }

  /// The index of a number, or the free slot where it belongs.
  @inline(__always)
  private func slot(of key: UInt64) -> Int {
    var slot = home(of: key)
    while values[slot] != nil, keys[slot] != key { slot = (slot + 1) & mask }
    return slot
  }

  @inline(__always)
  private func home(of key: UInt64) -> Int {
    // SplitMix64's finalizer (Steele, Lea, Flood, OOPSLA 2014).
    var bits = key ^ salt
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: bits ^ bits >> 31) & mask
  }

  private mutating func remove(_ key: UInt64) {
    var hole = slot(of: key)
    guard values[hole] != nil else { return }
    count -= 1
    var next = (hole + 1) & mask
    while values[next] != nil {
      // A value moves back into the hole unless its home lies behind it.
      if (next &- home(of: keys[next])) & mask >= (next &- hole) & mask {
        keys[hole] = keys[next]
        values[hole] = values[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    values[hole] = nil
  }

  private mutating func grow() {
    let old = zip(keys, values)
    mask = mask * 2 + 1
    keys = Array(repeating: 0, count: mask + 1)
    values = Array(repeating: nil, count: mask + 1)
    for (key, value) in old where value != nil {
      let slot = slot(of: key)
      keys[slot] = key
      values[slot] = value
    }
  }
}
