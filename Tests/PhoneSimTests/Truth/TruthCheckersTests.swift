@testable import CoachCheckers
import CoachProtocol
import Link
import LinkTestSupport
import Testing

/// `truth-days`, `truth-totals`, `truth-results`: the smallest traces that break them, and those that do not.
@Suite struct TruthCheckersTests {
  private static let day = "2026-05-09"
  /// Midnight of that day, in seconds since 1970.
  private static let midnight: Int64 = 1_778_284_800

  /// After how many hours something happens.
  private typealias Moment = (Double, any TraceEventKind)

  /// - Parameter isOneType: Whether the events are of one type, so that what is said of the others does not count.
  private func judge(
    _ checker: any Checker.Type, _ events: [Moment], until hours: Int64 = 60,
    failures: String = "[]", isTold: Bool = true, isOneType: Bool = false
  ) throws -> [String] {
    var header = TraceHeader(scenario: "s", seed: 1, duration: .hours(hours))
    header.startedAt = "\(Self.day)T00:00:00Z"
    let phone = """
      { "ingestion": { "history": 0, "every": "6h", "failures": \(failures) }, "daily": { "every": "1h" } }
      """
    header.extras = [JSONMember("truth", .bool(true))]
    header.extras.append(JSONMember(key: "phone", at: .nowhere, try JSONParser.parse(phone, dialect: .json)))
    var judge = Judge(header: header, checkers: [checker])
    var line = 1
    var yesterday = TrueReminder()
    yesterday.day = "2026-05-08"
    let told: [Moment] = isTold ? [(0, yesterday)] : []
    for (hours, event) in told + events {
      line += 1
      let name = type(of: event).name
      let place: TraceEvent.Place =
        name.text.hasPrefix("truth") ? .runner : name.text.hasPrefix("edge") ? .edge : .phone
      let time = VirtualTime(nanoseconds: Int64(hours * 3_600_000_000_000))
      judge.observe(TraceEvent(name, at: time, on: place, event.fields).completed, line: line)
    }
    judge.observe(TraceEvent("end", at: .start + .hours(hours), on: .runner), line: line + 1)
    return judge.finish().violations.map(\.detail).filter { !isOneType || !$0.contains("never fetched") }
  }

  private func over(walks: String = "[]", sessions: Int64 = 0) -> TrueDay {
    var event = TrueDay()
    (event.day, event.walks) = (Self.day, JSONText(walks))
    (event.from, event.to) = (Self.midnight * 1_000_000_000, (Self.midnight + 86_400) * 1_000_000_000)
    (event.sessions, event.mindful) = (sessions, sessions * 600)
    return event
  }

  private func staged(_ type: String, row: String = "new") -> IngestionStaged {
    var event = IngestionStaged()
    (event.type, event.day, event.row, event.raw) = (type, Self.day, row, "0123456789abcdef")
    return event
  }

  private func parsed(_ type: String, _ measures: String) -> IngestionParsed {
    var event = IngestionParsed()
    (event.type, event.day, event.raw, event.measures) = (type, Self.day, "0123456789abcdef", JSONText(measures))
    return event
  }

  private func appointment(isAllDay: Bool) -> TrueAppointment {
    var event = TrueAppointment()
    (event.day, event.allDay, event.to) = (Self.day, isAllDay, 1_800_000_000_000)
    return event
  }

