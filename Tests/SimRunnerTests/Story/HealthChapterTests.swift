import Link
import Testing

@Suite struct HealthChapterTests {
  private typealias S = StoryEvents

  @Test func `a workout is missed once, then known, and found again after everything was deleted`() throws {
    let workout = TraceValue.uuid(high: 1, low: 1)
    let lines = try S.tell([
      S.event("health.requested", 600, .phone, ["of": .string("workout"), "workout": workout]),
      S.event("health.linked", 600, .phone, ["by": .string("run")]),
      S.event("health.absent", 600, .phone, ["workout": workout]),
      S.event("health.absent", 601, .phone, ["workout": workout]),
      S.event("history.shown", 602, .phone, ["runs": .int(2), "stubs": .int(1)]),
      S.event("health.truth", 603, .phone, ["distance": .int(2004), "duration": .int(601)]),
      S.event("history.shown", 604, .phone, ["runs": .int(1), "stubs": .int(0)]),
      S.event("store.wiped", 605, .phone),
      S.event("health.linked", 605, .phone, ["by": .string("workout")]),
      S.event("health.absent", 605, .phone, ["workout": workout]),
    ])
    #expect(
      lines == [
        "   10:00  phone  looks for the workout in the health store: not there yet, and asked for again",
        "   10:02  phone  shows the list of runs: 2 runs, 1 without figures yet",
        "   10:03  phone  has the workout's figures from the health store: 2.00 km in 10:01",
        "   10:04  phone  shows the list of runs: 1 run",
        "   10:05  phone  everything that it kept of workouts and athlete is deleted",
        "   10:05  phone  finds a workout in the health store, and by the name in it its own record",
        "   10:05  phone  looks for the workout in the health store: not there yet, and asked for again",
      ])
  }

  @Test func `a trace made by anyone may overdo every figure`() throws {
    let lines = try S.tell([
      S.event("health.truth", 1, .phone, ["distance": .int(999_999_999_999), "duration": .int(-999_999_999_999)]),
      S.event("history.shown", 2, .phone, ["runs": .int(.min), "stubs": .int(.max)]),
    ])
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("    0:01  phone  has the workout's figures from the health store: "))
  }
}
