import Link
import PhoneSim
import WatchSim

/// Keeps what a node must not forget: its session's record, and what its app wants kept.
protocol NodeStore: SessionStore {
  /// What the app changes durably.
  associatedtype Change: Sendable
  /// Makes the changes of session and app durable, all or none.
  mutating func commit(_ changes: [SessionChange], _ app: [Change])
}

extension MemorySessionStore: NodeStore {
  mutating func commit(_ changes: [SessionChange], _ app: [Never]) { commit(changes) }
}

extension MemoryPhoneStore: NodeStore {}

extension WatchNode: HostedNode {
  mutating func takeChanges() -> [Never] { [] }
}

extension PhoneNode: HostedNode {
  var isWorkoutOver: Bool { false }
}
