import CoachProtocol
package import Link

/// The health store and the list of runs.
extension PhoneNode {
  mutating func beginHealth(in turn: inout Turn) {
    if health != nil { updateHealth(.began, in: &turn) }
    if healthStore != nil { turn.send(HealthFrames.query(.observed, epoch: session.epoch)) }
  }

  /// Receives a frame of the health store.
  mutating func receiveHealth(_ frame: Frame, in turn: inout Turn) {
    guard frame.kind == .reply, let bytes = healthParts.append(frame) else { return }
    let head = Array(bytes.prefix(HealthQuery.all.bytes.count))
    guard let query = HealthQuery(head), var answer = HealthAnswer(Array(bytes.dropFirst(head.count)), to: query) else {
      return
    }
    if query == .observed {
      guard case .workouts(let workouts) = answer else { return }
      return learn(workouts, in: &turn)
    }
    // Without room for the row the answer counts as absent, and is requested again.
    if isDiskFull, case .truth = answer { answer = .absent }
    if isDiskFull, case .workouts = answer { return }
    updateHealth(.answered(query, answer), in: &turn)
  }

  /// Learns which workouts the phone's health store has; what waited for it is due now.
  private mutating func learn(_ workouts: [HealthWorkout], in turn: inout Turn) {
    let known = Set(healthStore?.workouts.map(\.uuid) ?? [])
    if turn.isRecording {
      for workout in workouts where !known.contains(workout.uuid) {
        turn.record(HealthObserved.self, on: .phone) {
          $0.workout = workout.uuid
          $0.startedAt = workout.startedAt.nanoseconds
          $0.duration = workout.duration
          $0.distance = workout.distance
          $0.energy = workout.energyKcal
          $0.steps = Int64(workout.steps)
        }
      }
    }
    // Planted: what the store lists again is there twice.
    let before = setup.plants.contains(.workoutsTwice) ? healthStore?.workouts ?? [] : []
    healthStore?.workouts = before + workouts
    ingestion?.isHealthKnown = true
    daily?.isHealthKnown = true
  }

  /// Updates the list of runs after decisions were carried out.
  mutating func updateRunList(in turn: inout Turn) {
    for decision in runListDecisions {
      switch decision {
      case .opened(let runId, let sentAt):
        let row = row(of: runId, startedAt: sentAt)
        health?.addRow(row)
      case .named(let runId, let startedAt, _): health?.setStart(runId, startedAt: startedAt)
      case .state(let runId, _, .ended, _, let sentAt?): health?.setEnd(runId, at: sentAt)
      case .finished(let runId, let workout, _):
        updateHealth(.finished(runId, workout: workout), in: &turn)
      case .discarded(let runId, _): health?.discardRow(runId)
      case .recorded(let update) where consumer.record.start.tracker?.runId != update.workoutId:
        listRecorded(update, in: &turn)
      case .recorded, .state, .orderWatchToEnd, .history, .refused: break
      }
    }
    runListDecisions.removeAll(keepingCapacity: true)
  }

  /// Updates the list for a workout that is not the phone's run, as its row was.
  private mutating func listRecorded(_ update: RunUpdate, in turn: inout Turn) {
    let runId = update.workoutId
    switch update.content {
    case .workoutStarted(let startedAt):
      let row = row(of: runId, startedAt: startedAt)
      health?.addMissingRow(row)
      health?.setStart(runId, startedAt: startedAt)
    case .workoutEnded(let uuid):
      let row = row(of: runId, startedAt: update.sentAt)
      health?.addMissingRow(row)
      health?.setEnd(runId, at: update.sentAt)
      if let uuid { updateHealth(.finished(runId, workout: uuid), in: &turn) }
    case .snapshot, .workoutPaused, .workoutResumed: break
    }
  }

  /// The row of a new run.
  func row(of runId: Identifier, startedAt: WatchTime) -> RunRow {
    RunRow(
      id: runId, startedAt: startedAt, runType: setup.runType, mode: setup.mode, personality: setup.personality,
      label: setup.remarks.label)
  }

  /// Passes an input to the reader, stores the changes, and records them in the trace.
  mutating func updateHealth(_ input: HealthReader.Input?, in turn: inout Turn) {
    let now = turn.now
    var effects: [HealthReader.Effect] = []
    health?.receive(input, at: now, into: &effects)
    let first = changes.count
    // The link of a finished run is committed together with its end.
    var isFinish = false
    if case .finished? = input { isFinish = true }
    for effect in effects {
      switch effect {
      case .linked where isFinish: break
      case .linked(let run, let workout, _): persist(.runFinished(run, healthKitWorkoutUUID: workout), in: &turn)
      case .restored(let row): persist(.runRestored(row), in: &turn)
      case .truth(let truth, let cached): persist(.runCached(truth.workout.aarcRunId, cached), in: &turn)
      case .ask, .absent: break
      }
    }
    if changes.count > first { turn.items.append(.commit) }
    for effect in effects {
      if case .ask(let query, _) = effect { turn.send(HealthFrames.query(query, epoch: session.epoch)) }
      if turn.isRecording, let event = effect.event(at: now) { turn.record(event) }
    }
    if turn.isRecording, changes.count > first { turn.record(Self.storedEvent(changes[first...], at: now)) }
  }

