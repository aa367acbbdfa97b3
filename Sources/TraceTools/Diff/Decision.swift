package import Console
package import Link

/// A decision of a run, read from a line of its trace.
package struct Decision: Sendable {
  /// Its family: the part of the event's name before the first point, or the whole name.
  package let kind: String
  package let node: TraceEvent.Place
  package let time: VirtualTime
  /// The decision as a line: the event with the fields that can be compared between runs.
  package let text: String
  /// The athlete's position: numbers that change with the time of the decision.
  package let place: String
  /// How far the athlete was, in metres; nil if the line does not say.
  let distance: Double?
  /// The trace's line.
  package let line: Int

  /// Reads a line; nil for one that reports no decision.
  ///
  /// - Parameter isComplete: Whether every line counts as a decision, with names, numbers and frames.
  package init?(_ event: TraceEvent, line: Int, isComplete: Bool = false) {
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

  /// Families of events that report decisions.
  private static let families = [
    "run", "liveness", "script", "audio", "transfer", "violation", "workout", "health", "haptic", "start", "voice",
    "ai", "memory", "message.refused", "message.failed", "payload", "node", "context", "reachability", "uplink",
    "command", "expectation", "end", "app",
  ]

  /// Events of these families that report intermediate steps, not outcomes.
  private static let passedOver = ["transfer.progress", "uplink.duplicate", "workout.position"]

  /// Fields with identifiers, which differ even between runs with equal decisions.
  private static let names = [
    "id", "transfer", "workoutId", "runId", "note", "reply", "healthKitWorkoutUUID", "workout", "aarcRunId", "digest",
    "bytes", "epoch", "seq", "sentAt", "startedAt", "recordedAt", "lastFresh", "lines", "t0", "outstanding", "frames",
    "ghost", "retryAt",
  ]

  /// Fields that change with the time of a decision.
  private static let places = ["elapsed", "distance"]
}

extension Decision {
  /// The decisions of a trace, in its order.
  package static func all(of trace: RecordedTrace, isComplete: Bool = false) -> [Decision] {
    trace.events.enumerated().compactMap { index, event in
      Decision(event, line: trace.line(of: index), isComplete: isComplete)
    }
  }
}
