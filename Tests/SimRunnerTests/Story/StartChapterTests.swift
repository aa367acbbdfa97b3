import Link
import Testing

@Suite struct StartChapterTests {
  private typealias S = StoryEvents

  @Test func `a start is requested, answered, or fails, and the phone continues alone`() throws {
    let lines = try S.tell([
      S.event("start.asked", 20, .phone, ["channel": .string("applicationContext"), "attempt": .int(1)]),
      S.event("start.asked", 30, .phone, ["channel": .string("message"), "attempt": .int(2)]),
      S.event("start.accepted", 30, .watch),
      S.event("start.failed", 40, .phone, ["why": .string("no answer")]),
      S.event("start.cancelled", 40, .phone),
      S.event("tracker.started", 40, .phone, ["by": .string("phone")]),
      S.event("start.late", 50, .phone, ["runId": .uuid(high: 1, low: 1), "word": .string("snapshot")]),
      S.event("start.late", 60, .phone, ["runId": .uuid(high: 1, low: 1), "word": .string("snapshot")]),
      S.event("tracker.ended", 130, .phone, ["elapsed": .int(90), "distance": .int(300)]),
    ])
    #expect(
      lines == [
        "    0:20  phone  asks the watch to start a workout, by context, for when it is reachable",
        "    0:30  phone  asks the watch again to start the workout",
        "    0:30  watch  accepts the phone's start",
        "    0:40  phone  could not start the workout on the watch: no answer",
        "    0:40  phone  cancels the start",
        "    0:40  phone  tracks the workout itself",
        "    0:50  phone  learns too late that the watch runs it anyway: orders it to stop",
        "    2:10  phone  the workout it tracked itself is over: 1:30, 0.30 km by the plan",
      ])
  }

  @Test func `an answer and a refusal have the voice of their sender`() throws {
    let lines = try S.tell([
      S.event("start.asked", 1, .phone, ["attempt": .int(1), "error": .string("watchAppNotInstalled")]),
      S.event("start.declined", 2, .watch, ["reason": .string("void")]),
      S.event("start.declined", 2, .phone, ["reason": .string("void")]),
      S.event("start.acked", 3, .phone, ["word": .string("startAck")]),
      S.event("start.acked", 4, .phone, ["word": .string("snapshot")]),
      S.event("start.asked", 5, .phone, ["channel": .string("message")]),
    ])
    #expect(
      lines == [
        "    0:01  phone  cannot ask the watch to start a workout: watchAppNotInstalled",
        "    0:02  watch  declines the phone's start: void",
        "    0:02  phone  learns that the watch declines the start: void",
        "    0:03  phone  knows that the watch has begun",
        "    0:04  phone  knows that the watch has begun, by a message of the workout",
      ])
  }
}
