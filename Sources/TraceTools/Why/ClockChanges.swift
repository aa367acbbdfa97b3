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
  private var latest: [TraceEvent.Name: Int64] = [:]

  /// The line that set the clock back by which an event is stamped too early; nil if it is not.
  ///
  /// Call it before ``observe(_:line:)``.
  func cause(of event: TraceEvent) -> Int? {
    guard let stamp = Self.stamp(event), let before = latest[event.name], stamp <= before else { return nil }
    return setBack[event.place]
  }

  /// Observes the next event, which is on line `line` of the trace.
  mutating func observe(_ event: TraceEvent, line: Int) {
    switch event.body {
    case .faultBegin(let fault) where fault.kind == ClockSkewFault.kind:
      guard let params = fault.params.node, let node = params["node"]?.text,
        let place = NodeRole.allCases.first(where: { $0.text == node })?.place,
        let offset = params["offset"]?.double
      else { return }
      if offset < 0 { setBack[place] = line } else { ahead[fault.fault] = place }
    case .faultEnd(let fault): if let place = ahead.removeValue(forKey: fault.fault) { setBack[place] = line }
    default: if let stamp = Self.stamp(event) { latest[event.name] = max(stamp, latest[event.name] ?? stamp) }
    }
  }

  /// The time that the watch gave a message; nil for others.
  private static func stamp(_ event: TraceEvent) -> Int64? {
    guard event.place == .watch else { return nil }
    switch event.body {
    case .snapshot(let snapshot): return snapshot.metrics.sentAt
    case .transferQueued(let transfer): return transfer.details.sentAt
    default: return nil
    }
  }
}
