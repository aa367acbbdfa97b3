@testable import CoachCheckers
import Link
import Testing

@testable import PhoneSim

/// Each invariant of the ingestion: the smallest trace that breaks it, and one that does not.
@Suite struct IngestionCheckerTests {
  private static let row = Identifier(high: 1, low: 1)
  private static let other = Identifier(high: 1, low: 2)

  private func judge(_ invariant: String, _ events: [any TraceEventKind]) throws -> Int {
    var trace = CoachTrace()
    for (index, event) in events.enumerated() {
      trace.add(type(of: event).name.text, Double(index + 1), on: .phone, event.fields)
    }
    return try trace.judge(only: [invariant]).violations.count
  }

  private func staged(_ id: Identifier = row, _ row: String = "new", left: Int64 = 0) -> IngestionStaged {
    var event = IngestionStaged()
    (event.type, event.day, event.id, event.row, event.left) = ("sleep", "2026-04-10", id, row, left)
    return event
  }

  private func parsed(_ measures: String = "{}", action: Identifier = other) -> IngestionParsed {
    var event = IngestionParsed()
    (event.type, event.day, event.id, event.raw) = ("sleep", "2026-04-10", Self.row, "0123456789abcdef")
    (event.measures, event.action) = (JSONText(measures), action)
    return event
  }

  private func purged() -> IngestionPurged {
    var event = IngestionPurged()
    (event.type, event.day, event.id, event.why) = ("sleep", "2026-04-10", Self.row, "due")
    return event
  }

  private func failed() -> IngestionFailed {
    var event = IngestionFailed()
    (event.type, event.day, event.id, event.why) = ("sleep", "2026-04-10", Self.row, "found no array")
    return event
  }

  private func updated(_ unparsed: Int64) -> IngestionUpdated {
    var event = IngestionUpdated()
    (event.parser, event.unparsed) = (2, unparsed)
    return event
  }

  private func began(failed: Int64) -> IngestionBegan {
    var event = IngestionBegan()
    event.failed = failed
    return event
  }

  private func requested() -> IngestionRequested {
    var event = IngestionRequested()
    (event.type, event.day) = ("sleep", "2026-04-11")
    return event
  }

  @Test func `only what is parsed is purged`() throws {
    let name = "ingestion-purges-parsed"
    #expect(try judge(name, [staged(), parsed(), purged()]) == 0)
    #expect(try judge(name, [staged(), purged()]) == 1)
    #expect(try judge(name, [staged(), parsed(), staged(Self.row, "changed"), purged()]) == 1)
    #expect(try judge(name, [staged(), parsed(), staged(Self.row, "same"), purged()]) == 0)
  }

  @Test func `a day has one row of a type, and one action`() throws {
    let name = "ingestion-upserts"
    #expect(try judge(name, [staged(), staged(Self.row, "changed"), purged(), staged()]) == 0)
    #expect(try judge(name, [staged(), staged(Self.other)]) == 1)
    #expect(try judge(name, [parsed(), parsed()]) == 0)
    #expect(try judge(name, [parsed(), parsed(action: Self.row)]) == 1)
  }

  @Test func `a failure waits for the update, over restarts`() throws {
    let name = "ingestion-keeps-failures"
    #expect(try judge(name, [staged(), failed(), began(failed: 1), updated(1), parsed()]) == 0)
    #expect(try judge(name, [staged(), failed(), updated(0)]) == 1)
    #expect(try judge(name, [staged(), failed(), began(failed: 0)]) == 1)
    #expect(try judge(name, [staged(), failed(), purged()]) == 1)
    #expect(try judge(name, [staged(), failed(), staged(Self.row, "changed"), updated(0)]) == 0)
  }

  @Test func `the same JSON measures the same`() throws {
    let name = "ingestion-refetch-same"
    #expect(try judge(name, [parsed(#"{"sleep_hours":7}"#), purged(), parsed(#"{"sleep_hours":7}"#)]) == 0)
    #expect(try judge(name, [parsed(#"{"sleep_hours":7}"#), purged(), parsed(#"{"sleep_hours":14}"#)]) == 1)
  }

  @Test func `a query does not wait for the parser`() throws {
    let name = "ingestion-fetch-flows"
    #expect(try judge(name, [staged(left: 3), requested(), parsed()]) == 0)
    #expect(try judge(name, [staged(left: 3), parsed(), requested()]) == 1)
    #expect(try judge(name, [staged(left: 0), parsed()]) == 0)
    #expect(try judge(name, [staged(left: 3), began(failed: 0), parsed()]) == 0)
  }

  @Test func `a night that was half over is fetched again`() throws {
    /// A sync at a time that asks for days in their order; all are staged.
    func judge(_ syncs: [(hour: Double, days: [String])]) throws -> Int {
      var header = TraceHeader(scenario: "s", seed: 1, duration: .hours(100))
      header.startedAt = "2026-04-10T00:00:00Z"
      var judge = Judge(
        header: header, checkers: CoachCheckerCatalog.all.filter { $0.invariant == "ingestion-whole-nights" })
      var trace = CoachTrace()
      for sync in syncs {
        for (index, day) in sync.days.enumerated() {
          var (request, answer) = (requested(), staged())
          (request.day, answer.day) = (day, day)
          trace.add("ingestion.requested", sync.hour * 3_600 + Double(index), on: .phone, request.fields)
          trace.add("ingestion.staged", sync.hour * 3_600 + Double(index) + 0.5, on: .phone, answer.fields)
        }
      }
      for (index, event) in trace.events.enumerated() { judge.observe(event, line: index + 2) }
      judge.observe(TraceEvent("end", at: .start + .hours(100), on: .runner), line: trace.events.count + 2)
      return judge.finish().violations.count
    }
    let (first, second, third) = ("2026-04-10", "2026-04-11", "2026-04-12")
    // At 01:30, the night of the 10th lasts until noon of the 11th.
    #expect(try judge([(25.5, [first, second]), (49.5, [first, second, third])]) == 0)
    #expect(try judge([(25.5, [first, second]), (49.5, [second, third])]) == 1)
    #expect(try judge([(25.5, [first, second]), (26, [second])]) == 0)
    #expect(try judge([(37, [first, second]), (49.5, [second, third])]) == 0)
  }
}
