/// A node that a host can keep: it says what its app wants kept, and begins anew from what was.
public protocol HostedNode: NodeMachine {
  /// What the app keeps beside the session, as it begins with it; `Void` for an app that keeps nothing.
  associatedtype Record
  /// What the app changes durably; `Never` for an app that keeps nothing.
  associatedtype Change: Sendable
  /// Empties the list that the output's `appChange` items point into.
  mutating func takeChanges() -> [Change]
  /// Moves that list to the end of another, and keeps its memory: for a host that asks every second.
  mutating func takeChanges(into changes: inout [Change])
  /// Whether the node's workout has ended; always false for a node that has none.
  var isWorkoutOver: Bool { get }
  /// What a host looks at after every call.
  ///
  /// Mutating, so that a large machine is looked at where it is; one that is asked from another module for a property
  /// is copied first.
  mutating func look() -> NodeGlance
}

/// What a host looks at after every call of a node's machine.
public struct NodeGlance: Sendable {
  /// When the machine must be called.
  public var nextDeadline: VirtualTime?
  /// Whether the node's workout has ended.
  public var isWorkoutOver: Bool

  /// Tells both.
  @inlinable public init(nextDeadline: VirtualTime?, isWorkoutOver: Bool) {
    self.nextDeadline = nextDeadline
    self.isWorkoutOver = isWorkoutOver
  }
}

extension HostedNode {
  @inlinable public mutating func look() -> NodeGlance {
    NodeGlance(nextDeadline: nextDeadline, isWorkoutOver: isWorkoutOver)
  }

  @inlinable public mutating func takeChanges(into changes: inout [Change]) { changes += takeChanges() }
}

/// Keeps what a node must not forget: its session's record, and what its app wants kept.
public protocol NodeStore: SessionStore {
  associatedtype Record
  associatedtype Change: Sendable
  /// Makes the changes of session and app durable, all or none.
  mutating func commit(_ changes: [SessionChange], _ app: [Change]) throws(StoreError)
  /// Begins a new start of the node, and returns what is known at its beginning.
  mutating func begin() throws(StoreError) -> (session: SessionRecord, app: Record)
  /// Makes the changes durable together with what the node answers, all or none.
  ///
  /// - Parameter journal: The number of the grant, and what of its answer there is; nil for a run without a journal.
  mutating func commit(
    _ changes: [SessionChange], _ app: [Change], journal: (number: UInt64, answer: [UInt8])?
  ) throws(StoreError)
  /// What the last commit with a journal had there; nil for none.
  mutating func lastJournal() throws(StoreError) -> (number: UInt64, answer: [UInt8])?
}

extension NodeStore {
  public mutating func commit(_ changes: [SessionChange]) throws(StoreError) { try commit(changes, []) }
  public mutating func beginEpoch() throws(StoreError) -> SessionRecord { try begin().session }

  /// For stores without a journal.
  public mutating func commit(
    _ changes: [SessionChange], _ app: [Change], journal: (number: UInt64, answer: [UInt8])?
  ) throws(StoreError) {
    try commit(changes, app)
  }

  public mutating func lastJournal() throws(StoreError) -> (number: UInt64, answer: [UInt8])? { nil }
}
