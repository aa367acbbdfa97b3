package import CoachProtocol
package import Link

/// Reads workouts from the health store, which has them a while after the watch has saved them.
///
/// What is not there yet is asked for again after 1 s, then twice as long each time, at most a minute, for as long as the
/// app lives; meanwhile the run's row is a stub. Of what comes three figures are kept, and the names that link a run with
/// its workout. Route and heart rates are handed on to whoever asked, and kept nowhere.
package struct HealthReader: Machine {
  /// What can happen to the reader.
  package enum Input: Sendable, Equatable {
    /// The phone's process began.
    case began
    /// A run is saved on the watch, under this name of the health store's.
    case finished(Identifier, workout: Identifier)
    /// The list of runs is looked at: what its rows lack is asked for.
    case opened
    /// Everything the app kept is deleted.
    case wiped
    /// The health store answers.
    case answered(HealthQuery, HealthAnswer)
  }

  /// What follows.
  package enum Effect: Sendable, Equatable {
    /// Ask the health store.
    case ask(HealthQuery, attempt: Int)
    /// It has no such workout yet.
    case absent(HealthQuery, attempt: Int, retryAt: VirtualTime)
    /// It told of a workout: keep what the list shows of the run.
    case truth(WorkoutTruth, CachedTruth)
    /// A run and a workout belong together, found from one of them: `run` or `workout`.
    case linked(run: Identifier, workout: Identifier, by: String)
    /// A run that only the health store knew: its row.
    case restored(RunRow)
  }

  /// What was asked and not settled.
  private struct Fetch: Sendable, Equatable {
    var query: HealthQuery
    var attempt: Int
    /// When it is asked again: because it was absent, or because an answer is lost with the process it was for.
    var retryAt: VirtualTime
  }

  private static let retryFirst = VirtualTime.Span.seconds(1)
  private static let retryMost = VirtualTime.Span.seconds(60)
  /// How long an answer may take; the platform's are there at once.
  private static let patience = VirtualTime.Span.seconds(5)

  /// The rows of the list, in the order in which the runs were opened or found.
  package private(set) var rows: [RunRow]
  /// What the rows of found runs have where the health store does not say it.
  private let model: RunRow
  private var fetches: [Fetch] = []

  /// Creates the reader of a start.
  ///
  /// - Parameters:
  ///   - runs: What the store kept.
  ///   - model: What a found run's row has where the health store does not say it: type, mode, personality.
  package init(restoring runs: [RunRow], model: RunRow) {
    rows = runs
    self.model = model
  }

  package var nextDeadline: VirtualTime? { fetches.lazy.map(\.retryAt).min() }

  /// A run has a row from now on.
  package mutating func noteOpened(_ row: RunRow) {
    rows.removeAll { $0.id == row.id }
    rows.append(row)
  }

  /// A run's start is known.
  package mutating func noteNamed(_ runId: Identifier, startedAt: WatchTime) {
    change(runId) { $0.startedAt = startedAt }
  }

  /// A run has ended.
  package mutating func noteEnded(_ runId: Identifier, at time: WatchTime) {
    change(runId) { $0.endedAt = time }
  }

  private mutating func change(_ runId: Identifier, _ body: (inout RunRow) -> Void) {
    guard let place = rows.firstIndex(where: { $0.id == runId }) else { return }
    body(&rows[place])
  }

  package mutating func receive(_ input: Input?, at now: VirtualTime, into output: inout [Effect]) {
    switch input {
    case .began:
      // Nothing kept: what the health store knows of this app's runs is all there is.
      if rows.isEmpty { ask(.all, at: now, into: &output) }
      askForMissing(at: now, into: &output)
    case .opened:
      ask(.all, at: now, into: &output)
      askForMissing(at: now, into: &output)
    case .finished(let runId, let workout):
      link(runId, workout, by: "run", into: &output)
      ask(.workout(workout), at: now, into: &output)
    case .wiped:
      rows = []
      fetches = []
      ask(.all, at: now, into: &output)
    case .answered(let query, let answer): take(answer, to: query, at: now, into: &output)
    case nil:
      for place in fetches.indices where fetches[place].retryAt <= now {
        fetches[place].attempt += 1
        fetches[place].retryAt = now + Self.patience
        output.append(.ask(fetches[place].query, attempt: fetches[place].attempt))
      }
    }
  }

  /// Asks for what rows lack: by the workout's name where it is known, else by the run's.
  ///
  /// A run that the phone tracked itself has no workout, unless the health store's list has told of one.
  private mutating func askForMissing(at now: VirtualTime, into output: inout [Effect]) {
    for row in rows where row.endedAt != nil && row.cached == nil {
      if let workout = row.healthKitWorkoutUUID {
        ask(.workout(workout), at: now, into: &output)
      } else if !row.isTrackedHere {
        ask(.run(row.id), at: now, into: &output)
      }
    }
  }

  private mutating func ask(_ query: HealthQuery, at now: VirtualTime, into output: inout [Effect]) {
    guard !fetches.contains(where: { $0.query == query }) else { return }
    fetches.append(Fetch(query: query, attempt: 1, retryAt: now + Self.patience))
    output.append(.ask(query, attempt: 1))
  }

  // MARK: Answers

  private mutating func take(
    _ answer: HealthAnswer, to query: HealthQuery, at now: VirtualTime, into output: inout [Effect]
  ) {
    guard let place = fetches.firstIndex(where: { $0.query == query }) else { return }
    switch answer {
    case .absent:
      let attempt = fetches[place].attempt
      let wait = min(Self.retryFirst * Int64(1 << min(attempt - 1, 8)), Self.retryMost)
      fetches[place].retryAt = now + wait
      output.append(.absent(query, attempt: attempt, retryAt: fetches[place].retryAt))
    case .truth(let truth):
      fetches.remove(at: place)
      take(truth, to: query, into: &output)
    case .workouts(let workouts):
      fetches.remove(at: place)
      for workout in workouts { find(workout, at: now, into: &output) }
    }
  }

  private mutating func take(_ truth: WorkoutTruth, to query: HealthQuery, into output: inout [Effect]) {
    let runId = truth.workout.aarcRunId
    let by = if case .run = query { "run" } else { "workout" }
    link(runId, truth.workout.uuid, by: by, into: &output)
    let cached = CachedTruth(truth.workout)
    change(runId) { $0.cached = cached }
    // The other way to the same workout needs no answer any more.
    fetches.removeAll { $0.query == .run(runId) || $0.query == .workout(truth.workout.uuid) }
    output.append(.truth(truth, cached))
  }

  /// A workout of the health store's list: its run is found by the name in the workout's metadata.
  private mutating func find(_ workout: HealthWorkout, at now: VirtualTime, into output: inout [Effect]) {
    let runId = workout.aarcRunId
    if rows.contains(where: { $0.id == runId }) {
      change(runId) { $0.endedAt = $0.endedAt ?? workout.endedAt }
      link(runId, workout.uuid, by: "workout", into: &output)
    } else {
      var row = model
      row.id = runId
      row.startedAt = workout.startedAt
      row.endedAt = workout.endedAt
      row.healthKitWorkoutUUID = workout.uuid
      rows.append(row)
      output.append(.restored(row))
      output.append(.linked(run: runId, workout: workout.uuid, by: "workout"))
    }
    guard let row = rows.first(where: { $0.id == runId }), row.cached == nil else { return }
    ask(.workout(workout.uuid), at: now, into: &output)
  }

  private mutating func link(_ runId: Identifier, _ workout: Identifier, by: String, into output: inout [Effect]) {
    guard let place = rows.firstIndex(where: { $0.id == runId }), rows[place].healthKitWorkoutUUID != workout else {
      return
    }
    rows[place].healthKitWorkoutUUID = workout
    output.append(.linked(run: runId, workout: workout, by: by))
  }
}
