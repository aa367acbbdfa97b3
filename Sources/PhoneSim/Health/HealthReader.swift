package import CoachProtocol
package import Link

/// Reads workouts from the health store, where they appear some time after the watch saved them.
///
/// A missing workout is requested again after 1 s, doubling up to a minute, for as long as the app lives; until then
/// the run's row is a stub. Of a workout three figures are stored, and the ids that link run and workout. Route and
/// heart rates are passed on and not stored.
package struct HealthReader: Machine {
  package enum Input: Sendable, Equatable {
    case began
    /// A run was saved on the watch as this workout of the health store.
    case finished(Identifier, workout: Identifier)
    /// The user opened the list of runs: what its rows lack is requested.
    case opened
    /// Everything the app stored was deleted.
    case wiped
    case answered(HealthQuery, HealthAnswer)
  }

  package enum Effect: Sendable, Equatable {
    case ask(HealthQuery, attempt: Int)
    /// The health store does not have this workout yet.
    case absent(HealthQuery, attempt: Int, retryAt: VirtualTime)
    /// The health store has the workout: store the figures for the list of runs.
    case truth(WorkoutTruth, CachedTruth)
    /// A run and a workout were linked, found by `run` or by `workout`.
    case linked(run: Identifier, workout: Identifier, by: String)
    /// The row of a run that only the health store still knew.
    case restored(RunRow)
  }

  /// An unsettled query.
  private struct Fetch: Sendable, Equatable {
    var query: HealthQuery
    var attempt: Int
    /// When it is sent again: after `absent`, or because the answer got lost with its process.
    var retryAt: VirtualTime
  }

  private static let retryFirst = VirtualTime.Span.seconds(1)
  private static let retryMost = VirtualTime.Span.seconds(60)
  /// Timeout for an answer.
  private static let patience = VirtualTime.Span.seconds(5)

  /// The list's rows, in the order in which runs were opened or found.
  package private(set) var rows: [RunRow]
  /// Defaults for rows of found runs.
  private let model: RunRow
  private var fetches: [Fetch] = []

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - runs: The stored rows.
  ///   - model: Type, mode and personality for rows of found runs, which the health store lacks.
  package init(restoring runs: [RunRow], model: RunRow) {
    rows = runs
    self.model = model
  }

  package var nextDeadline: VirtualTime? { fetches.lazy.map(\.retryAt).min() }

  package mutating func addRow(_ row: RunRow) {
    rows.removeAll { $0.id == row.id }
    rows.append(row)
  }

  /// Adds a row unless the list has one of its run.
  package mutating func addMissingRow(_ row: RunRow) {
    if !rows.contains(where: { $0.id == row.id }) { rows.append(row) }
  }

  /// Removes the row of a workout that never ran, and what was asked about it; no effect on a run tracked here.
  package mutating func discardRow(_ runId: Identifier) {
    guard let index = rows.firstIndex(where: { $0.id == runId }), !rows[index].isTrackedHere else { return }
    rows.remove(at: index)
    fetches.removeAll { $0.query == .run(runId) }
  }

  package mutating func setStart(_ runId: Identifier, startedAt: WatchTime) {
    change(runId) { $0.startedAt = startedAt }
  }

  package mutating func setEnd(_ runId: Identifier, at time: WatchTime) {
    change(runId) { $0.endedAt = time }
  }

  private mutating func change(_ runId: Identifier, _ body: (inout RunRow) -> Void) {
    guard let index = rows.firstIndex(where: { $0.id == runId }) else { return }
    body(&rows[index])
  }

  package mutating func receive(_ input: Input?, at now: VirtualTime, into output: inout [Effect]) {
    switch input {
    case .began:
      // An empty store, after a first start or a wipe: restore all runs that the health store knows.
      if rows.isEmpty { request(.all, at: now, into: &output) }
      requestMissing(at: now, into: &output)
    case .opened:
      request(.all, at: now, into: &output)
      requestMissing(at: now, into: &output)
    case .finished(let runId, let workout):
      link(runId, workout, by: "run", into: &output)
      request(.workout(workout), at: now, into: &output)
    case .wiped:
      rows = []
      fetches = []
      request(.all, at: now, into: &output)
    case .answered(let query, let answer): handleAnswer(answer, to: query, at: now, into: &output)
    case nil:
      for index in fetches.indices where fetches[index].retryAt <= now {
        fetches[index].attempt += 1
        fetches[index].retryAt = now + Self.patience
        output.append(.ask(fetches[index].query, attempt: fetches[index].attempt))
      }
    }
  }

  /// Requests the figures that rows lack, by workout if it is known, otherwise by run.
  ///
  /// A run tracked by the phone has no workout unless the health store lists one.
  private mutating func requestMissing(at now: VirtualTime, into output: inout [Effect]) {
    for row in rows where row.endedAt != nil && row.cached == nil {
      if let workout = row.healthKitWorkoutUUID {
        request(.workout(workout), at: now, into: &output)
      } else if !row.isTrackedHere {
        request(.run(row.id), at: now, into: &output)
      }
    }
  }

  private mutating func request(_ query: HealthQuery, at now: VirtualTime, into output: inout [Effect]) {
    guard !fetches.contains(where: { $0.query == query }) else { return }
    fetches.append(Fetch(query: query, attempt: 1, retryAt: now + Self.patience))
    output.append(.ask(query, attempt: 1))
  }

  // MARK: Answers

  private mutating func handleAnswer(
    _ answer: HealthAnswer, to query: HealthQuery, at now: VirtualTime, into output: inout [Effect]
  ) {
    guard let index = fetches.firstIndex(where: { $0.query == query }) else { return }
    switch answer {
    case .absent:
      let attempt = fetches[index].attempt
      let wait = min(Self.retryFirst * Int64(1 << min(attempt - 1, 8)), Self.retryMost)
      fetches[index].retryAt = now + wait
      output.append(.absent(query, attempt: attempt, retryAt: fetches[index].retryAt))
    case .truth(let truth):
      fetches.remove(at: index)
      storeTruth(truth, to: query, into: &output)
    case .workouts(let workouts):
      fetches.remove(at: index)
      for workout in workouts { restore(workout, at: now, into: &output) }
    }
  }

  private mutating func storeTruth(_ truth: WorkoutTruth, to query: HealthQuery, into output: inout [Effect]) {
    let runId = truth.workout.aarcRunId
    let by = if case .run = query { "run" } else { "workout" }
    link(runId, truth.workout.uuid, by: by, into: &output)
    let cached = CachedTruth(truth.workout)
    change(runId) { $0.cached = cached }
    // A pending query for the same workout by its other id is settled too.
    fetches.removeAll { $0.query == .run(runId) || $0.query == .workout(truth.workout.uuid) }
    output.append(.truth(truth, cached))
  }

  /// Finds the run of a listed workout by the run id in the workout's metadata.
  private mutating func restore(_ workout: HealthWorkout, at now: VirtualTime, into output: inout [Effect]) {
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
    request(.workout(workout.uuid), at: now, into: &output)
  }

  private mutating func link(_ runId: Identifier, _ workout: Identifier, by: String, into output: inout [Effect]) {
    guard let index = rows.firstIndex(where: { $0.id == runId }), rows[index].healthKitWorkoutUUID != workout else {
      return
    }
    rows[index].healthKitWorkoutUUID = workout
    output.append(.linked(run: runId, workout: workout, by: by))
  }
}
