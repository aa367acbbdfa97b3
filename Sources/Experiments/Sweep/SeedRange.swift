package import Console
import Link

/// A half-open range of seeds.
package struct SeedRange: Equatable, Sendable {
  package var lower: UInt64
  /// Exclusive; at least `lower`.
  package var upper: UInt64

  package var count: UInt64 { upper - lower }

  /// Reads `1000`, the first seeds from 0 on; `0-999`, `0..999` or `0...999`, the last one included; or `0..<1000`.
  ///
  /// - Parameter option: The option, for errors.
  package init(_ text: String, option: String = "--seeds") throws(Failure) {
    let found = "\(option): found \"\(TerminalText.escape(text))\""
    if text.hasSuffix("..") || text.hasSuffix("-") {
      throw .input(
        "\(found), expected a last seed as in 0-999; unquoted, a shell reads the < of 0..<1000 as a redirection: "
          + "write '0..<1000'")
    }
    guard let (lower, last) = Self.bounds(text) else {
      throw .input("\(found), expected a number of seeds such as 1000, or a range such as 0-999 or 0..<1000")
    }
    guard lower <= last.seed, last.isIncluded || lower < last.seed else {
      throw .input("\(found), expected a range of at least one seed, such as 0-999")
    }
    guard !last.isIncluded || last.seed < .max else {
      throw .input("\(found), expected a last seed of at most \(UInt64.max - 1)")
    }
    self.init(lower: lower, upper: last.isIncluded ? last.seed + 1 : last.seed)
  }

  private static func bounds(_ text: String) -> (lower: UInt64, last: (seed: UInt64, isIncluded: Bool))? {
    if let count = seed(text[...]) { return (0, (count, false)) }
    // The longest sign first: each contains the next.
    for sign in ["..<", "...", "..", "-"] where text.contains(sign) {
      let parts = text.split(separator: sign, omittingEmptySubsequences: false)
      guard parts.count == 2, let lower = seed(parts[0]), let upper = seed(parts[1]) else { return nil }
      return (lower, (upper, sign != "..<"))
    }
    return nil
  }

  /// Digits alone: no sign.
  private static func seed(_ text: Substring) -> UInt64? {
    text.allSatisfy { ("0"..."9").contains($0) } ? UInt64(text) : nil
  }

  init(lower: UInt64, upper: UInt64) {
    precondition(lower <= upper, "\(lower)..<\(upper)")
    self.lower = lower
    self.upper = upper
  }

  /// As it is written.
  package var text: String { "\(lower)..<\(upper)" }
}

/// One part of a sweep that is split over several machines.
package struct Shard: Equatable, Sendable {
  /// From 1 to `count`.
  var number: Int
  /// Number of shards.
  var count: Int

  static let countMax = 1_000_000

  /// Reads `2/8`, the second of eight; or `auto`, which reads the environment.
  package init(_ text: String, environment: [String: String]) throws(Failure) {
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

  /// This shard's seeds: all shards together cover the range, in parts that differ by at most one seed.
  package func part(of range: SeedRange) -> SeedRange {
    SeedRange(lower: border(number - 1, range), upper: border(number, range))
  }

  private func border(_ index: Int, _ range: SeedRange) -> UInt64 {
    let product = range.count.multipliedFullWidth(by: UInt64(index))
    return range.lower + UInt64(count).dividingFullWidth(product).quotient
  }
}
