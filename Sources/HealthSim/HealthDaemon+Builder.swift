import Link

/// Workout builders: their order of calls, and what they save.
extension HealthDaemon {
  mutating func carryOutBuilder(_ request: DeviceMessage) {
    if request.name == "builder.saveRoute" { return saveRoute(request) }
    let id = UInt64(bitPattern: request.fields.integer("session"))
    // A builder without a session has an entry of its own, which is never started.
    if sessions[id] == nil {
      guard request.name == "builder.create" else { return refuse(request, code: 3, "no such builder") }
      sessions[id] = WorkoutSessionState(
        id: id, number: 0, activity: request.fields.integer("activity"), location: request.fields.integer("location"))
      return
    }
    switch request.name {
    case "builder.collect":
      sessions[id]?.builder.collects = true
      sessions[id]?.builder.types = request.fields.texts("types")
    case "builder.begin": begin(request, id)
    case "builder.endCollection": endCollection(request, id)
    case "builder.addSamples": addSamples(request, id)
    case "builder.addEvents": addEvents(request, id)
    case "builder.addMetadata": addMetadata(request, id)
    case "builder.addRoute": addRoute(request, id)
    case "builder.finish": finish(request, id)
    case "builder.discard":
      // Without an answer; the samples stay in the store.
      sessions[id]?.builder.state = .discarded
    default: ignore(request, "no call of that name")
    }
  }

  /// Refuses a call that does not fit the builder's state; true if it fits.
  private mutating func isIn(
    _ states: [WorkoutBuilderState.State], _ request: DeviceMessage, _ id: UInt64, event: Int
  ) -> Bool {
    guard let state = sessions[id]?.builder.state else { return false }
    if states.contains(state) { return true }
    refuse(
      request, code: HealthCode.invalidArgument,
      "Unable to transition to the desired state from the \(state.text) state (event \(event))."
        + " Allowed transitions from this state are { }.")
    return false
  }

  private mutating func begin(_ request: DeviceMessage, _ id: UInt64) {
    guard isIn([.notStarted], request, id, event: 1) else { return }
    let share = access(to: HealthType.workout).share
    guard share == 2 else {
      // Terminal: every later call fails.
      sessions[id]?.builder.state = .error
      let isOpen = share == 0
      return refuse(
        request, code: isOpen ? HealthCode.notDetermined : HealthCode.denied,
        isOpen ? "Authorization not determined" : "Not authorized")
    }
    sessions[id]?.builder.state = .active
    sessions[id]?.builder.begunAt = request.fields.integer("date")
    answer(request)
  }

  private mutating func endCollection(_ request: DeviceMessage, _ id: UInt64) {
    guard isIn([.active], request, id, event: 2) else { return }
    let date = request.fields.integer("date")
    guard date >= sessions[id]?.builder.begunAt ?? 0 else {
      return refuse(request, code: HealthCode.invalidArgument, "the end is before the start")
    }
    storeMeasured(of: id, isLast: true)
    sessions[id]?.builder.state = .ended
    sessions[id]?.builder.endedAt = date
    answer(request)
  }

  private mutating func addSamples(_ request: DeviceMessage, _ id: UInt64) {
    guard isIn([.active, .ended], request, id, event: 4), let begunAt = sessions[id]?.builder.begunAt else { return }
    var samples = request.fields.list("samples").map { HealthSample($0) }
    for index in samples.indices {
      samples[index].source = appSource
      let share = access(to: samples[index].type).share
      guard share == 2 else {
        return refuse(
          request, code: share == 0 ? HealthCode.notDetermined : HealthCode.denied,
          share == 0 ? "Authorization not determined" : "Not authorized")
      }
      guard samples[index].start >= begunAt, samples[index].end >= samples[index].start else {
        return refuse(request, code: HealthCode.invalidArgument, "a sample is not within the workout")
      }
    }
    for sample in samples {
      if !store.has(sample.uuid) { store.add(sample) }
      sessions[id]?.builder.samples.insert(sample.uuid)
      guard sample.kind == .quantity else { continue }
      sessions[id]?.builder.add(sample.value, sample.unit, sample.type, from: sample.start, to: sample.end)
    }
    answer(request)
    tellCollected(id, types: Set(samples.filter { $0.kind == .quantity }.map(\.type)))
  }

  private mutating func addEvents(_ request: DeviceMessage, _ id: UInt64) {
    guard isIn([.active, .ended], request, id, event: 5) else { return }
    sessions[id]?.builder.events += request.fields.list("events").map { WorkoutBuilderState.Event($0) }
    answer(request)
  }

  private mutating func addMetadata(_ request: DeviceMessage, _ id: UInt64) {
    guard isIn([.active, .ended, .notStarted], request, id, event: 6) else { return }
    for field in request.fields.fields("metadata") {
      sessions[id]?.builder.metadata.removeAll { $0.key == field.key }
      sessions[id]?.builder.metadata.append(field)
    }
    answer(request)
  }

