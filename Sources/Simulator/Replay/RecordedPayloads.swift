import Console
import CoachProtocol
import Link

/// Payloads reconstructed from a trace's events, by their digests.
///
/// A trace has no payloads, but nearly all of them are encoded in a fixed order from fields that it has: a snapshot, a
/// queued event, a start's answer. Each is encoded again, and verified by its digest.
struct RecordedPayloads {
  private var byDigest: [UInt64: [UInt8]] = [:]
  /// Snapshots by epoch and number, and queued events by transfer: for a watch with another encoding.
  private var bySeq: [[UInt64]: [UInt8]] = [:]
  private var byTransfer: [Identifier: [UInt8]] = [:]
  /// Requested runs.
  private var runs: [Identifier] = []

  /// Collects an event's payload.
  mutating func add(_ event: TraceEvent) {
    switch event.name.text {
    case "snapshot", "ghost.snapshot":
      guard let metrics = LiveMetrics(event) else { return }
      let payload = metrics.encoded
      add(payload)
      if event.name == SnapshotPublished.name, let epoch = event.count("epoch"), let seq = event.count("seq") {
        bySeq[[epoch, seq]] = payload
      }
    case "transfer.queued", "transfer.delivered":
      guard let message = AppMessage(event) else { return }
      let payload = message.encoded
      add(payload)
      if let transfer = event.identifier("transfer") { byTransfer[transfer] = payload }
    case "start.accepted", "start.declined", "start.asked":
      guard let run = event.identifier("runId"), !runs.contains(run) else { return }
      runs.append(run)
      add(AppMessage.startAck(StartAck(runId: run)).encoded)
      for reason in StartDeclined.Reason.allCases {
        add(AppMessage.startDeclined(StartDeclined(runId: run, reason: reason)).encoded)
      }
    default: return
    }
  }

  /// Adds a payload from another source.
  mutating func add(_ payload: [UInt8]) { byDigest[Digest.prefix(payload)] = payload }

  /// The payload with a digest; nil if unknown.
  func payload(_ digest: UInt64) -> [UInt8]? { byDigest[digest] }

  /// The content of a frame's payload whose bytes are unknown; nil if the trace lacks it.
  func meaning(epoch: UInt64, seq: UInt64, transfer: Identifier?) -> [UInt8]? {
    if let transfer { return byTransfer[transfer] }
    return bySeq[[epoch, seq]]
  }
}

extension LiveMetrics {
  /// The snapshot of an event; nil if a field is missing.
  init?(_ event: TraceEvent) {
    guard let workoutId = event.identifier("workoutId"), let sentAt = event["sentAt"]?.integer,
      let elapsed = event["elapsed"]?.double, let distance = event["distance"]?.double,
      let state = event.text("state").flatMap(WorkoutState.init(text:))
    else { return nil }
    // Values that no watch sends cannot be encoded either.
    let (number, rate) = (0.0...1e9, Int64(1)...1_000)
    guard number.contains(elapsed), number.contains(distance), (-(1 << 62)...(1 << 62)).contains(sentAt) else {
      return nil
    }
    func real(_ key: String) -> Double? { event[key]?.double.flatMap { (0.01...1e9).contains($0) ? $0 : nil } }
    func whole(_ key: String) -> Int? { event[key]?.integer.flatMap { rate.contains($0) ? Int($0) : nil } }
    let energy = event["energyKcal"]?.double ?? 0
    self.init(
      workoutId: workoutId, sentAt: WatchTime(nanoseconds: sentAt), elapsed: elapsed, distance: distance,
      currentPaceSecPerKm: real("currentPaceSecPerKm"), avgPaceSecPerKm: real("avgPaceSecPerKm"),
      currentHR: whole("currentHR"), energyKcal: number.contains(energy) ? energy : 0, cadence: whole("cadence"),
      lastSplit: event["lastSplit"].flatMap(Split.init(traceValue:)), state: state)
  }
}

extension AppMessage {
  /// The queued event of a trace event; nil for other kinds.
  fileprivate init?(_ event: TraceEvent) {
    guard let kind = event.text("kind").flatMap(AppMessage.Kind.init(rawValue:)) else { return nil }
    if kind == .probe, let number = event["n"]?.integer {
      self = .probe(Probe(number: number))
      return
    }
    if kind == .sessionReport {
      guard let workoutId = event.identifier("workoutId"), case .json(let text)? = event["report"],
        let report = SessionReport(workoutId: workoutId, traceText: text)
      else { return nil }
      self = .sessionReport(report)
      return
    }
    guard let workoutId = event.identifier("workoutId"), let sentAt = event["sentAt"]?.integer else { return nil }
    let time = WatchTime(nanoseconds: sentAt)
    switch kind {
    case .workoutStarted:
      guard let startedAt = event["startedAt"]?.integer else { return nil }
      self = .workoutStarted(
        WorkoutStarted(
          workoutId: workoutId, startedAt: WatchTime(nanoseconds: startedAt), sentAt: time,
          discipline: event.text("discipline").flatMap(TrainingDiscipline.init(rawValue:))))
    case .workoutPaused: self = .workoutPaused(WorkoutPaused(workoutId: workoutId, sentAt: time))
    case .workoutResumed: self = .workoutResumed(WorkoutResumed(workoutId: workoutId, sentAt: time))
    case .workoutEnded:
      self = .workoutEnded(
        WorkoutEnded(
          workoutId: workoutId, healthKitWorkoutUUID: event.identifier("healthKitWorkoutUUID"), sentAt: time))
    default: return nil
    }
  }
}