  @Test(arguments: [(0.5, 1, []), (1, 1, ["meeting_hours"]), (0.5, 2, ["meeting_count"])] as [(Double, Int, [String])])
  func `meetings count once, and an entry for the whole day is none`(hours: Double, count: Int, broken: [String]) throws
  {
    let measures = parsed("calendar", "{\"meeting_hours\":\(hours),\"meeting_count\":\(count)}")
    let events: [Moment] = [
      (10, appointment(isAllDay: false)), (10, appointment(isAllDay: true)), (24, over()), (25, staged("calendar")),
      (25.1, measures),
    ]
    let found = try judge(TruthDaysChecker.self, events, until: 26, isOneType: true)
    #expect(found.count == broken.count)
    for name in broken { #expect(found.first?.contains("the \(name) of \(Self.day) are") == true) }
  }

  @Test func `a day that was not over when it was fetched is not judged`() throws {
    let events: [Moment] = [
      (1, staged("mindfulness")), (1.1, parsed("mindfulness", "{}")), (24, over(sessions: 2)),
    ]
    #expect(try judge(TruthDaysChecker.self, events, until: 26, isOneType: true).isEmpty)
    // Fetched again it is, though its JSON is the same.
    let second: [Moment] = [(25, staged("mindfulness", row: "same"))]
    let again = try judge(TruthDaysChecker.self, events + second, until: 26, isOneType: true)
    #expect(again == ["the mindfulness_minutes of \(Self.day) are missing, and they were 20"])
  }

  @Test func `samples that changed are not judged`() throws {
    let events: [Moment] = [
      (24, over(sessions: 1)), (25, staged("mindfulness")), (25.1, parsed("mindfulness", "{}")),
    ]
    #expect(try judge(TruthDaysChecker.self, events, until: 26, isOneType: true).count == 1)
    let failures = "[{ \"do\": \"delete\", \"at\": 86000, \"for\": \"2h\" }]"
    #expect(try judge(TruthDaysChecker.self, events, until: 26, failures: failures, isOneType: true).isEmpty)
  }

  @Test func `each type of a day is fetched once it is over`() throws {
    func fetches(of types: [String], after hours: Double) -> [Moment] { types.map { (hours, staged($0)) } }
    let types = ["sleep", "calories", "exercise", "mindfulness", "calendar", "reminders"]
    let first: [Moment] = fetches(of: types, after: 1) + [(24, over())]
    let missing = try judge(TruthDaysChecker.self, first)
    #expect(missing.count == 5 && missing.allSatisfy { $0.contains("not fetched since the day was over") })
    #expect(try judge(TruthDaysChecker.self, first + fetches(of: types, after: 26)).isEmpty)
    let never = try judge(TruthDaysChecker.self, fetches(of: Array(types.dropFirst()), after: 26))
    #expect(never == ["the type sleep of \(Self.day) was never fetched, and the first sync wants it"])
  }

  @Test func `a run without truth is not judged`() throws {
    #expect(try judge(TruthTotalsChecker.self, [(2, totals(meals: 2))], until: 3, isTold: false).isEmpty)
    #expect(try judge(TruthTotalsChecker.self, [(2, totals(meals: 2))], until: 3).count == 1)
    #expect(try judge(TruthDaysChecker.self, [(1, staged("sleep"))], isTold: false).isEmpty)
  }

  // MARK: Totals

  private func meal(_ number: Int64) -> TrueMeal {
    var event = TrueMeal()
    (event.meal, event.day, event.calories, event.protein) = (number, Self.day, 500, 20)
    return event
  }

  private var removed: TrueMealRemoved {
    var event = TrueMealRemoved()
    event.meal = 2
    return event
  }

  private func totals(meals: Int64, health: String? = nil, revision: Int64 = 1) -> DayAggregated {
    let nutrition = "\"nutrition\":{\"calories\":\(500 * meals),\"protein\":\(20 * meals),\"entry_count\":\(meals)}"
    var event = DayAggregated()
    (event.day, event.revision) = (Self.day, revision)
    event.totals = JSONText("{\(nutrition)\(health.map { ",\"health\":\($0)" } ?? "")}")
    return event
  }

  @Test func `a meal counts once, and one that was taken back does not`() throws {
    #expect(try judge(TruthTotalsChecker.self, [(1, meal(1)), (2, totals(meals: 1))], until: 3).isEmpty)
    let twice = try judge(TruthTotalsChecker.self, [(1, meal(1)), (2, totals(meals: 2))], until: 3)
    #expect(twice == ["the totals of \(Self.day) say 2 meals, and it was 1"])
    let events: [Moment] = [(1, meal(1)), (1, meal(2)), (2, totals(meals: 2)), (3, removed)]
    // The next sync is not due yet.
    #expect(try judge(TruthTotalsChecker.self, events, until: 4).isEmpty)
    let kept = try judge(TruthTotalsChecker.self, events, until: 6)
    #expect(kept == ["the totals of \(Self.day) say 2 meals, and it was 1"])
    let changed: [Moment] = [(4, totals(meals: 1, revision: 2))]
    #expect(try judge(TruthTotalsChecker.self, events + changed, until: 6).isEmpty)
  }

  @Test(arguments: [
    ("{\"steps\":100,\"calories\":5}", 0), ("{\"steps\":99,\"calories\":5}", 1), ("{\"steps\":100}", 1),
  ])
  func `steps and energy of a day are those of its walks`(health: String, broken: Int) throws {
    let walk = "[[\(Self.midnight + 36_000),\(Self.midnight + 36_900),100,5,0]]"
    let events: [Moment] = [
      (1, meal(1)), (24, over(walks: walk)), (25, totals(meals: 1, health: health)),
    ]
    #expect(try judge(TruthTotalsChecker.self, events).count == broken)
  }

  @Test(
    arguments: [
      (65, 70_500, 0), (64, 70_500, 1), (65, 70_600, 1), (65, nil, 1), (nil, nil, 0),
    ] as [(Int64?, Int64?, Int)])
  func `a morning's variability and weight are its own`(hrv: Int64?, grams: Int64?, broken: Int) throws {
    var day = over()
    (day.hrv, day.grams) = (hrv, grams)
    let events: [Moment] = [
      (1, meal(1)), (24, day), (25, totals(meals: 1, health: "{\"hrv\":65,\"weight\":70.5}")),
    ]
    let found = try judge(TruthTotalsChecker.self, events)
    #expect(found.count == broken, "\(found)")
    // An app that could read nothing at the end of the day may know neither.
    let denied = "[{ \"do\": \"denied\", \"at\": \"20h\", \"for\": \"9h\" }]"
    #expect(try judge(TruthTotalsChecker.self, events, failures: denied).isEmpty)
  }

  @Test func `a server that has confirmed everything has the same`() throws {
    var stored = DayUpserted()
    (stored.day, stored.revision) = (Self.day, 1)
    stored.snapshot = JSONText("{\"revision\":1,\"health\":{\"steps\":100,\"calories\":5}}")
    let walk = "[[\(Self.midnight + 36_000),\(Self.midnight + 36_900),100,5,0]]"
    let body = "{\"steps\":100,\"calories\":5}"
    let events: [Moment] = [
      (1, meal(1)), (24, over(walks: walk)), (25, totals(meals: 1, health: body)), (25, DaysPosted()), (25.1, stored),
      (25.2, DaysSynced()),
    ]
    #expect(
      try judge(TruthTotalsChecker.self, events) == ["the server's totals of \(Self.day) say 0 meals, and it was 1"])
    #expect(try judge(TruthTotalsChecker.self, Array(events.dropLast())).isEmpty)
  }

  // MARK: Results

  @Test func `a phone shows the score that was entered last`() throws {
    var scored = TrueScored()
    (scored.discipline, scored.score) = ("riding", 66_500)
    var edit = TrainingEdited()
    (edit.discipline, edit.what, edit.result) = ("riding", "score", 66_500)
    #expect(try judge(TruthResultsChecker.self, [(1, scored), (1, edit)]).isEmpty)
    edit.result = 55_500
    #expect(
      try judge(TruthResultsChecker.self, [(1, scored), (1, edit)]) == ["a ride shows 55.5, and 66.5 was entered"])
  }

  @Test func `a competition has the rings that were shot`() throws {
    var ended = TrueWorkoutEnded()
    (ended.workout, ended.discipline, ended.score) = (1, "shooting", 50)
    var competition = CompetitionUpdated()
    (competition.discipline, competition.result) = ("shooting", 50_000)
    #expect(try judge(TruthResultsChecker.self, [(1, ended), (2, competition)]).isEmpty)
    competition.result = 40_000
    #expect(try judge(TruthResultsChecker.self, [(1, ended), (2, competition)]).count == 1)
    var corrected = TrueScored()
    corrected.discipline = "shooting"
    #expect(try judge(TruthResultsChecker.self, [(1, ended), (1.5, corrected), (2, competition)]).isEmpty)
  }

  @Test func `the list of runs has no swim`() throws {
    var stored = TrainingStored()
    (stored.workoutId, stored.sessionId, stored.discipline) = (CoachTrace.workout, CoachTrace.workout, "swimming")
    var shown = HistoryShown()
    shown.rows = JSONText("[{\"id\":\"\(CoachTrace.workout.text)\"}]")
    #expect(try judge(TruthResultsChecker.self, [(1, stored), (2, shown)]).count == 1)
    stored.discipline = "running"
    #expect(try judge(TruthResultsChecker.self, [(1, stored), (2, shown)]).isEmpty)
  }

  @Test(
    arguments: [
      ("{\"id\":\"ID\",\"duration\":300,\"distance\":1000}", nil),
      ("{\"id\":\"ID\",\"stub\":true}", nil),
      ("{\"id\":\"ID\",\"duration\":900,\"distance\":1000}", "has a run with a time of 900 s, and it took 300 s"),
      ("{\"id\":\"ID\",\"duration\":300,\"distance\":990}", "has a run with 990 m, and it was 1000 m"),
      ("", "lacks a run that is stored"),
    ] as [(String, String?)])
  func `the list of runs has each run as it was`(rows: String, flaw: String?) throws {
    let id = CoachTrace.workout
    var (running, opened, stored) = (WorkoutStateChanged(), RunOpened(), TrainingStored())
    (running.workoutId, running.from, running.to, opened.workoutId) = (id, "preparing", "running", id)
    (stored.workoutId, stored.sessionId, stored.discipline) = (id, id, "running")
    var ended = TrueWorkoutEnded()
    (ended.workout, ended.active, ended.distance) = (1, 300_000, 1_000_000)
    var shown = HistoryShown()
    shown.rows = JSONText("[\(rows.replacing("ID", with: id.text))]")
    let events: [Moment] = [(1, running), (1, opened), (1.1, ended), (1.2, stored), (2, shown)]
    #expect(try judge(TruthResultsChecker.self, events) == (flaw.map { ["the list of runs \($0)"] } ?? []))
    var removed = TrainingRemoved()
    removed.sessionId = id
    let gone = events.dropLast() + [(1.5, removed), (2, shown)]
    if rows.isEmpty { #expect(try judge(TruthResultsChecker.self, Array(gone)).isEmpty) }
  }
}
