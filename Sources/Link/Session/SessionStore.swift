/// The durable state of a session.
///
/// The machine produces the changes, the host passes each transaction to the store, and a new epoch starts from what
/// the store returns.
public protocol SessionStore {
  /// Makes the changes durable, all or none.
  mutating func commit(_ changes: [SessionChange]) throws(StoreError)
  /// Starts a new epoch and returns the record for it.
  mutating func beginEpoch() throws(StoreError) -> SessionRecord
  /// Reads a page of entries.
  mutating func page(_ order: PageOrder) throws(StoreError) -> StorePage
}

/// A failure of a store: of the environment, not a simulated one.
public struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What went wrong.
  public enum Cause: String, Sendable, CaseIterable {
    /// No room on the disk.
    case full
    /// Another process has the store open.
    case busy
    /// Not a store, or a damaged one.
    case corrupt
    /// Written by a newer version of this program.
    case newer
    /// Not migrated to this version yet; the next start would migrate it.
    case older
    /// Any other error of the system.
    case system
  }

  public var cause: Cause
  /// The file, the operation, and the system's message, for people.
  public var text: String

  public init(_ cause: Cause, _ text: String) {
    self.cause = cause
    self.text = text
  }

  public var description: String { text }
}
