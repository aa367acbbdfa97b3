@testable import CoachCheckers
import Link
import Testing

@testable import PhoneSim

/// What the server lost comes back as it was, or is reported.
@Suite struct ServerRebuiltCheckerTests {
  private static let squat = "[{\"id\":\"a\",\"title\":\"Legs\"}]"

  private func judge(_ events: [any TraceEventKind]) throws -> Int {
    var trace = CoachTrace()
    for (index, event) in events.enumerated() {
      trace.add(type(of: event).name.text, Double(index + 1), on: .edge, event.fields)
    }
    return try trace.judge(only: [ServerRebuiltChecker.invariant]).violations.count
  }

  private func stored(_ day: String, _ text: String = squat) -> WorkoutsStored {
    var event = WorkoutsStored()
    (event.day, event.workouts) = (day, JSONText(text))
    return event
  }

  private func history(_ content: String) -> FileStored {
    var event = FileStored()
    (event.file, event.days) = ("exercise_history.json", 1)
    event.digest = Digest.text(Digest.prefix(Array(content.utf8)))
    return event
  }

  private var before: [any TraceEventKind] {
    [stored("2026-05-08"), stored("2026-05-09"), history("a"), WorkoutsFetched()]
  }

  @Test(arguments: ["wipe", "powerLoss"])
  func `a server that has everything again is right`(cause: String) throws {
    let loss: any TraceEventKind =
      cause == "wipe" ? ServerRestarted(cause: "wipe") : FileDamaged(file: "context_store.json")
    #expect(try judge(before + [loss] + before) == 0)
    // Not fetched yet.
    #expect(try judge(before + [loss, stored("2026-05-09")]) == 0)
    // A file that the server makes of its own data is no loss, and a restart loses nothing.
    #expect(
      try judge(before + [ServerRestarted(cause: "restart"), FileDamaged(file: "insights.json"), WorkoutsFetched()])
        == 0)
  }

  @Test(arguments: ["wipe", "powerLoss"])
  func `a day that is missing or another after the fetch is reported`(cause: String) throws {
    let loss: any TraceEventKind =
      cause == "wipe" ? ServerRestarted(cause: "wipe") : FileDamaged(file: "context_store.json")
    #expect(try judge(before + [loss, stored("2026-05-09"), history("a"), WorkoutsFetched()]) == 1)
    #expect(try judge(before + [loss, WorkoutsFetched()]) == 1)
    let other = [stored("2026-05-08", "[]"), stored("2026-05-09")]
    #expect(try judge(before + [loss] + other + [history("a"), WorkoutsFetched()]) == 1)
  }

  @Test func `a second loss before the fetch counts what the first one took`() throws {
    let twice =
      before + [
        ServerRestarted(cause: "wipe"), stored("2026-05-09"), ServerRestarted(cause: "wipe"), stored("2026-05-09"),
      ]
    #expect(try judge(twice + [history("a"), WorkoutsFetched()]) == 1)
    #expect(try judge(twice + [stored("2026-05-08"), history("a"), WorkoutsFetched()]) == 0)
  }

  @Test func `another history of the same workouts is reported, and one with a new workout is not`() throws {
    let days = [stored("2026-05-08"), stored("2026-05-09")]
    #expect(try judge(before + [ServerRestarted(cause: "wipe")] + days + [history("b"), WorkoutsFetched()]) == 1)
    #expect(
      try judge(
        before + [ServerRestarted(cause: "wipe")] + days + [stored("2026-05-10"), history("b"), WorkoutsFetched()]) == 0
    )
  }
}
