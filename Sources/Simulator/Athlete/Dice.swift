import Link

/// Draws for one thing of an athlete's days, one after the other.
///
/// Each thing has a stream of its own: to draw one thing more or less leaves the others as they are.
struct Dice {
  private let random: RandomStream
  private let key: UInt64
  private var draws: UInt64 = 0

  init(seed: UInt64, _ name: String, _ key: Int = 0) {
    random = RandomStream(seed: seed, name: "athlete/\(name)")
    self.key = UInt64(key)
  }

  /// A number between two bounds, both allowed.
  mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
    draws += 1
    return range.lowerBound
      + Int64(random.number(below: UInt64(range.upperBound - range.lowerBound) + 1, for: key, draw: draws))
  }

  mutating func count(_ range: CountRange) -> Int { Int(number(Int64(range.least)...Int64(range.most))) }

  /// Whether something happens that happens so often in a hundred.
  mutating func happens(_ percent: Int64) -> Bool { number(1...100) <= percent }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[Int(number(0...Int64(elements.count - 1)))] }

  /// Whole seconds mostly, else milliseconds: people press between two seconds, and tests on them.
  mutating func span(_ range: ClosedRange<VirtualTime.Span>) -> VirtualTime.Span {
    let (from, to) = (range.lowerBound.nanoseconds / 1_000_000, range.upperBound.nanoseconds / 1_000_000)
    let milliseconds = number(from...max(from, to))
    let second = milliseconds / 1_000 * 1_000
    return .milliseconds(happens(40) && second >= from ? second : milliseconds)
  }

  mutating func instant(_ range: ClosedRange<VirtualTime>) -> VirtualTime {
    .start + span((range.lowerBound - .start)...(range.upperBound - .start))
  }
}
