import Link
import LinkTransport

/// Acts: what the scenario's users do in apps.
extension Conductor {
  /// Stores an act for an app that is down, until the app is back; starts the app if the act requests it.
  ///
  /// - Returns: Whether there is nothing more to do about it.
  mutating func keepAct(_ act: Command) throws(NodeFailure) -> Bool {
    guard !status(act.role).isUp else { return false }
    waitingActs.append(act)
    guard act.launches, !status(act.role).isLocked else { return true }
    try launchForAct(act.role)
    return true
  }

  /// Passes a user's act to its app at this instant.
  mutating func queueAct(_ act: TimedAct) -> LiveOutcome {
    guard isApp(act.role) else {
      return LiveOutcome(time: now, effect: "the \(act.role.text) is built in: acts are for apps", isRefused: true)
    }
    commands = [Command(at: now, role: act.role, command: act.command, launches: act.launches)] + commands
    return LiveOutcome(time: now, effect: "\(act.name) on the \(act.role.text)")
  }

  /// Removes and returns the acts that were stored while an app was down.
  mutating func takeActs(for role: NodeRole) -> [NodeCommand] {
    guard !waitingActs.isEmpty else { return [] }
    defer { waitingActs.removeAll { $0.role == role } }
    return waitingActs.filter { $0.role == role }.map(\.command)
  }

  /// Records the acts whose apps never came back.
  mutating func dropWaitingActs() {
    for act in waitingActs {
      record("command.dropped", on: .runner) {
        [
          .init("target", .string(act.role.text)), .init("kind", .string(act.command.act?.name ?? act.command.name)),
          .init("why", .string("the \(act.role.text)'s app did not start again")),
        ]
      }
    }
    waitingActs = []
  }
}
