@testable import CoachCheckers
import CoachProtocol
import Link
import Testing

/// `truth-runs`: the smallest traces that break it, and one that does not.
@Suite struct TruthRunsCheckerTests {
  private static let workout = Identifier(high: 1, low: 2)
  private static let start: Int64 = 1_767_254_400_000_000_000

  private func judge(_ events: [any TraceEventKind], asksForTruth: Bool = true) -> [String] {
    var header = TraceHeader(scenario: "s", seed: 1, duration: .seconds(3_600))
    header.extras = [
      JSONMember("phone", .object([JSONMember("training", .object([]))])), JSONMember("truth", .bool(asksForTruth)),
    ]
    var judge = Judge(header: header, checkers: [TruthRunsChecker.self])
    var trace = CoachTrace()
    for (index, event) in events.enumerated() {
      let name = type(of: event).name.text
      let place: TraceEvent.Place =
        event is WorkoutStateChanged ? .watch : name.hasPrefix("truth") || event is FaultBegan ? .runner : .phone
      trace.add(name, Double(index + 1), on: place, event.fields)
    }
    for (index, event) in trace.events.enumerated() { judge.observe(event, line: index + 2) }
    let end = VirtualTime.start + .seconds(Int64(events.count + 1))
    judge.observe(TraceEvent("end", at: end, on: .runner), line: events.count + 2)
    return judge.finish().violations.map(\.detail)
  }

  private var began: TrueWorkoutBegan {
    var event = TrueWorkoutBegan()
    (event.workout, event.discipline, event.startedAt) = (1, "shooting", Self.start)
    return event
  }

  private func ended(shots: Int64 = 6, active: Int64 = 60_000) -> TrueWorkoutEnded {
    var event = TrueWorkoutEnded()
    (event.workout, event.discipline, event.by) = (1, "shooting", "hand")
    (event.startedAt, event.endedAt, event.active) = (Self.start, Self.start + 90_000_000_000, active)
    (event.parts, event.score) = (shots, 50)
    return event
  }

  private func state(_ from: String?, _ to: String) -> WorkoutStateChanged {
    var event = WorkoutStateChanged()
    (event.workoutId, event.from, event.to, event.cause) = (Self.workout, from, to, "scenario")
    return event
  }

  private var row: RunOpened {
    var event = RunOpened()
    event.workoutId = Self.workout
    return event
  }

  private var finished: RunFinished {
    var event = RunFinished()
    event.workoutId = Self.workout
    return event
  }

  private func stored(endedAfter seconds: Int64 = 90) -> TrainingStored {
    var event = TrainingStored()
    (event.sessionId, event.workoutId, event.discipline) = (Self.workout, Self.workout, "shooting")
    (event.duration, event.result, event.parts) = (60_000, 50_000, 6)
    (event.startedAt, event.endedAt) = (Self.start, Self.start + seconds * 1_000_000_000)
    return event
  }

  private var clockSkew: FaultBegan {
    var event = FaultBegan()
    (event.fault, event.kind, event.params) = ("skew", "clockSkew", JSONText("{\"node\":\"watch\"}"))
    return event
  }

  private func whole(_ true: TrueWorkoutEnded, _ session: TrainingStored) -> [any TraceEventKind] {
    [
      state(nil, "preparing"), state("preparing", "running"), began, row, `true`, state("running", "ended"), session,
      finished,
    ]
  }

  @Test func `a workout that is stored as it was holds`() { #expect(judge(whole(ended(), stored())).isEmpty) }

  @Test func `a missing shot, a wrong time and a wrong end are found`() {
    #expect(judge(whole(ended(shots: 7), stored())).first?.contains("a number of parts of 6, and it was 7") == true)
    #expect(judge(whole(ended(active: 61_000), stored())).first?.contains("the time (ms) 60000") == true)
    #expect(judge(whole(ended(), stored(endedAfter: 95))).first?.contains("with the end 5.0 s too late") == true)
  }

  @Test func `dates are not judged once a clock was wrong`() {
    #expect(judge([clockSkew] + whole(ended(), stored(endedAfter: 95))).isEmpty)
  }

  @Test func `an end that killed the watch was pressed again once the app was back`() {
    func judge(killedAfter delay: Double, endedAfter seconds: Int64) -> Int {
      var header = TraceHeader(scenario: "s", seed: 1, duration: .seconds(3_600))
      header.extras = [JSONMember("truth", .bool(true))]
      var judge = Judge(header: header, checkers: [TruthRunsChecker.self])
      var trace = CoachTrace()
      func add(_ event: any TraceEventKind, _ at: Double, _ place: TraceEvent.Place) {
        trace.add(type(of: event).name.text, at, on: place, event.fields)
      }
      var (killed, belief) = (NodeKilled(), RunStateChanged())
      killed.target = .watch
      (belief.workoutId, belief.from, belief.to, belief.cause) = (Self.workout, "running", "ended", "message")
      belief.sentAt = Self.start + seconds * 1_000_000_000
      add(state(nil, "preparing"), 1, .watch)
      add(state("preparing", "running"), 1, .watch)
      add(began, 2, .runner)
      add(row, 3, .phone)
      add(ended(), 91, .runner)
      add(killed, 91 + delay, .runner)
      add(NodeStarted(), 95, .runner)
      add(state("running", "ended"), 95, .watch)
      add(belief, 95, .phone)
      add(finished, 95, .phone)
      for (index, event) in trace.events.enumerated() { judge.observe(event, line: index + 2) }
      judge.observe(TraceEvent("end", at: .start + .seconds(99), on: .runner), line: trace.events.count + 2)
      return judge.finish().violations.count { $0.detail.contains("end is") }
    }
    #expect(judge(killedAfter: 0, endedAfter: 94) == 0)
    #expect(judge(killedAfter: 0, endedAfter: 101) == 1)
    #expect(judge(killedAfter: 1, endedAfter: 94) == 1)
  }

  @Test func `an end before the athlete's is found at once`() {
    let events: [any TraceEventKind] = [
      state(nil, "preparing"), state("preparing", "running"), began, state("running", "ended"), finished,
    ]
    #expect(judge(events) == ["the watch reports that workout 1 has ended, which its athlete goes on with"])
  }

  @Test func `a workout without a row, without a session or with two is found`() {
    let watch: [any TraceEventKind] = [
      state(nil, "preparing"), state("preparing", "running"), began, ended(), state("running", "ended"),
    ]
    #expect(judge(watch) == ["workout 1 has no row on the phone"])
    #expect(judge(watch + [row, finished]) == ["workout 1 has 0 sessions on the phone"])
    #expect(judge(watch + [row, finished, stored(), stored()]) == ["workout 1 has 2 sessions on the phone"])
    #expect(judge(watch + [row, stored()]) == ["workout 1 was ended by its athlete, and its row was not finished"])
  }

  @Test func `a workout that the watch did not record is found, and one that the athlete did not do`() {
    #expect(judge([began, ended()]) == ["the watch recorded 0 workouts, and its athlete did 1 workout"])
    #expect(
      judge([state(nil, "preparing"), state("preparing", "running")])
        == ["the watch recorded 1 workout, and its athlete did 0 workouts"])
    // Without truth the trace does not say what the athlete did.
    #expect(judge([state(nil, "preparing"), state("preparing", "running")], asksForTruth: false).isEmpty)
  }
}
