@testable import CoachCheckers
import CoachProtocol
import Link
import Testing

@testable import PhoneSim

/// Each invariant of the training history: the smallest trace that breaks it, and one that does not.
@Suite struct TrainingCheckerTests {
  private static let workout = Identifier(high: 1, low: 2)

  private func judge(_ invariant: String, _ events: [any TraceEventKind]) throws -> Int {
    var header = TraceHeader(scenario: "s", seed: 1, duration: .seconds(3_600))
    header.extras = [JSONMember("phone", .object([JSONMember("training", .object([]))]))]
    var judge = Judge(header: header, checkers: CoachCheckerCatalog.all.filter { $0.invariant == invariant })
    var trace = CoachTrace()
    for (index, event) in events.enumerated() {
      let isWatch = event is TransferQueued || event is HealthSaved || event is WorkoutStateChanged
      trace.add(type(of: event).name.text, Double(index + 1), on: isWatch ? .watch : .phone, event.fields)
    }
    for (index, event) in trace.events.enumerated() { judge.observe(event, line: index + 2) }
    let end = VirtualTime.start + .seconds(Int64(events.count + 1))
    judge.observe(TraceEvent("end", at: end, on: .runner), line: events.count + 2)
    return judge.finish().violations.count
  }

  private func queued(_ discipline: TrainingDiscipline, _ units: [SessionUnit], distance: Int64 = 0) -> TransferQueued {
    let report = SessionReport(
      workoutId: Self.workout, discipline: discipline, startedAt: WatchTime(nanoseconds: 0),
      endedAt: WatchTime(nanoseconds: 60_000_000_000), activeMilliseconds: 60_000, distanceMillimetres: distance,
      heartRate: 0, units: units)
    var event = TransferQueued()
    event.details.kind = "sessionReport"
    event.details.workoutId = Self.workout
    event.details.report = JSONText(report.traceText)
    return event
  }

  private func stored(_ discipline: String = "swimming", result: Int64? = 60_000, points: Int64 = 0) -> TrainingStored {
    var event = TrainingStored()
    (event.sessionId, event.workoutId, event.discipline) = (Self.workout, Self.workout, discipline)
    (event.distance, event.duration, event.points, event.result) = (50_000, 60_000, points, result)
    return event
  }

  private func saved(distance: Double = 50) -> HealthSaved {
    var event = HealthSaved()
    (event.workout, event.aarcRunId) = (Identifier(high: 5, low: 5), Self.workout)
    (event.distance, event.duration) = (distance, 60)
    return event
  }

  private var ended: TransferDelivered {
    var event = TransferDelivered()
    event.details.kind = "workoutEnded"
    event.details.workoutId = Self.workout
    event.details.healthKitWorkoutUUID = Identifier(high: 5, low: 5)
    return event
  }

  @Test func `a workout is stored once, with its figures, before its end is handled`() throws {
    let name = "session-once"
    let report = queued(.swimming, [])
    #expect(try judge(name, [saved(), report, stored(), ended]) == 0)
    #expect(try judge(name, [saved(), report, ended]) == 1)
    #expect(try judge(name, [saved(), report, stored(), stored(), ended]) == 1)
    #expect(try judge(name, [saved(distance: 75), report, stored(), ended]) == 1)
  }

  @Test func `a cached result is the session's`() throws {
    let name = "score-follows-session"
    var update = CompetitionUpdated()
    (update.competition, update.discipline, update.sessionId) = (Self.workout, "shooting", Self.workout)
    update.result = 40_000
    var edit = TrainingEdited()
    (edit.sessionId, edit.discipline, edit.result) = (Self.workout, "shooting", 41_000)
    let session = stored("shooting", result: 40_000)
    #expect(try judge(name, [session, update]) == 0)
    #expect(try judge(name, [session, update, edit]) == 1)
    #expect(try judge(name, [stored("shooting", result: 39_000), update]) == 1)
    update.result = nil
    #expect(try judge(name, [session, update]) == 1)
  }