  /// The event that lists what of an answer was stored, built from the changes themselves.
  static func storedEvent(_ changes: ArraySlice<PhoneChange>, at now: VirtualTime) -> TraceEvent {
    var kinds: [JSONNode] = []
    var (total, most) = (0, 0)
    for case .rare(let change) in changes {
      let bytes = String(describing: change).utf8.count
      kinds.append(JSONNode(.string(Mirror(reflecting: change).children.first?.label ?? "\(change)")))
      total += bytes
      most = max(most, bytes)
    }
    return TraceEvent(HealthKept.self, at: now, on: .phone) {
      $0.changes = JSONText(JSONValue.array(kinds).compactText)
      $0.bytes = Int64(total)
      $0.most = Int64(most)
    }
  }

  // MARK: The list of runs

  /// Shows the list of runs, and requests what its rows lack.
  mutating func showHistory(in turn: inout Turn) {
    guard let stored = health?.rows else {
      return refuse("history", why: "the app reads no health store", in: &turn)
    }
    // Swims, rides and shooting are in the training history. Planted: they are here, too.
    let record = training?.record
    let isOpen = setup.plants.contains(.swimsAsRuns)
    let runs = stored.filter { row in
      // Of a removed session no discipline is known any more.
      let isGone = record?.removed.contains(row.id) == true
      return isOpen || (!isGone && (record?.session(row.id)?.discipline ?? .running) == .running)
    }
    let rows = plantedList(runs)
    let list = JSONValue.array(rows.map { JSONNode(.object($0.listed)) })
    let stubs = rows.count { $0.cached == nil }
    turn.record(HistoryShown.self, on: .phone) {
      $0.runs = Int64(rows.count)
      $0.stubs = Int64(stubs)
      $0.rows = JSONText(list.compactText)
    }
    updateHealth(.opened, in: &turn)
  }

  /// Deletes everything stored about runs and the athlete, then restores what the health store still has.
  mutating func wipe(in turn: inout Turn) {
    guard health != nil else { return refuse("wipe", why: "the app reads no health store", in: &turn) }
    guard !consumer.hasRun, !voice.isRecording else { return refuse("wipe", why: "a run is on", in: &turn) }
    guard !isDiskFull else {
      return refuse("wipe", why: SessionError.insufficientSpace.rawValue, in: &turn)
    }
    voice.wipe(in: &turn)
    coach.wipe()
    engine.replies = []
    if let uplink = coach.uplink { updateCoach(.uplink(isUp: uplink.isReachable), in: &turn) }
    commit(.wiped, in: &turn)
    turn.record(StoreWiped.self, on: .phone)
    updateHealth(.wiped, in: &turn)
  }
}

extension RunRow {
  /// The members that the list of runs shows, from columns of the row only.
  package var listed: [JSONMember] {
    guard let cached else { return JSONMember.list(["id": id.text, "label": label, "stub": true]) }
    return JSONMember.list([
      "id": id.text, "label": label, "distance": cached.distanceMeters, "duration": cached.durationSeconds,
      "avgPace": cached.avgPaceSecPerKm,
    ])
  }
}

extension HealthReader.Effect {
  /// The trace event; nil if there is none.
  fileprivate func event(at now: VirtualTime) -> TraceEvent? {
    switch self {
    case .ask(let query, let attempt):
      TraceEvent(HealthRequested.self, at: now, on: .phone) {
        $0.query = query.eventFields
        $0.attempt = Int64(attempt)
      }
    case .absent(let query, let attempt, let retryAt):
      TraceEvent(HealthAbsent.self, at: now, on: .phone) {
        $0.query = query.eventFields
        $0.attempt = Int64(attempt)
        $0.retryAt = retryAt.nanoseconds
      }
    case .truth(let truth, let cached):
      TraceEvent(HealthTruth.self, at: now, on: .phone) {
        $0.workout = truth.workout.uuid
        $0.aarcRunId = truth.workout.aarcRunId
        $0.distance = truth.workout.distance
        $0.duration = truth.workout.duration
        $0.avgPace = cached.avgPaceSecPerKm
        $0.route = Int64(truth.route.count)
        $0.heartRates = Int64(truth.hrSeries.count)
        $0.splits = Int64(truth.splits.count)
      }
    case .linked(let run, let workout, let by):
      TraceEvent(HealthLinked.self, at: now, on: .phone) {
        $0.runId = run
        $0.workout = workout
        $0.by = by
      }
    case .restored: nil
    }
  }
}

extension HealthQuery {
  fileprivate var eventFields: HealthQueryFields {
    var fields = HealthQueryFields()
    switch self {
    case .all, .observed: fields.of = .all
    case .workout(let uuid):
      fields.of = .workout
      fields.workout = uuid
    case .run(let runId):
      fields.of = .run
      fields.runId = runId
    }
    return fields
  }
}

extension PhoneNode.Setup {
  /// A template row with type, mode and personality.
  var modelRow: RunRow {
    RunRow(
      id: Identifier(high: 0, low: 0), startedAt: WatchTime(nanoseconds: 0), runType: runType, mode: mode,
      personality: personality)
  }
}
