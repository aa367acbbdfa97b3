import CoachProtocol
import Console
import Link

/// What set the devices' clocks back, to explain a message with an earlier time than one before it.
struct ClockChanges {
  /// The devices whose clocks a fault sets ahead, by the fault's id; lookup only.
  private var ahead: [String: TraceEvent.Place] = [:]
  /// The line that last set each clock back: a fault begins that is behind, or one ends that was ahead.
  private var setBack: [TraceEvent.Place: Int] = [:]
  /// The latest time of the watch's snapshots and of its queued events, by the event's name.
  private var latest: [String: Int64] = [:]

  /// The line that set the clock back by which an event is stamped too early; nil if it is not.
  ///
  /// Call it before ``observe(_:line:)``.
  func cause(of event: TraceEvent) -> Int? {
    guard let stamp = Self.stamp(event), let before = latest[event.name.text], stamp <= before else { return nil }
    return setBack[event.place]
  }

  /// Observes the next event, which is on line `line` of the trace.
  mutating func observe(_ event: TraceEvent, line: Int) {
    switch event.name.text {
    case "fault.begin" where event.text("kind") == ClockSkewFault.kind:
      guard let id = event.text("fault"), let params = StoryJSON.node(event["params"]),
        let place = CauseFinder.device(params["node"]?.text), let offset = params["offset"]?.double
      else { return }
      if offset < 0 { setBack[place] = line } else { ahead[id] = place }
    case "fault.end":
      if let id = event.text("fault"), let place = ahead.removeValue(forKey: id) { setBack[place] = line }
    case "snapshot", "transfer.queued":
      if let stamp = Self.stamp(event) { latest[event.name.text] = max(stamp, latest[event.name.text] ?? stamp) }
    default: break
    }
  }

  /// The time that the watch gave a message; nil for others.
  private static func stamp(_ event: TraceEvent) -> Int64? {
    guard event.place == .watch, event.name.text == "snapshot" || event.name.text == "transfer.queued" else {
      return nil
    }
    return event["sentAt"]?.integer
  }
}
