import Link
import Testing

@Suite struct RunChapterTests {
  private typealias S = StoryEvents

  @Test func `a run begins, pauses, resumes and ends after its last kilometre`() throws {
    let split: TraceValue = .json(#"{"kmIndex":1,"durationSeconds":330.2,"paceSecPerKm":330.2,"avgHeartRate":151}"#)
    let lines = try S.tell([
      S.state("preparing", from: nil, at: 0),
      S.state("running", from: "preparing", at: 3),
      S.state("paused", from: "running", at: 100),
      S.state("running", from: "paused", at: 130.5),
      S.state("ended", from: "running", at: 363, cause: "source"),
      S.event("snapshot", 363, .watch, ["distance": .int(1000), "lastSplit": split, "state": .string("ended")]),
      S.event("health.saved", 363, .watch, ["distance": .int(1000), "duration": .decimal(mantissa: 3302, scale: 1)]),
    ])
    #expect(
      lines == [
        "    0:00  watch  gets ready for a workout",
        "    0:03  watch  the workout begins",
        "    1:40  watch  the workout is paused",
        "    2:10  watch  the workout goes on after 30.5 s",
        "    6:03  watch  kilometre 1 at 5:30 min/km, heart rate 151",
        "    6:03  watch  the workout ends",
        "    6:03  watch  the workout is saved: 1.00 km in 5:30",
      ])
  }

  @Test func `what the phone believes is in the story only when it comes late`() throws {
    let inTime = S.event(
      "run.state", 11.9, .phone, ["from": .string("running"), "to": .string("paused"), "cause": .string("snapshot")])
    let late = S.event(
      "run.state", 52.25, .phone, ["from": .string("running"), "to": .string("paused"), "cause": .string("event")])
    let pause = S.state("paused", from: "running", at: 10)
    #expect(try S.tell([pause, inTime]).count == 1)
    #expect(
      try S.tell([pause, late]).last == "    0:52  phone  learns only now that the workout is paused, 42.3 s late")
  }

  @Test func `a late message is history, with its age`() throws {
    let said: Int64 = 20_000_000_000
    let lines = try S.tell([
      S.event(
        "run.history", 270, .phone,
        ["kind": .string("workoutPaused"), "sentAt": .int(said), "why": .string("late")])
    ])
    #expect(
      lines.joined(separator: " ").contains(
        "keeps as history that the workout is paused, in a message from 4:10 min ago: a"))
  }

  @Test func `a run that ended long ago is known late`() throws {
    let lines = try S.tell([
      S.state("ended", from: "running", at: 100), S.event("run.finished", 400, .phone),
    ])
    #expect(lines.last == "    6:40  phone  knows that the workout is over and saved, 5:00 min late")
  }

  @Test func `a node that fails has its cause in the story`() throws {
    let event = S.event("node.failed", 7, .runner, ["target": .string("watch"), "cause": .string("silent for 5 s")])
    #expect(try S.tell([event]) == ["    0:07  run    the watch failed: silent for 5 s"])
  }
}