  @Test func `indoors there is no route`() throws {
    let name = "no-route-indoors"
    let point = SessionUnit(.point, [0, 520_000_000, 130_000_000, 0])
    #expect(try judge(name, [queued(.running, [point]), stored("running", points: 1)]) == 0)
    #expect(try judge(name, [queued(.swimming, [point])]) == 1)
    #expect(try judge(name, [stored("shooting", points: 3)]) == 1)
  }

  @Test func `the parts of a session make the session`() throws {
    let name = "session-adds-up"
    let length = SessionUnit(.split, [25_000, 30_000, 20, 0, 0])
    #expect(try judge(name, [queued(.swimming, [length, length], distance: 50_000)]) == 0)
    #expect(try judge(name, [queued(.swimming, [length, length], distance: 74_000)]) == 0)
    #expect(try judge(name, [queued(.swimming, [length, length], distance: 75_000)]) == 1)
    #expect(try judge(name, [queued(.swimming, [length, length, length], distance: 50_000)]) == 1)
    func ride(_ gaitEnd: Int64, gapTo: Int64 = 20_000) -> TransferQueued {
      queued(
        .riding,
        [
          SessionUnit(.gait, [1, 0, 20_000, 0]), SessionUnit(.gait, [2, gapTo, gaitEnd, 0]),
          SessionUnit(.rein, [0, 0, 60_000]),
        ])
    }
    #expect(try judge(name, [ride(60_000)]) == 0)
    #expect(try judge(name, [ride(50_000)]) == 1)
    #expect(try judge(name, [ride(60_000, gapTo: 21_000)]) == 1)
    // The session lasts 60 s by the clock.
    #expect(try judge(name, [ride(70_000)]) == 1)
  }

  @Test func `nothing happens in a pause`() throws {
    let name = "session-adds-up"
    func state(_ from: String, _ to: String) -> WorkoutStateChanged {
      var event = WorkoutStateChanged()
      (event.workoutId, event.from, event.to, event.cause) = (Self.workout, from, to, "command")
      return event
    }
    func shots(_ milliseconds: Int64) -> TransferQueued {
      queued(.shooting, [SessionUnit(.shot, [0, 0, 9, milliseconds])])
    }
    // It starts at 1 s, and is paused from 2 s to 7 s.
    let paused: [any TraceEventKind] =
      [state("preparing", "running"), state("running", "paused")]
      + [TrainingSettled](repeating: TrainingSettled(), count: 4) + [state("paused", "running")]
    #expect(try judge(name, paused + [shots(8_000)]) == 0)
    #expect(try judge(name, paused + [shots(500)]) == 0)
    #expect(try judge(name, paused + [shots(3_500)]) == 1)
  }

  @Test func `a cached result is the session's on each phone`() throws {
    let name = "score-follows-session"
    func update(_ result: Int64?, _ phone: Int64?) -> CompetitionUpdated {
      var event = CompetitionUpdated()
      (event.competition, event.discipline, event.sessionId) = (Self.workout, "shooting", Self.workout)
      (event.result, event.phone) = (result, phone)
      return event
    }
    func edit(_ result: Int64?, _ phone: Int64?) -> TrainingEdited {
      var event = TrainingEdited()
      (event.sessionId, event.discipline, event.result, event.phone) = (Self.workout, "shooting", result, phone)
      return event
    }
    let session = stored("shooting", result: 40_000)
    #expect(try judge(name, [session, update(40_000, nil), edit(39_000, 2)]) == 0)
    #expect(try judge(name, [edit(40_000, 2), update(40_000, 2), edit(39_000, 2)]) == 1)
    #expect(try judge(name, [session, update(40_000, nil), edit(39_000, 2), update(40_000, 2)]) == 1)
    var removed = TrainingRemoved()
    (removed.sessionId, removed.discipline) = (Self.workout, "shooting")
    #expect(try judge(name, [session, update(40_000, nil), removed]) == 1)
    removed.phone = 2
    #expect(try judge(name, [session, update(40_000, nil), removed]) == 0)
  }

