import Link

/// The phase of the watch's run, for fault coverage.
enum RunPhase: Int, CaseIterable, Sendable {
  case before, running, paused, ended

  /// The name in tables and reports.
  var text: String {
    switch self {
    case .before: "before the run"
    case .running: "running"
    case .paused: "paused"
    case .ended: "after the run"
    }
  }

  /// The phase that an event begins; nil for an event that changes none.
  init?(_ event: TraceEvent) {
    guard event.name.code == TraceEvent.Name.Code.workoutState else { return nil }
    switch event["to"]?.text {
    case "preparing": self = .before
    case "running": self = .running
    case "paused": self = .paused
    case "ended": self = .ended
    default: return nil
    }
  }
}

/// The circumstances of a run: the watch's run, the link, the two apps.
struct Circumstances: Sendable {
  private var phase = RunPhase.before
  private var isLinkDown = false
  private var isDraining = false
  /// What is wrong with the watch, and with the phone; nil for nothing.
  private var nodes: [String?] = [nil, nil]

  /// Observes the next event.
  mutating func observe(_ event: TraceEvent) {
    switch event.name.code {
    case TraceEvent.Name.Code.workoutState: phase = RunPhase(event) ?? phase
    case TraceEvent.Name.Code.linkDown: if event.place == .link { isLinkDown = true }
    case TraceEvent.Name.Code.linkUp: if event.place == .link { isLinkDown = false }
    case TraceEvent.Name.Code.healed: isDraining = true
    case TraceEvent.Name.Code.nodeKilled: set("down", event)
    case TraceEvent.Name.Code.nodeSuspended: set("asleep", event)
    case TraceEvent.Name.Code.nodeStarted, TraceEvent.Name.Code.nodeResumed: set(nil, event)
    default: break
    }
  }

  private mutating func set(_ state: String?, _ event: TraceEvent) {
    switch event["target"]?.text {
    case "watch": nodes[0] = state
    case "phone": nodes[1] = state
    default: break
    }
  }

  /// The phase only, or that the faults are over.
  var phaseText: String { isDraining ? "after the healing" : phase.text }

  /// As text: `running, link down, phone asleep`.
  var text: String {
    var parts = [phaseText]
    if isLinkDown { parts.append("link down") }
    for (name, state) in zip(["watch", "phone"], nodes) { if let state { parts.append("\(name) \(state)") } }
    return parts.joined(separator: ", ")
  }
}
