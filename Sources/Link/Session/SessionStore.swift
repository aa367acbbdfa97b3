/// Keeps what a session must not forget.
///
/// The machine gives the changes, the host hands each transaction to the store, and a new epoch begins
/// from what the store gives back.
public protocol SessionStore {
  /// Makes the changes durable, all or none.
  mutating func commit(_ changes: [SessionChange]) throws(StoreError)
  /// Begins a new epoch and returns what is known at its start.
  mutating func beginEpoch() throws(StoreError) -> SessionRecord
  /// Reads entries of a box.
  mutating func page(_ order: PageOrder) throws(StoreError) -> StorePage
}

/// Why a store cannot do what it should: the environment's failure, not a simulated one.
public struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What went wrong.
  public enum Cause: String, Sendable, CaseIterable {
    /// No room on the disk.
    case full
    /// Another process holds the store.
    case busy
    /// Not a store, or a damaged one.
    case corrupt
    /// Written by a newer version of this program.
    case newer
    /// Not brought up to this version yet, as the next start would.
    case older
    /// Anything else that the system says.
    case system
  }

  public var cause: Cause
  /// The file, what was done, and what the system said, for people.
  public var text: String

  /// Creates an error.
  public init(_ cause: Cause, _ text: String) {
    self.cause = cause
    self.text = text
  }

  public var description: String { text }
}
