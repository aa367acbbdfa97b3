import CoachProtocol
import Link
import Testing

@testable import PhoneSim

/// HealthKit in the morning, EventKit in the evening, wherever the phone is.
@Suite struct SyncScheduleTests {
  /// 2026-03-27T05:00:00Z, six in the morning in Berlin.
  private static let startedAt: Int64 = 1_774_587_600_000_000_000
  private static let berlin: [WallHour.Offset] = [.init(from: .start, seconds: 3_600)]

  /// The hours since the start at which a store is synchronised.
  private func syncs(
    _ stores: SyncSchedule.Stores, every: VirtualTime.Span? = nil, _ offsets: [WallHour.Offset] = berlin,
    last: VirtualTime? = nil, from now: VirtualTime = .start, to end: VirtualTime
  ) -> [Int64] {
    var schedule = SyncSchedule(
      every: every, zone: LocalOffsets(startedAt: Self.startedAt, offsets), startedAt: Self.startedAt, last: last,
      at: now)
    var hours: [Int64] = []
    while schedule.nextAt <= end {
      let at = schedule.nextAt
      if schedule.takeDue(at: at).contains(stores) { hours.append((at - .start).nanoseconds / 3_600_000_000_000) }
    }
    return hours
  }

  @Test func `both at the first start, then mornings and evenings`() {
    let end = VirtualTime.start + .hours(60)
    #expect(syncs(.health, to: end) == [0, 4, 28, 52])
    #expect(syncs(.events, to: end) == [0, 15, 39])
    #expect(syncs(.both, every: .hours(24), to: end) == [0, 24, 48])
  }

  @Test func `what was missed is due at the start, and nothing else`() {
    let (noon, end) = (VirtualTime.start + .hours(6), VirtualTime.start + .hours(20))
    #expect(syncs(.health, last: .start, from: noon, to: end) == [6])
    #expect(syncs(.events, last: .start, from: noon, to: end) == [15])
    // Synchronised at eleven.
    #expect(syncs(.health, last: .start + .hours(5), from: noon, to: .start + .hours(30)) == [28])
  }

  @Test func `mornings are those of the place`() {
    // To New York at eleven: the next morning is six hours later.
    let away = Self.berlin + [.init(from: .start + .hours(5), seconds: -18_000)]
    #expect(syncs(.health, away, to: .start + .hours(60)) == [0, 4, 34, 58])
    // Over the date line to the east: one morning is missing.
    let east = [WallHour.Offset(from: .start, seconds: -36_000), .init(from: .start + .hours(20), seconds: 50_400)]
    #expect(syncs(.health, east, to: .start + .hours(60)) == [0, 15, 20, 39])
  }
}
