import CoachProtocol
import Link
import Testing
@testable import WatchSim

@Suite struct `Splits` {
  @Test func `a kilometre that ends between two samples ends where a steady runner would be`() {
    var tracker = SplitTracker()
    tracker.advance(toCentimetres: 99_800, activeMilliseconds: 300_000, heartRate: 140)
    tracker.advance(toCentimetres: 100_200, activeMilliseconds: 301_000, heartRate: 150)
    #expect(
      tracker.splits == [Split(kmIndex: 1, durationSeconds: 300.5, paceSecPerKm: 300.5, avgHeartRate: 145)])
  }

  @Test func `a sample at the very kilometre completes it`() {
    var tracker = SplitTracker()
    tracker.advance(toCentimetres: 99_999, activeMilliseconds: 299_000, heartRate: 0)
    #expect(tracker.splits.isEmpty)
    tracker.advance(toCentimetres: 100_000, activeMilliseconds: 300_000, heartRate: 0)
    #expect(tracker.splits == [Split(kmIndex: 1, durationSeconds: 300, paceSecPerKm: 300)])
  }

  @Test func `splits add up to the time of the last kilometre`() {
    var tracker = SplitTracker()
    var milliseconds: Int64 = 0
    var centimetres: Int64 = 0
    while centimetres < 1_000_000 {
      milliseconds += 1000
      centimetres += 303 + milliseconds / 1000 % 7
      tracker.advance(toCentimetres: centimetres, activeMilliseconds: milliseconds, heartRate: 0)
    }
    #expect(tracker.splits.map(\.kmIndex) == Array(1...10))
    let sum = tracker.splits.reduce(0) { $0 + $1.durationSeconds }
    let last = Double(milliseconds) / 1000
    #expect(sum > last - 1.0001 && sum <= last + 0.0001)
  }

  @Test func `pauses do not count: the timer is stopped`() {
    var tracker = SplitTracker()
    tracker.advance(toCentimetres: 50_000, activeMilliseconds: 150_000, heartRate: 0)
    for _ in 0..<60 { tracker.advance(toCentimetres: 50_000, activeMilliseconds: 150_000, heartRate: 0) }
    tracker.advance(toCentimetres: 100_000, activeMilliseconds: 300_000, heartRate: 0)
    #expect(tracker.splits.map(\.durationSeconds) == [300])
  }

  @Test func `a jump over several kilometres completes each of them`() {
    var tracker = SplitTracker()
    tracker.advance(toCentimetres: 0, activeMilliseconds: 0, heartRate: 0)
    tracker.advance(toCentimetres: 300_000, activeMilliseconds: 900_000, heartRate: 160)
    #expect(tracker.splits.map(\.durationSeconds) == [300, 300, 300])
    #expect(tracker.splits.map(\.avgHeartRate) == [160, nil, nil])
  }

  @Test func `distance without time, as a gap leaves it, costs nothing`() {
    var tracker = SplitTracker()
    tracker.advance(toCentimetres: 90_000, activeMilliseconds: 270_000, heartRate: 0)
    tracker.advance(toCentimetres: 110_000, activeMilliseconds: 270_000, heartRate: 0)
    #expect(tracker.splits.map(\.durationSeconds) == [270])
  }
}

@Suite struct `Splits of a user of miles` {
  @Test func `a mile is 1,609.344 m, and its pace is still by kilometre`() {
    var tracker = SplitTracker(.miles)
    // 5 m/s: a mile takes 321.8688 s.
    for second in 1...700 as ClosedRange<Int64> {
      tracker.advance(toCentimetres: second * 500, activeMilliseconds: second * 1_000, heartRate: 150)
    }
    #expect(tracker.splits.map(\.kmIndex) == [1, 2])
    #expect(tracker.splits.map(\.durationSeconds) == [321.869, 321.869])
    #expect(tracker.splits.map(\.paceSecPerKm) == [200, 200])
  }
}
