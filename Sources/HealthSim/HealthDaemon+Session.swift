import Link

/// Workout sessions.
extension HealthDaemon {
  mutating func carryOutSession(_ request: DeviceMessage) {
    let id = UInt64(bitPattern: request.fields.integer("session"))
    switch request.name {
    case "session.create":
      sessionCount += 1
      sessions[id] = WorkoutSessionState(
        id: id, number: sessionCount, activity: request.fields.integer("activity"),
        location: request.fields.integer("location"))
    case "session.release":
      // The object is gone; a session that runs goes on without it.
      sessions[id]?.isDeadAndKept = false
    case "session.recover": recover(request)
    case "session.recovered": answerRecovery(request)
    default:
      guard sessions[id] != nil else { return ignore(request, "no such session") }
      apply(request, to: id, by: "app")
    }
  }

  /// Carries out a verb, of the app or of the mirrored session on the phone.
  mutating func apply(_ request: DeviceMessage, to id: UInt64, by who: String) {
    guard let state = sessions[id]?.state else { return }
    let clock = clock
    let date = request.fields.integer("date")
    switch (request.name, state) {
    case ("session.prepare", .notStarted):
      guard claim(id, request) else { return }
      change(id, to: .prepared, by: who, date: clock)
    case ("session.start", .notStarted), ("session.start", .prepared):
      guard claim(id, request) else { return }
      sessions[id]?.startedAt = date == 0 ? clock : date
      change(id, to: .running, by: who, date: date == 0 ? clock : date)
    case ("session.pause", .running): pause(id, true, by: who)
    case ("session.resume", .paused): pause(id, false, by: who)
    case ("session.stop", .running), ("session.stop", .paused):
      let at = max(date == 0 ? clock : date, sessions[id]?.startedAt ?? 0)
      sessions[id]?.endedAt = at
      change(id, to: .stopped, by: who, date: at)
    case ("session.end", .running), ("session.end", .paused), ("session.end", .stopped):
      end(id, by: who, code: nil, tells: true)
    case ("session.end", .ended):
      sessions[id]?.isDeadAndKept = false
      ignore(request, "the session has ended")
    case ("session.end", _):
      // The header does not name these states: read literally, session mode stays on.
      ignore(request, "a session that is not started cannot end")
    default: ignore(request, "the session is \(name(of: state).text)")
    }
  }

  /// Makes a session the device's one; false if that fails.
  private mutating func claim(_ id: UInt64, _ request: DeviceMessage) -> Bool {
    if has(.deadSessionBlocks), sessions.values.contains(where: { $0.id != id && $0.isDeadAndKept }) {
      fail(id, code: HealthCode.invalidArgument)
      return false
    }
    if let current, current != id { end(current, by: "system", code: HealthCode.anotherSession, tells: true) }
    current = id
    return true
  }

  private mutating func pause(_ id: UInt64, _ isPause: Bool, by who: String) {
    let event = WorkoutBuilderState.Event(type: isPause ? 1 : 2, start: clock, end: clock)
    // No source says whether the state or the event comes first, or whether the session or its builder does.
    let (isEventFirst, isBuilderFirst) = (draw(below: 2) == 0, draw(below: 2) == 0)
    let message = DeviceMessage(
      "session.event",
      [
        "session": .integer(Int64(bitPattern: id)), "type": .integer(event.type), "start": .integer(event.start),
        "end": .integer(event.end), "isBuilderFirst": .flag(isBuilderFirst),
      ])
    if isEventFirst { tell(message) }
    change(id, to: isPause ? .paused : .running, by: who, date: clock)
    if !isEventFirst { tell(message) }
    if sessions[id]?.builder.state == .active { sessions[id]?.builder.events.append(event) }
    mirrorEvent(event, of: id)
  }

  /// Ends a session: for an app's call without a code, else by an error, which the app learns first.
  mutating func end(_ id: UInt64, by who: String, code: Int64?, tells: Bool) {
    guard let session = sessions[id], session.state != .ended else { return }
    let clock = clock
    if sessions[id]?.endedAt == nil { sessions[id]?.endedAt = clock }
    if current == id { current = nil }
    if let code {
      sessions[id]?.isDeadAndKept = true
      if tells { tellFailure(id, code) }
    }
    change(id, to: .ended, by: who, date: clock, code: code, tells: tells)
  }

  /// Fails a session that never began.
  private mutating func fail(_ id: UInt64, code: Int64) {
    sessions[id]?.isDeadAndKept = true
    tellFailure(id, code)
    change(id, to: .ended, by: "system", date: clock, code: code)
  }

  private mutating func tellFailure(_ id: UInt64, _ code: Int64) {
    tell(
      DeviceMessage("session.failed", ["session": .integer(Int64(bitPattern: id)), "code": .integer(code)]))
  }

  private mutating func change(
    _ id: UInt64, to state: WorkoutSessionState.State, by who: String, date: Int64, code: Int64? = nil,
    tells: Bool = true
  ) {
    guard let session = sessions[id] else { return }
    sessions[id]?.state = state
    let word = name(of: state)
    record(HealthSessionChanged.self) {
      $0.session = session.number
      $0.to = word
      $0.by = who
      $0.code = code
    }
    if tells {
      tell(
        DeviceMessage(
          "session.changed",
          [
            "session": .integer(Int64(bitPattern: id)), "from": .integer(session.state.rawValue),
            "to": .integer(state.rawValue), "date": .integer(date),
          ]))
    }
    mirrorChange(of: id, from: session.state, to: state, date: date)
  }

  private func name(of state: WorkoutSessionState.State) -> HealthSessionChanged.State {
    switch state {
    case .notStarted: .notStarted
    case .running: .running
    case .ended: .ended
    case .paused: .paused
    case .prepared: .prepared
    case .stopped: .stopped
    }
  }

  // MARK: Recovery

  private mutating func recover(_ request: DeviceMessage) {
    guard has(.slowRecovery) else { return answerRecovery(request) }
    var later = request
    later.name = "session.recovered"
    let wait = drawSpan(.seconds(5), .seconds(20))
    schedule(later, after: wait)
  }

  private mutating func answerRecovery(_ request: DeviceMessage) {
    guard let current, let session = sessions[current] else { return answer(request) }
    let builder = session.builder
    var fields = session.snapshot
    fields += [
      DeviceField("builderState", .integer(builder.state.rawValue)),
      DeviceField("begunAt", .integer(builder.begunAt ?? 0)),
      DeviceField("statistics", .list(builder.statistics.map(\.encoded))),
      DeviceField("events", .list(builder.events.map(\.encoded))),
      DeviceField("metadata", .record(builder.metadata)),
    ]
    // Delegates and the data source are not restored.
    sessions[current]?.builder.collects = false
    answer(request, code: 0, text: "", [DeviceField("found", .record(fields))])
  }
}

extension WorkoutBuilderState.Event {
  var encoded: DeviceValue {
    .record([
      DeviceField("type", .integer(type)), DeviceField("start", .integer(start)), DeviceField("end", .integer(end)),
      DeviceField("metadata", .record(metadata)),
    ])
  }

  package init(_ value: DeviceValue) {
    type = value.fields.integer("type")
    start = value.fields.integer("start")
    end = value.fields.integer("end")
    metadata = value.fields.fields("metadata")
  }
}
