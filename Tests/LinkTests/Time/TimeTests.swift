import Testing

@testable import Link

@Suite struct `Time` {
  @Test func `an instant saturates at the distant future`() {
    #expect(VirtualTime.distantFuture + .seconds(1) == .distantFuture)
    #expect(VirtualTime(nanoseconds: .max - 5) + VirtualTime.Span(nanoseconds: 5) == .distantFuture)
    #expect(VirtualTime.start + .milliseconds(1_500) == VirtualTime(nanoseconds: 1_500_000_000))
    #expect(VirtualTime.start + .milliseconds(-1) < .start)
    #expect((VirtualTime(nanoseconds: 5) - VirtualTime(nanoseconds: 8)) == VirtualTime.Span(nanoseconds: -3))
    #expect(VirtualTime.Span.seconds(3) * 2 + .milliseconds(1) == .milliseconds(6_001))
    #expect(VirtualTime.Span.milliseconds(2_500).seconds == 2.5)
  }

  @Test(arguments: 0..<8)
  func `a priority queue gives the smallest first, whatever is inserted in between`(seed: Int) {
    let random = RandomStream(seed: UInt64(seed), name: "queue")
    var queue = PriorityQueue<UInt64>()
    var oracle: [UInt64] = []
    for step: UInt64 in 0..<3_000 {
      if random.number(below: 5, for: step) < 3 || oracle.isEmpty {
        let number = random.number(below: 500, for: step, draw: 1)
        queue.insert(number)
        oracle.append(number)
      } else {
        let least = oracle.min()
        #expect(queue.first == least)
        let first = queue.removeFirst()
        #expect(first == least)
        if let place = oracle.firstIndex(of: first) { oracle.remove(at: place) }
      }
      #expect(queue.count == oracle.count && queue.isEmpty == oracle.isEmpty)
    }
    var rest: [UInt64] = []
    while !queue.isEmpty { rest.append(queue.removeFirst()) }
    #expect(rest == oracle.sorted())
    #expect(queue.first == nil)
  }

  @Test func `a clock shows its start plus the elapsed time`() {
    let clock = NodeClock(startedAt: 1_700_000_000_000_000_000)
    #expect(clock.reading(at: .start) == 1_700_000_000_000_000_000)
    #expect(clock.reading(at: .start + .seconds(5)) == 1_700_000_005_000_000_000)
    #expect(NodeClock(startedAt: .max).reading(at: VirtualTime(nanoseconds: 1)) == .min, "wraps, and never traps")
  }
}