  private mutating func addRoute(_ request: DeviceMessage, _ id: UInt64) {
    guard access(to: HealthType.route).share == 2, access(to: HealthType.workout).share == 2 else {
      return refuse(
        request, code: HealthCode.unavailable, "connection to service named com.apple.healthd was interrupted")
    }
    sessions[id]?.builder.route += request.fields.list("points")
    answer(request)
  }

  // MARK: The end

  private mutating func finish(_ request: DeviceMessage, _ id: UInt64) {
    guard isIn([.ended], request, id, event: 3), let session = sessions[id] else { return }
    guard access(to: HealthType.workout).share == 2 else {
      sessions[id]?.builder.state = .error
      return refuse(request, code: HealthCode.denied, "Not authorized")
    }
    sessions[id]?.builder.state = .finished
    let workout = makeWorkout(of: session)
    store.attach(session.builder.samples, to: workout.uuid)
    store.add(workout)
    if !session.builder.route.isEmpty { store.add(makeRoute(session.builder.route, of: workout)) }
    let distance = session.builder.statistics.first { $0.type.contains("Distance") }?.sum ?? 0
    record(HealthWorkoutSaved.self) {
      $0.workout = workout.uuid
      $0.activity = session.activity
      $0.active = Int64((workout.details.number("duration") * 1_000).rounded())
      $0.distance = Int64((distance * 1_000).rounded())
      $0.samples = Int64(session.builder.samples.count)
    }
    // Saved, but not readable on a locked device: neither a workout nor an error.
    answer(request, code: 0, text: "", has(.locked) ? [] : [DeviceField("workout", workout.encoded)])
    tellObservers(of: [HealthType.workout, HealthType.route])
    scheduleSync()
  }

  private mutating func makeWorkout(of session: WorkoutSessionState) -> HealthSample {
    let builder = session.builder
    var workout = HealthSample()
    workout.kind = .workout
    workout.uuid = drawIdentifier()
    workout.type = HealthType.workout
    workout.start = builder.begunAt ?? 0
    workout.end = builder.endedAt ?? clock
    workout.value = Double(session.activity)
    workout.source = appSource
    workout.sourceName = role == .watch ? "Apple Watch" : "iPhone"
    workout.device = workout.sourceName
    workout.metadata = builder.metadata
    let active = Double(builder.activeTime(until: workout.end)) / 1e9
    workout.details = [
      DeviceField("activity", .integer(session.activity)), DeviceField("duration", .number(active)),
      DeviceField("statistics", .list(builder.statistics.map(\.encoded))),
      DeviceField("events", .list(builder.events.map(\.encoded))),
    ]
    return workout
  }

  /// Saves the route of a builder of its own with a workout that is saved already.
  private mutating func saveRoute(_ request: DeviceMessage) {
    guard access(to: HealthType.route).share == 2, access(to: HealthType.workout).share == 2 else {
      return refuse(request, code: HealthCode.denied, "Not authorized")
    }
    let (points, uuid) = (request.fields.list("points"), request.fields.identifier("workout"))
    let workout = store.entries.first { $0.sample.uuid == uuid && $0.sample.kind == .workout }?.sample
    guard let workout, !points.isEmpty else {
      let why = points.isEmpty ? "Unable to finish a route without data" : "the workout is not saved"
      return refuse(request, code: HealthCode.invalidArgument, why)
    }
    var route = makeRoute(points, of: workout)
    route.metadata = request.fields.fields("metadata")
    store.add(route)
    answer(request, code: 0, text: "", [DeviceField("route", route.encoded)])
    tellObservers(of: [HealthType.route])
    scheduleSync()
  }

  private mutating func makeRoute(_ points: [DeviceValue], of workout: HealthSample) -> HealthSample {
    var route = workout
    route.kind = .route
    route.uuid = drawIdentifier()
    route.type = HealthType.route
    route.metadata = []
    route.details = [DeviceField("points", .list(points))]
    route.workout = workout.uuid
    return route
  }

  /// Tells the app which types have new values, and their statistics.
  mutating func tellCollected(_ id: UInt64, types: Set<String>) {
    guard let builder = sessions[id]?.builder, !types.isEmpty else { return }
    let statistics = builder.statistics.filter { types.contains($0.type) }.map { statistics in
      var statistics = statistics
      if statistics.type.contains("Distance") { statistics.sum = max(0, statistics.sum - builder.deficit) }
      return statistics.encoded
    }
    tell(
      DeviceMessage(
        "builder.collected", ["session": .integer(Int64(bitPattern: id)), "statistics": .list(statistics)]))
  }
}
