import Link

/// Seeds from one up to, and without, another.
struct SeedRange: Equatable, Sendable {
  var lower: UInt64
  /// The first one that is no longer meant; at least `lower`.
  var upper: UInt64

  /// How many there are.
  var count: UInt64 { upper - lower }

  /// Reads `0..<1000`.
  ///
  /// - Parameter option: Where it was written, for errors.
  init(_ text: String, option: String = "--seeds") throws(Failure) {
    let parts = text.split(separator: "..<", omittingEmptySubsequences: false)
    guard parts.count == 2, let lower = UInt64(parts[0]), let upper = UInt64(parts[1]) else {
      throw .input("\(option): found \"\(TerminalText.escape(text))\", expected a range such as 0..<1000")
    }
    guard lower < upper else {
      throw .input(
        "\(option): found \"\(text)\", expected a range of at least one seed, such as \(lower)..<\(lower &+ 1000)")
    }
    self.init(lower: lower, upper: upper)
  }

  init(lower: UInt64, upper: UInt64) {
    precondition(lower <= upper, "\(lower)..<\(upper)")
    self.lower = lower
    self.upper = upper
  }

  /// As it is written.
  var text: String { "\(lower)..<\(upper)" }
}

/// One of several parts of a sweep that run on machines of their own.
struct Shard: Equatable, Sendable {
  /// Which one, from 1 to `count`.
  var number: Int
  /// How many there are.
  var count: Int

  /// The largest number of shards.
  static let countMax = 1_000_000

  /// Reads `2/8`, the second of eight; or `auto`, which asks the environment.
  init(_ text: String, environment: [String: String]) throws(Failure) {
    if text == "auto" {
      self = try ShardEnvironment.find(environment)
      return
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]), (1...Self.countMax).contains(count),
      (1...count).contains(number)
    else {
      throw .input(
        "--shard: found \"\(TerminalText.escape(text))\", expected auto, or I/N with I from 1 to N, such as 1/8")
    }
    self.init(number: number, count: count)
  }

  init(number: Int, count: Int) {
    precondition(count > 0 && (1...count).contains(number), "\(number)/\(count)")
    self.number = number
    self.count = count
  }

  /// The seeds that are this shard's: all shards' together are the whole range, and each has as many as the others, or
  /// one more.
  func part(of range: SeedRange) -> SeedRange {
    SeedRange(lower: border(number - 1, range), upper: border(number, range))
  }

  private func border(_ index: Int, _ range: SeedRange) -> UInt64 {
    let product = range.count.multipliedFullWidth(by: UInt64(index))
    return range.lower + UInt64(count).dividingFullWidth(product).quotient
  }
}
