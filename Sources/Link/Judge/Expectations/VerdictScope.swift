/// The faults under which an expectation is judged.
///
/// It follows from the expectation's form, unless its key `scope` says otherwise.
public enum VerdictScope: String, CaseIterable, Sendable {
  /// Holds at every instant, under any faults: nothing bad happens.
  case safety
  /// Holds at the end of a run that has settled, under any faults: something good happens in the end.
  case eventual
  /// Holds with the faults of the scenario as it is written.
  case timed

  /// The key that overrides the derived scope.
  public static let key = "scope"

  /// When it is judged, for `validate --explain` and the reference page.
  public var about: String {
    switch self {
    case .safety: "under any faults"
    case .eventual: "under any faults, at the end of a run that has settled"
    case .timed: "only with the faults of the scenario as written"
    }
  }

  /// The scope of an expectation about events of a name.
  ///
  /// What links, faults and belief do is a matter of the faults, and a best-effort message may be lost: such events are
  /// expected of a scenario's own faults. Facts of apps, and what devices store and deliver for good, are not.
  static func derived(_ scope: Self, of name: TraceEvent.Name) -> Self {
    name.text.hasPrefix(AppFact.family) || lasting.contains(name.text) ? scope : .timed
  }

  /// Events of this package that happen in the end under any faults, where they are to happen at all.
  private static let lasting: Set<String> = [TransferDelivered.name.text]
}

/// Whether a run has settled: its faults have ended, both apps run, and all that its users did had an effect: every act
/// was taken, no command met a device that was down or refused it.
package struct RunSettling: Sendable {
  /// The events that it must receive.
  static let interests: [TraceEvent.Name] = [
    NodeKilled.name, NodeStarted.name, NodeSuspended.name, NodeResumed.name, AppActTaken.name, CommandDropped.name,
    CommandRefused.name,
  ]

  /// How many acts the scenario has.
  let acts: Int
  private var taken = 0
  /// The devices whose app is dead or suspended.
  private var down: [NodeRole] = []
  /// How many commands had no effect.
  private var missed = 0

  /// Creates one for a run with so many acts.
  package init(acts: Int) { self.acts = acts }

  /// Observes the next event.
  package mutating func observe(_ event: TraceEvent) {
    switch event.body {
    case .nodeKilled(let killed): set(killed.target, isDown: true)
    case .nodeSuspended(let suspended): set(suspended.target, isDown: true)
    case .nodeStarted(let started): set(started.target, isDown: false)
    case .nodeResumed(let resumed): set(resumed.target, isDown: false)
    default:
      switch event.name {
      case AppActTaken.name: taken += 1
      case CommandDropped.name, CommandRefused.name: missed += 1
      default: break
      }
    }
  }

  private mutating func set(_ role: NodeRole, isDown: Bool) {
    down.removeAll { $0 == role }
    if isDown { down.append(role) }
  }

  /// Why the run has not settled at its end; nil if it has.
  package var obstacle: String? {
    if let role = down.first { return "the \(role.text)'s app does not run at the end" }
    if taken < acts { return "\(acts - taken) of \(acts) acts \(acts - taken == 1 ? "was" : "were") not taken" }
    return missed > 0 ? "\(missed) command\(missed == 1 ? "" : "s") had no effect" : nil
  }
}
