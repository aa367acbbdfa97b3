public import Link

extension AppMessage {
  /// The fields of a transfer's trace event, from `kind` on.
  ///
  /// Workout events include times and ids, so that checkers know what both ends know.
  public var traceDetails: [TraceEvent.Field] {
    var fields: [TraceEvent.Field] = [.init("kind", .string(kind.rawValue))]
    switch self {
    case .workoutStarted(let event):
      fields.append(.init("workoutId", event.workoutId.traceValue))
      fields.append(.init("startedAt", .int(event.startedAt.nanoseconds)))
      if let discipline = event.discipline { fields.append(.init("discipline", .string(discipline.rawValue))) }
      fields.append(.init("sentAt", .int(event.sentAt.nanoseconds)))
    case .workoutPaused(let event):
      fields.append(.init("workoutId", event.workoutId.traceValue))
      fields.append(.init("sentAt", .int(event.sentAt.nanoseconds)))
    case .workoutResumed(let event):
      fields.append(.init("workoutId", event.workoutId.traceValue))
      fields.append(.init("sentAt", .int(event.sentAt.nanoseconds)))
    case .workoutEnded(let event):
      fields.append(.init("workoutId", event.workoutId.traceValue))
      if let uuid = event.healthKitWorkoutUUID { fields.append(.init("healthKitWorkoutUUID", uuid.traceValue)) }
      fields.append(.init("sentAt", .int(event.sentAt.nanoseconds)))
    case .sessionReport(let report):
      fields.append(.init("workoutId", report.workoutId.traceValue))
      fields.append(.init("report", .json(report.traceText)))
    case .probe(let probe): fields.append(.init("n", .int(probe.number)))
    case .liveMetrics, .startWorkout, .startAck, .startDeclined, .cancelStart, .endWorkout, .hapticCue,
      .companionMessageDispatched:
      break  // These are not queued.
    }
    return fields
  }
}
