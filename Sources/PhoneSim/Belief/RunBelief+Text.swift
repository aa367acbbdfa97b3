import CoachProtocol
package import Link

extension RunBelief {
  /// The belief as members of a JSON object, for the store.
  ///
  /// Equal beliefs give equal members; ``init(_:)`` restores an equal belief.
  var members: [JSONMember] {
    JSONMember.list([
      "run": run, "awaited": awaited?.text, "awaitedState": awaitedState == .preparing ? nil : awaitedState.text,
      "withdrawn": withdrawn.isEmpty ? nil : withdrawn.map(\.text), "ended": endedRuns.isEmpty ? nil : endedRuns,
      "refused": refusedWorkouts.isEmpty ? nil : refusedWorkouts,
    ])
  }

  /// Reads what ``members`` wrote, and reports errors to the reader.
  init(_ reader: JSONObjectReader) {
    self.init()
    run = reader.object("run").flatMap { BelievedRun($0) }
    awaited = reader.identifier("awaited", required: false)
    let states = WorkoutState.allCases.map { (word: $0.text, choice: $0) }
    awaitedState = reader.oneOf("awaitedState", states) ?? .preparing
    for element in reader.array("withdrawn", countMax: Self.withdrawnMax) ?? [] {
      if let runId = element.string().flatMap({ Identifier(text: $0) }) { withdrawn.append(runId) }
    }
    for element in reader.array("ended", countMax: Self.endedRunsMax) ?? [] {
      if let run = element.object().flatMap({ BelievedRun($0) }) { endedRuns.append(run) }
    }
    for element in reader.array("refused", countMax: Self.refusedWorkoutsMax) ?? [] {
      if let workout = element.object().flatMap({ RefusedWorkout($0) }) { refusedWorkouts.append(workout) }
    }
    reader.finish()
    if awaited != nil, let run, run.state != .ended { reader.error("a start is awaited while a run is on") }
  }
}

extension BelievedRun: JSONConvertible {
  package var json: JSONValue {
    .object(of: [
      "workoutId": workoutId.text, "state": state.text, "newestSentAt": newestSentAt.nanoseconds,
      "newestIsEvent": newestIsEvent, "isNamed": isNamed, "isFinished": isFinished,
      "isReplaced": isReplaced ? true : nil,
    ])
  }

  fileprivate init?(_ reader: JSONObjectReader) {
    let workoutId = reader.identifier("workoutId")
    let states = WorkoutState.allCases.map { (word: $0.text, choice: $0) }
    let state = reader.oneOf("state", states, required: true)
    let newestSentAt = reader.integer("newestSentAt", required: true)
    let newestIsEvent = reader.bool("newestIsEvent", required: true)
    let isNamed = reader.bool("isNamed", required: true)
    let isFinished = reader.bool("isFinished", required: true)
    let isReplaced = reader.bool("isReplaced") ?? false
    reader.finish()
    guard let workoutId, let state, let newestSentAt, let newestIsEvent, let isNamed, let isFinished else {
      return nil
    }
    self.init(
      workoutId: workoutId, state: state, newestSentAt: WatchTime(nanoseconds: newestSentAt),
      newestIsEvent: newestIsEvent, isNamed: isNamed, isFinished: isFinished, isReplaced: isReplaced)
  }
}

extension RunBelief.RefusedWorkout: JSONConvertible {
  package var json: JSONValue {
    .object(of: ["workoutId": workoutId.text, "hasEnded": hasEnded])
  }

  fileprivate init?(_ reader: JSONObjectReader) {
    let workoutId = reader.identifier("workoutId")
    let hasEnded = reader.bool("hasEnded", required: true)
    // Of stores from before decision 124.
    _ = reader.integer("toldAt")
    reader.finish()
    guard let workoutId, let hasEnded else { return nil }
    self.init(workoutId: workoutId, hasEnded: hasEnded)
  }
}