  /// At one instant, as both phones report.
  private func judgeTogether(_ events: [TrainingSettled]) throws -> Int {
    var judge = Judge(
      header: TraceHeader(scenario: "s", seed: 1, duration: .seconds(3_600)),
      checkers: CoachCheckerCatalog.all.filter { $0.invariant == "stores-converge" })
    var trace = CoachTrace()
    for (index, event) in events.enumerated() {
      trace.add(type(of: event).name.text, Double(1 + index / 2), on: .phone, event.fields)
    }
    for (index, event) in trace.events.enumerated() { judge.observe(event, line: index + 2) }
    judge.observe(TraceEvent("end", at: .start + .seconds(60), on: .runner), line: events.count + 2)
    return judge.finish().violations.count
  }

  @Test func `phones that have all rows show the same`() throws {
    func settled(_ phone: Int64, _ digest: String, rows: Int64 = 3) -> TrainingSettled {
      var event = TrainingSettled()
      (event.phone, event.digest, event.rows) = (phone, digest, rows)
      return event
    }
    #expect(try judgeTogether([settled(1, "a"), settled(2, "a"), settled(1, "b"), settled(2, "b")]) == 0)
    #expect(try judgeTogether([settled(1, "a"), settled(2, "b")]) == 1)
    #expect(try judgeTogether([settled(1, "a"), settled(2, "a", rows: 4)]) == 1)
    #expect(try judgeTogether([settled(1, "a")]) == 1 && judgeTogether([settled(2, "a")]) == 1)
  }

  @Test func `a phone shows a row once`() throws {
    let name = "row-once"
    func shown(_ row: UInt64, source: UInt64, _ phone: Int64) -> TrainingShown {
      var event = TrainingShown()
      (event.phone, event.table) = (phone, "RidePhoto")
      (event.rowId, event.source) = (Identifier(high: 1, low: row), Identifier(high: 1, low: source))
      return event
    }
    #expect(try judge(name, [shown(5, source: 5, 1), shown(5, source: 5, 2), shown(6, source: 6, 2)]) == 0)
    #expect(try judge(name, [shown(5, source: 5, 2), shown(9, source: 5, 2)]) == 1)
    #expect(try judge(name, [stored(), shown(9, source: 2, 1)]) == 1)
    var removed = TrainingRemoved()
    (removed.sessionId, removed.phone) = (Self.workout, 2)
    #expect(try judge(name, [shown(2, source: 2, 2), removed, shown(2, source: 2, 2)]) == 0)
  }

  @Test func `the intervals of a run are no more than the run, and done when their target is reached`() throws {
    let name = "session-adds-up"
    func interval(_ distance: Int64, duration: Int64 = 50_000, isCompleted: Int64) -> SessionUnit {
      SessionUnit(.interval, [200_000, 50_000, 0, distance, duration, 0, isCompleted])
    }
    let report = queued(.running, [interval(203_000, isCompleted: 1)], distance: 250_000)
    #expect(try judge(name, [report]) == 0)
    #expect(try judge(name, [queued(.running, [interval(203_000, isCompleted: 1)], distance: 150_000)]) == 1)
    let long = [interval(203_000, duration: 70_000, isCompleted: 1)]
    #expect(try judge(name, [queued(.running, long, distance: 250_000)]) == 1)
    #expect(try judge(name, [queued(.running, [interval(203_000, isCompleted: 0)], distance: 250_000)]) == 1)
    #expect(try judge(name, [queued(.running, [interval(150_000, isCompleted: 1)], distance: 250_000)]) == 1)
    var session = stored("running")
    (session.plan, session.completed) = (Identifier(high: 3, low: 3), 1)
    #expect(try judge(name, [report, session]) == 0)
    session.completed = 0
    #expect(try judge(name, [report, session]) == 1)
  }
}
