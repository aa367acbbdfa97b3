import Link
import LinkTestSupport
import Testing

@testable import TraceTools

/// What stories tell of training sessions, Apple's data and local time.
@Suite struct DailyLifeChapterTests {
  private typealias S = StoryEvents

  private func session(
    _ name: TraceEvent.Name, _ seconds: Double, _ discipline: String, result: Int64?, what: String = "",
    phone: Int64? = nil
  ) -> TraceEvent {
    let event = S.event(
      name, seconds, .phone,
      [
        "discipline": .string(discipline), "distance": .int(6_853_000), "duration": .int(2_400_900), "rows": .int(12),
        "what": .string(what),
      ])
    let optional = [("result", result), ("phone", phone)].compactMap { key, value in
      value.map { TraceEvent.Field(key, .int($0)) }
    }
    return event.with(fields: event.fields + optional)
  }

  @Test func `a story names the kind of a session, and its figures with their units`() throws {
    let lines = try S.tell([
      session("training.stored", 60, "riding", result: nil),
      session("training.stored", 61, "shooting", result: 172_000),
      session("training.edited", 62, "riding", result: 68_500, what: "score"),
      session("training.competition", 62, "riding", result: 68_500),
      session("training.edited", 63, "shooting", result: 1_000, what: "shot", phone: 2),
      session("training.competition", 64, "swimming", result: 541_000),
      session("training.removed", 65, "running", result: nil),
      S.event("training.shown", 66, .phone, ["table": .string("Ride"), "phone": .int(2)]),
      S.event("training.shown", 67, .phone, ["table": .string("Saddle"), "phone": .int(1)]),
    ])
    #expect(
      lines == [
        "    1:00  phone  stores the ride: 6.85 km in 40:00, 12 rows",
        "    1:01  phone  stores the shooting session: 172 points in 40:00, 12 rows",
        "    1:02  phone  the judge's score is entered: the ride has 68.5 points",
        "    1:02  phone  the competition shows 68.5 points for the ride",
        "    1:03  phone  second phone: a shot is corrected: the shooting session has 1 point",
        "    1:04  phone  the competition shows 9:01 for the swim",
        "    1:05  phone  removes the running session: 12 rows",
        "    1:06  phone  second phone: shows the ride from the other phone",
        "    1:07  phone  shows a row of Saddle from the other phone",
      ])
  }

  private func parsed(_ seconds: Double, _ type: String, _ day: String, _ measures: String) -> TraceEvent {
    S.event(
      "ingestion.parsed", seconds, .phone,
      ["type": .string(type), "day": .string(day), "measures": .json(measures)])
  }

  @Test func `a story has each night once, a past day only if it changed, and the switches of the user`() throws {
    let lines = try S.tell([
      parsed(1, "calories", "2026-04-10", "{\"calories_burned\":2128}"),
      parsed(1, "sleep", "2026-04-11", "{\"sleep_hours\":6.5}"),
      // The newest night is fetched again, first as it was, then longer.
      parsed(2, "sleep", "2026-04-11", "{\"sleep_hours\":6.5}"),
      parsed(3, "sleep", "2026-04-11", "{\"sleep_hours\":7}"),
      parsed(4, "calories", "2026-04-10", "{\"calories_burned\":2128}"),
      parsed(5, "calories", "2026-04-10", "{\"calories_burned\":1064.5}"),
      S.event("ingestion.switched", 6, .phone, ["type": .string("sleep"), "on": .bool(false)]),
      S.event(
        "ingestion.refused", 7, .phone,
        ["type": .string("calendar"), "day": .string("2026-04-11"), "why": .string("denied")]),
      S.event(
        "ingestion.refused", 8, .phone,
        ["type": .string("calendar"), "day": .string("2026-04-11"), "why": .string("denied")]),
      S.event("ingestion.staged", 9, .phone, ["type": .string("calendar"), "row": .string("new")]),
      S.event("ingestion.purged", 10, .phone, ["why": .string("asked")]),
      S.event("ingestion.purged", 10, .phone, ["why": .string("asked")]),
      S.event("ingestion.purged", 11, .phone, ["why": .string("due")]),
    ])
    #expect(
      lines == [
        "    0:01  phone  knows the night of 2026-04-11: 6 h 30 min asleep",
        "    0:03  phone  knows the night of 2026-04-11: 7 h 0 min asleep",
        "    0:05  phone  finds calories of 2026-04-10 changed: 1064.5 kcal instead of 2128",
        "    0:06  phone  the user switches sleep off",
        "    0:07  phone  gets no calendar from the store: access is denied",
        "    0:09  phone  gets calendar from the store again",
        "    0:10  phone  deletes the parsed raw data, as the user asked",
        "    0:11  phone  deletes parsed raw data that is due",
      ])
  }

  @Test func `what the phone believes of a swim names the swim`() throws {
    let id = TraceValue.uuid(high: 1, low: 1)
    let lines = try S.tell([
      S.event(
        "workout.state", 1, .watch,
        ["workoutId": id, "from": .null, "to": .string("preparing"), "sport": .string("swimming")]),
      S.event("workout.state", 4, .watch, ["workoutId": id, "from": .string("preparing"), "to": .string("running")]),
      S.event("run.state", 60, .phone, ["workoutId": id, "from": .null, "to": .string("running")]),
      S.event("run.finished", 90, .phone, ["workoutId": id]),
    ])
    #expect(
      lines.suffix(2) == [
        "    1:00  phone  learns only now that a swim is on, 56 s late",
        "    1:30  phone  knows that the swim is over and saved",
      ])
  }

  @Test func `a story has a flight and a change of the clocks when they happen`() throws {
    var header = try S.header()
    header.utcOffsets = [
      TraceHeader.UTCOffset(from: .start, seconds: 3_600),
      TraceHeader.UTCOffset(from: .start + .seconds(30), seconds: -12_600),
      TraceHeader.UTCOffset(from: .start + .seconds(40), seconds: -12_600),
      TraceHeader.UTCOffset(from: .start + .seconds(50), seconds: 0),
    ]
    var teller = Storyteller(header: header)
    let lines = [S.event("edge.restarted", 45, .edge), S.event("edge.restarted", 50, .edge)].enumerated().flatMap {
      teller.observe($0.element, line: $0.offset + 2)
    }
    #expect(
      lines.map { $0.rendered() }.filter { $0.contains("UTC") } == [
        "    0:30  phone  local time is UTC-3:30 from now on, and no longer UTC+1",
        "    0:50  phone  local time is UTC+0 from now on, and no longer UTC-3:30",
      ])
  }

  @Test func `the summary counts sessions and Apple's data`() throws {
    let rows = try S.summary([
      session("training.stored", 1, "swimming", result: 1), session("training.stored", 2, "swimming", result: 1),
      session("training.stored", 3, "shooting", result: 1),
      S.event("ingestion.staged", 4, .phone, ["row": .string("new")]),
      S.event("ingestion.staged", 5, .phone, ["row": .string("same")]),
      S.event("ingestion.staged", 6, .phone, ["row": .string("changed")]), S.event("ingestion.failed", 7, .phone),
      S.event("ingestion.purged", 8, .phone),
    ])
    #expect(rows["sessions"] == "2 swims and 1 shooting session stored")
    #expect(
      rows["ingested"] == "1 row of Apple's data, 1 changed later, 1 not readable at first, 1 deleted once parsed")
    let empty = try S.summary([])
    #expect(empty["sessions"] == nil && empty["ingested"] == nil)
  }

  @Test func `figures of a trace made by anyone do no harm`() throws {
    var extreme: [TraceEvent] = []
    for value in [Int64.min, -1, 0, .max] {
      for name in ["training.stored", "training.edited", "training.competition", "training.removed"]
        as [TraceEvent.Name]
      {
        for discipline in ["swimming", "shooting", "x"] {
          extreme.append(
            S.event(
              name, 1, .phone,
              [
                "discipline": .string(discipline), "distance": .int(value), "duration": .int(value),
                "rows": .int(value), "result": .int(value),
              ]))
        }
      }
    }
    extreme.append(parsed(2, "sleep", "z", "{\"sleep_hours\":1e300}"))
    extreme.append(parsed(2, "sleep", "a", "{\"sleep_hours\":-1e300}"))
    extreme.append(parsed(2, "sleep", "a", "{\"sleep_hours\":1e300}"))
    // A night of less than nothing is none.
    #expect(try S.tell(extreme).count == extreme.count - 1)
  }
}
