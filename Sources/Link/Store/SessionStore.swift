/// Keeps what a session must not forget.
///
/// The machine gives the changes, the host hands each transaction to the store, and a new epoch begins
/// from what the store gives back.
public protocol SessionStore: Sendable {
  /// Makes the changes durable, all or none.
  mutating func commit(_ changes: [SessionChange])
  /// Begins a new epoch and returns everything that is known at its start.
  mutating func beginEpoch() -> SessionRecord
}

/// Keeps a session's record for as long as the process lives.
public struct MemorySessionStore: SessionStore, Equatable {
  private var record: SessionRecord
  private var starts: UInt32 = 0

  /// Creates an empty store.
  public init() { record = SessionRecord() }

  public mutating func commit(_ changes: [SessionChange]) {
    for change in changes { record.apply(change) }
  }

  public mutating func beginEpoch() -> SessionRecord {
    starts += 1
    record.epoch = Epoch(starts)
    return record
  }
}
