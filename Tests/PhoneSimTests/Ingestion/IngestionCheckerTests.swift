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

  private func switched(_ isOn: Bool) -> IngestionSwitched {
    var event = IngestionSwitched()
    (event.type, event.on) = ("sleep", isOn)
    return event
  }

  @Test func `the app asks for one thing at a time, for none that is off, and keeps rows for their time`() throws {
    var first = requested()
    first.day = "2026-04-10"
    var denied = IngestionRefused()
    (denied.type, denied.day, denied.why) = (first.type, first.day, "denied")
    func judge(_ events: [any TraceEventKind]) throws -> Int { try self.judge("ingestion-obeys", events) }
    #expect(try judge([first, staged(), parsed(), requested()]) == 0)
    #expect(try judge([first, requested()]) == 1)
    #expect(try judge([switched(false), switched(true), first]) == 0)
    #expect(try judge([switched(false), first]) == 1)
    #expect(try judge([first, denied]) == 1)
    #expect(try judge([first, staged(), parsed(), purged()]) == 1)
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

  @Test func `nothing is queried before the user was asked`() throws {
    let name = "ingestion-fetch-flows"
    func asked(_ types: String) -> IngestionAsked {
      var event = IngestionAsked()
      (event.store, event.types) = ("HealthKit", types)
      return event
    }
    #expect(
      try judge(name, [began(failed: 0), asked("sleep,calories"), requested(), began(failed: 0), requested()]) == 0)
    #expect(try judge(name, [began(failed: 0), requested()]) == 1)
    #expect(try judge(name, [began(failed: 0), asked("calendar"), requested()]) == 1)
    var later = began(failed: 0)
    later.rows = 3
    #expect(try judge(name, [later, requested()]) == 0, "an earlier run has asked")
  }

  /// The violations of one invariant in lines of a phone, by the hours since midnight in UTC.
  private func judge(_ invariant: String, _ lines: [(hour: Double, event: any TraceEventKind)]) -> Int {
    var header = TraceHeader(scenario: "s", seed: 1, duration: .hours(100))
    header.startedAt = "2026-04-10T00:00:00Z"
    var judge = Judge(header: header, checkers: CoachCheckerCatalog.all.filter { $0.invariant == invariant })
    var trace = CoachTrace()
    for line in lines {
      trace.add(type(of: line.event).name.text, line.hour * 3_600, on: .phone, line.event.fields)
    }
    for (index, event) in trace.events.enumerated() { judge.observe(event, line: index + 2) }
    judge.observe(TraceEvent("end", at: .start + .hours(100), on: .runner), line: trace.events.count + 2)
    return judge.finish().violations.count
  }

  private static let (first, second, third) = ("2026-04-10", "2026-04-11", "2026-04-12")

  private func slept(_ day: String, _ hours: Double) -> HealthSlept {
    var event = HealthSlept()
    (event.day, event.hours) = (day, hours)
    return event
  }

  /// A sync at an hour that asks for days in their order; each is staged and parsed with so many hours asleep.
  private func sync(
    _ hour: Double, _ days: [(day: String, hours: Double)]
  ) -> [(hour: Double, event: any TraceEventKind)] {
    days.enumerated().flatMap { index, night -> [(hour: Double, event: any TraceEventKind)] in
      var (request, answer, result) = (requested(), staged(), parsed("{\"sleep_hours\":\(night.hours)}"))
      (request.day, answer.day, result.day) = (night.day, night.day, night.day)
      (answer.raw, result.raw) = ("raw\(night.hours)", "raw\(night.hours)")
      let at = hour + Double(index) / 1_000
      return [(at, request), (at + 0.0002, answer), (at + 0.0004, result)]
    }
  }

  @Test func `the first sync after a night fetches it`() {
    let name = "ingestion-whole-nights"
    let (first, second, third) = (Self.first, Self.second, Self.third)
    // Half a night at 01:30 is no fault.
    let half = sync(25.5, [(first, 1.5), (second, 0)]) + [(31, slept(first, 7))]
    #expect(judge(name, half) == 0)
    #expect(judge(name, half + sync(49.5, [(first, 7), (second, 2), (third, 0)])) == 0)
    #expect(judge(name, half + sync(49.5, [(second, 2), (third, 0)])) == 1)
    // A sync that began in the night may go on after it.
    #expect(judge(name, sync(30.999, [(first, 1.5)]) + [(31, slept(first, 7))] + sync(31.001, [(second, 0)])) == 0)
    // The store was unavailable; the query that it refused is repeated, behind one of the next sync.
    var (asked, refused) = (requested(), IngestionRefused())
    (asked.day, refused.type, refused.day, refused.why) = (first, "sleep", first, "unavailable")
    let late: [(hour: Double, event: any TraceEventKind)] = [(30, asked), (30.1, refused), (31, slept(first, 7))]
    #expect(judge(name, late + sync(49.5, [(second, 2)]) + sync(49.6, [(first, 7)])) == 0)
    #expect(judge(name, late + sync(49.5, [(first, 6)])) == 1)
    // One that was never fetched.
    #expect(judge(name, [(31, slept(first, 7))] + sync(49.5, [(second, 2)])) == 1)
  }

  @Test func `a night is stored as it was slept`() {
    let name = "ingestion-whole-nights"
    let night: [(hour: Double, event: any TraceEventKind)] = [(31, slept(Self.first, 7))]
    #expect(judge(name, night + sync(34, [(Self.first, 6.9)])) == 1)
    // The night was corrected afterwards; what is fetched before and after it is right.
    let corrected: [(hour: Double, event: any TraceEventKind)] = [(40, slept(Self.first, 7.2))]
    #expect(judge(name, night + sync(34, [(Self.first, 7)]) + corrected + sync(58, [(Self.first, 7.2)])) == 0)
    #expect(judge(name, night + corrected + sync(58, [(Self.first, 7)])) == 1)
    // The same JSON is not parsed again.
    var same = staged(Self.row, "same")
    (same.day, same.raw) = (Self.first, "raw6.5")
    #expect(judge(name, sync(30, [(Self.first, 6.5)]) + night + [(34, same)]) == 1)
  }

  @Test func `totals and measures of a day are those of one store`() {
    func totals(_ day: String, _ health: String, revision: Int64 = 1) -> DayAggregated {
      var event = DayAggregated()
      (event.day, event.revision, event.totals) = (day, revision, JSONText("{\"health\":\(health)}"))
      return event
    }
    func burned(_ hour: Double, _ value: Double) -> [(hour: Double, event: any TraceEventKind)] {
      sync(hour, [(Self.first, value)]).map { line in
        if var staged = line.event as? IngestionStaged {
          staged.type = "calories"
          return (line.hour, staged)
        }
        if var parsed = line.event as? IngestionParsed {
          (parsed.type, parsed.measures) = ("calories", JSONText("{\"calories_burned\":\(value)}"))
          return (line.hour, parsed)
        }
        return line
      }
    }
    let name = "health-agrees"
    let day: [(hour: Double, event: any TraceEventKind)] = [(23.9, totals(Self.first, #"{"steps":9,"calories":755}"#))]
    let next: [(hour: Double, event: any TraceEventKind)] = [(35, totals(Self.second, #"{"steps":1,"calories":1}"#))]
    #expect(judge(name, day + burned(34, 754.6) + next) == 0)
    #expect(judge(name, day + burned(34, 2_973) + next) == 1)
    // Nothing was read again since.
    #expect(judge(name, day + burned(34, 2_973)) == 0)
    // A workout arrived between both readings.
    let late: [(hour: Double, event: any TraceEventKind)] = [(34.5, totals(Self.first, #"{"steps":9,"calories":900}"#))]
    #expect(judge(name, day + burned(34, 755) + late + next) == 0)
    // A night that is not over is in the measures only.
    let night = [(24.5, totals(Self.first, #"{"steps":9}"#) as any TraceEventKind)] + sync(26, [(Self.first, 2)])
    let small: [(hour: Double, event: any TraceEventKind)] = [(28, totals(Self.second, #"{"steps":0,"calories":0}"#))]
    #expect(judge(name, night + small) == 0)
    #expect(judge(name, night.dropLast(3) + sync(37, [(Self.first, 2)]) + [(38, small[0].event)]) == 1)
  }

  @Test func `a day has at least what its workouts have`() {
    typealias Line = (hour: Double, event: any TraceEventKind)
    func total(_ hour: Double, _ health: String, refused: String? = nil) -> Line {
      var event = DayAggregated()
      (event.day, event.totals, event.refused) = (Self.first, JSONText("{\"health\":\(health)}"), refused)
      return (hour, event)
    }
    func measures(_ hour: Double, _ type: String, _ text: String) -> [Line] {
      sync(hour, [(Self.first, 1)]).map { line in
        if var staged = line.event as? IngestionStaged {
          staged.type = type
          return (line.hour, staged)
        }
        guard var parsed = line.event as? IngestionParsed else { return line }
        (parsed.type, parsed.measures) = (type, JSONText(text))
        return (line.hour, parsed)
      }
    }
    func observed(_ hour: Double, began: Double, distance: Double = 5_000) -> Line {
      var event = HealthObserved()
      (event.workout, event.startedAt) = (Self.row, 1_775_779_200_000_000_000 + Int64(began * 3.6e12))
      (event.duration, event.distance, event.energy, event.steps) = (1_859, distance, 350.4, 4_800)
      return (hour, event)
    }
    let name = "health-agrees"
    let run = observed(13, began: 12)
    #expect(judge(name, [run, total(14, #"{"steps":4800,"calories":350}"#)]) == 0)
    #expect(judge(name, [run, total(14, #"{"steps":4700,"calories":350}"#)]) == 1)
    #expect(judge(name, [run, total(14, #"{"steps":4800,"calories":340}"#)]) == 1)
    // What could not be read, another day's workout, and one that the app did not know yet.
    #expect(judge(name, [run, total(14, #"{"steps":4800,"calories":340}"#, refused: "calories")]) == 0)
    #expect(judge(name, [observed(13, began: -14), total(14, #"{"steps":1,"calories":1}"#)]) == 0)
    #expect(judge(name, [total(12.9, #"{"steps":1,"calories":1}"#), run]) == 0)
    #expect(judge(name, [run] + measures(14, "exercise", #"{"exercise_minutes":30}"#)) == 0)
    #expect(judge(name, [run] + measures(14, "exercise", #"{"exercise_minutes":28}"#)) == 1)
    #expect(judge(name, measures(12, "exercise", #"{"exercise_minutes":28}"#) + [run]) == 0)
    #expect(judge(name, [run] + measures(14, "calories", #"{"calories_burned":300}"#)) == 1)
    // Both stores have one workout.
    var saved = HealthSaved()
    (saved.workout, saved.distance, saved.duration) = (Self.row, 5_000, 1_859)
    #expect(judge(name, [(12.5, saved), run]) == 0)
    #expect(judge(name, [(12.5, saved), observed(13, began: 12, distance: 4_990)]) == 1)
    var truth = HealthTruth()
    (truth.workout, truth.distance, truth.duration) = (Self.row, 5_000, 1_860)
    #expect(judge(name, [(12.5, saved), run, (14, truth)]) == 1)
  }
}
