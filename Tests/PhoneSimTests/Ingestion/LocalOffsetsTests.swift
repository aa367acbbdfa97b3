import CoachProtocol
import Link
import Testing

@testable import PhoneSim

/// When days begin where local time changes.
@Suite struct LocalOffsetsTests {
  private static let midnight: Int64 = 1_774_742_400  // 2026-03-29T00:00:00Z

  private func zone(_ changes: [(hours: Int64, offset: Int64)]) -> LocalOffsets {
    LocalOffsets(
      startedAt: Self.midnight * 1_000_000_000,
      changes.map {
        WallHour.Offset(from: VirtualTime(nanoseconds: $0.hours * 3_600_000_000_000), seconds: $0.offset * 3_600)
      })
  }

  private func begin(_ zone: LocalOffsets, day: Int64) -> Int64 {
    zone.first(notBefore: Self.midnight + day * 86_400) - Self.midnight
  }

  @Test func `a day of the change to summer time begins in winter time and ends in summer time`() {
    let berlin = zone([(-1_000, 1), (1, 2)])
    #expect(begin(berlin, day: 0) == -3_600 && begin(berlin, day: 1) == 86_400 - 7_200)
    #expect(begin(berlin, day: -1) == -86_400 - 3_600)
  }

  @Test func `a day whose midnight is skipped begins when local time jumps over it`() {
    #expect(begin(zone([(-1_000, 0), (0, 1)]), day: 0) == 0)
    #expect(begin(zone([(-1_000, -3), (3, -2)]), day: 0) == 3 * 3_600)
  }

  @Test func `a midnight that comes twice counts once`() {
    // From 01:00 back to 19:00 of the day before.
    #expect(begin(zone([(-1_000, 2), (-1, -4)]), day: 0) == -2 * 3_600)
  }

  @Test func `a day that is travelled past begins when the next one does`() {
    let samoa = zone([(-1_000, -10), (10, 14)])
    #expect(begin(samoa, day: 0) == 10 * 3_600 && begin(samoa, day: 1) == 10 * 3_600)
    #expect(begin(samoa, day: 2) == 34 * 3_600)
    let (first, next) = (LocalDay(Self.midnight / 86_400), LocalDay(Self.midnight / 86_400 + 1))
    #expect(samoa.offset(atBeginOf: next, .calories) - samoa.offset(atBeginOf: first, .calories) == 86_400)
  }

  @Test func `without offsets local time is UTC`() { #expect(begin(zone([]), day: 3) == 3 * 86_400) }
}
