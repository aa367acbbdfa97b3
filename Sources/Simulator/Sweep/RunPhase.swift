package import Link

/// The phase of the watch's run, for fault coverage.
package enum RunPhase: Int, CaseIterable, Sendable {
  case before, running, paused, ended

  /// The name in tables and reports.
  package var text: String {
    switch self {
    case .before: "before the run"
    case .running: "running"
    case .paused: "paused"
    case .ended: "after the run"
    }
  }

  /// The phase that a change of the workout begins; nil if it begins none.
  package init?(_ change: WorkoutStateChanged) {
    switch change.to {
    case "preparing": self = .before
    case "running": self = .running
    case "paused": self = .paused
    case "ended": self = .ended
    default: return nil
    }
  }
}

/// The circumstances of a run: the watch's run, the link, the two apps.
///
/// Apps of one's own have no run that the simulator knows: theirs are the link and the apps alone.
package struct Circumstances: Sendable {
  private let isOfApps: Bool
  private var phase = RunPhase.before
  private var isLinkDown = false
  private var isDraining = false
  /// What is wrong with the watch, and with the phone; nil for nothing.
  private var nodes: [String?] = [nil, nil]

  /// - Parameter isOfApps: Whether an app of one's own plays a node.
  package init(ofApps isOfApps: Bool = false) { self.isOfApps = isOfApps }

  /// Observes the next event.
  package mutating func observe(_ event: TraceEvent) {
    switch event.body {
    case .workoutState(let change): phase = RunPhase(change) ?? phase
    case .linkDown: if event.place == .link { isLinkDown = true }
    case .linkUp: if event.place == .link { isLinkDown = false }
    case .healed: isDraining = true
    case .nodeKilled(let killed): set("down", killed.target)
    case .nodeSuspended(let suspended): set("asleep", suspended.target)
    case .nodeStarted(let started): set(nil, started.target)
    case .nodeResumed(let resumed): set(nil, resumed.target)
    default: break
    }
  }

  private mutating func set(_ state: String?, _ node: NodeRole) {
    switch node {
    case .watch: nodes[0] = state
    case .phone: nodes[1] = state
    case .edge: break
    }
  }

  private static let drainingText = "after the healing"

  /// The phase only, or that the faults are over; empty for apps before that.
  package var phaseText: String { isDraining ? Self.drainingText : isOfApps ? "" : phase.text }

  /// The phase in ``text``; empty for none.
  package static func phase(in text: String) -> String {
    let first = String(text.prefix { $0 != "," })
    return first == drainingText || RunPhase.allCases.contains { $0.text == first } ? first : ""
  }

  /// As text: `running, link down, phone asleep`.
  package var text: String {
    var parts = phaseText.isEmpty ? [] : [phaseText]
    if isLinkDown { parts.append("link down") }
    for (name, state) in zip(["watch", "phone"], nodes) { if let state { parts.append("\(name) \(state)") } }
    return parts.isEmpty ? "link up" : parts.joined(separator: ", ")
  }
}
