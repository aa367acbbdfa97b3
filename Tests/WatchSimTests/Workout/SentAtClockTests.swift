import CoachProtocol
import Link
import Testing
@testable import WatchSim

@Suite struct `Stamps` {
  @Test func `follow the clock, and never stop or go back`() {
    var clock = SentAtClock()
    let readings: [Int64] = [-5, 100, 100, 50, 101, 102, 103, 104, 90, 200]
    let stamps = readings.map { clock.stamp(WatchTime(nanoseconds: $0)).nanoseconds }
    #expect(stamps == [-5, 100, 101, 102, 103, 104, 105, 106, 107, 200])
  }

  @Test func `continue from the stored value`() {
    var clock = SentAtClock(last: WatchTime(nanoseconds: 1_000))
    #expect(clock.stamp(WatchTime(nanoseconds: 10)).nanoseconds == 1_001)
    #expect(clock.last.nanoseconds == 1_001)
  }
}
