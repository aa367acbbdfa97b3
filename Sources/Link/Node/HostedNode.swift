/// A node for a host: it names what its app stores, and starts from that.
public protocol HostedNode: NodeMachine {
  /// What the app stores beside the session, as it starts from it; `Void` for nothing.
  associatedtype Record
  /// A durable change of the app; `Never` for an app that stores nothing.
  associatedtype Change: Sendable
  /// Returns and empties the list that the `appChange` items of a turn refer to.
  mutating func takeChanges() -> [Change]
  /// Moves that list to the end of another and keeps its capacity.
  mutating func takeChanges(into changes: inout [Change])
  /// Whether the node's workout has ended; always false for a node without workouts.
  var isWorkoutOver: Bool { get }
  /// Returns what a host reads after every call.
  ///
  /// Mutating, so that a large machine is read in place; reading a property from another module would copy it first.
  mutating func readGlance() -> NodeGlance
}

/// What a host reads after every call of a node's machine.
public struct NodeGlance: Sendable {
  /// When the machine must be called; nil if not before its next input.
  public var nextDeadline: VirtualTime?
  /// Whether the node's workout has ended.
  public var isWorkoutOver: Bool

  @inlinable public init(nextDeadline: VirtualTime?, isWorkoutOver: Bool) {
    self.nextDeadline = nextDeadline
    self.isWorkoutOver = isWorkoutOver
  }
}

extension HostedNode {
  @inlinable public mutating func readGlance() -> NodeGlance {
    NodeGlance(nextDeadline: nextDeadline, isWorkoutOver: isWorkoutOver)
  }

  @inlinable public mutating func takeChanges(into changes: inout [Change]) { changes += takeChanges() }
}

/// The durable state of a node: its session's record, and its app's.
public protocol NodeStore: SessionStore {
  associatedtype Record
  associatedtype Change: Sendable
  /// Makes the changes of session and app durable, all or none.
  mutating func commit(_ changes: [SessionChange], _ app: [Change]) throws(StoreError)
  /// Starts the node's next epoch, and returns what it starts with.
  mutating func begin() throws(StoreError) -> (session: SessionRecord, app: Record)
  /// Makes the changes durable together with the node's answer, all or none.
  ///
  /// - Parameters:
  ///   - changes: The changes of the session.
  ///   - app: The changes of the app.
  ///   - journal: The number of the grant, and the answer so far; nil for a run without a journal.
  mutating func commit(
    _ changes: [SessionChange], _ app: [Change], journal: (number: UInt64, answer: [UInt8])?
  ) throws(StoreError)
  /// The journal of the last commit, if any.
  mutating func lastJournal() throws(StoreError) -> (number: UInt64, answer: [UInt8])?
  /// The transfers whose files are still needed; nil if the store does not list them.
  func fileTransfers() throws(StoreError) -> Set<Identifier>?
  /// Those of the names in the app's folder that nothing of the app refers to: a crash left them.
  func orphans(among names: [String], of app: Record) -> [String]
  /// Makes every commit so far survive a loss of power.
  mutating func sync() throws(StoreError)
  /// Loses what a loss of power takes from the store, while its node is down.
  ///
  /// - Parameter draw: 64 random bits that decide how much of what is not synced.
  mutating func losePower(draw: UInt64) throws(StoreError) -> PowerLoss
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

  public func fileTransfers() throws(StoreError) -> Set<Identifier>? { nil }
  /// For apps that never keep a file.
  public func orphans(among names: [String], of app: Record) -> [String] { [] }

  /// For stores whose commits are always synced.
  public mutating func sync() throws(StoreError) {}
  public mutating func losePower(draw: UInt64) throws(StoreError) -> PowerLoss { .none }
}
