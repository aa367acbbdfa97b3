import Link
import Testing

@testable import Simulator

@Suite struct `The schedule of a free-running node` {
  private static func milliseconds(_ count: Int64) -> VirtualTime { .start + .milliseconds(count) }

  @Test func `such nodes are granted every ten real milliseconds, at the same instants`() {
    let schedule = FreeRunningSchedule(pace: 1)
    #expect(schedule.next(after: .start, deadline: nil) == Self.milliseconds(10))
    #expect(schedule.next(after: Self.milliseconds(13), deadline: nil) == Self.milliseconds(20))
    #expect(schedule.next(after: Self.milliseconds(20), deadline: nil) == Self.milliseconds(30))
    #expect(FreeRunningSchedule(pace: 20).next(after: .start, deadline: nil) == Self.milliseconds(200))
    #expect(FreeRunningSchedule(pace: 0.001).next(after: .start, deadline: nil) == Self.milliseconds(1))
  }

  @Test func `a deadline comes sooner, and never at the instant itself`() {
    let schedule = FreeRunningSchedule(pace: 1)
    #expect(schedule.next(after: .start, deadline: Self.milliseconds(4)) == Self.milliseconds(4))
    #expect(schedule.next(after: Self.milliseconds(4), deadline: Self.milliseconds(4)) == Self.milliseconds(5))
    #expect(schedule.next(after: .start, deadline: Self.milliseconds(400)) == Self.milliseconds(10))
  }

  @Test func `at the end of a run it ends once it has been quiet for a second and owes nothing`() {
    var schedule = FreeRunningSchedule(pace: 2)
    schedule.lastActed = Self.milliseconds(1_000)
    #expect(schedule.next(after: Self.milliseconds(9_000), deadline: nil) != nil)
    schedule.isEnding = true
    #expect(schedule.next(after: Self.milliseconds(2_980), deadline: nil) == Self.milliseconds(3_000))
    #expect(schedule.next(after: Self.milliseconds(3_000), deadline: nil) == nil)
    #expect(schedule.next(after: Self.milliseconds(3_000), deadline: Self.milliseconds(3_100)) != nil)
  }
}
