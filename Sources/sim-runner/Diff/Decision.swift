import Link

/// One thing that a run decided, taken from a line of its trace.
struct Decision: Sendable {
  /// What family it is of: the part of the event's name before its first point, or a word of its own.
  let kind: String
  let node: TraceEvent.Place
  let time: VirtualTime
  /// What was decided, in a line: the event with the fields that have a meaning beside this run.
  let text: String
  /// Numbers that move with the time: where the runner was.
  let place: String
  /// How far the runner was, in metres; nil if the line does not say.
  let distance: Double?
  /// The trace's line.
  let line: Int

  /// Reads a line; nil for one that tells of no decision.
  ///
  /// - Parameter isComplete: Whether names, numbers and frames count too: every line is one then.
  init?(_ event: TraceEvent, line: Int, isComplete: Bool = false) {
    let name = event.name.text
    guard isComplete || Self.isDecision(name) else { return nil }
    kind = name.split(separator: ".").first.map(String.init) ?? name
    node = event.place
    time = event.time
    self.line = line
    var text = "\(event.place.text) \(name)"
    var place = ""
    for field in event.fields where isComplete ? field.key != "id" || name != "frame.sent" : !Self.isName(field.key) {
      var part = " \(field.key)="
      field.value.append(to: &part)
      if !isComplete, Self.places.contains(field.key) { place += part } else { text += part }
    }
    self.text = text
    self.place = place
    distance = event["distance"]?.double
  }

  private static func isDecision(_ name: String) -> Bool {
    families.contains { name == $0 || name.hasPrefix($0) && name.utf8.dropFirst($0.utf8.count).first == 0x2E }
      && !passedOver.contains(name)
  }

  private static func isName(_ key: String) -> Bool { names.contains(key) }

  /// Families of events that tell of decisions.
  private static let families = [
    "run", "liveness", "script", "audio", "transfer", "violation", "workout", "health", "haptic", "start", "voice",
    "ai", "memory", "message.refused", "message.failed", "payload", "node", "context", "reachability", "uplink",
    "command", "expectation", "end", "app",
  ]

  /// Of these families, events that tell of the way and not of what became of it.
  private static let passedOver = ["transfer.progress", "uplink.duplicate", "workout.position"]

  /// Fields that name something of this one run: two runs that decide the same have others.
  private static let names = [
    "id", "transfer", "workoutId", "runId", "note", "reply", "healthKitWorkoutUUID", "workout", "aarcRunId", "digest",
    "bytes", "epoch", "seq", "sentAt", "startedAt", "recordedAt", "lastFresh", "lines", "t0", "outstanding", "frames",
    "ghost", "retryAt",
  ]

  /// Fields that move with the time of a decision.
  private static let places = ["elapsed", "distance"]
}
