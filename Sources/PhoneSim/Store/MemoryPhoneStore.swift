package import Link

/// Keeps what the phone must not forget for as long as the process lives, with the semantics of the store on disk.
package struct MemoryPhoneStore: NodeStore, Sendable, Equatable {
  private var session = MemorySessionStore()
  /// What the app keeps.
  package private(set) var record = PhoneRecord()

  /// Creates an empty store.
  package init() {}

  package mutating func commit(_ changes: [SessionChange], _ app: [PhoneChange]) {
    if !changes.isEmpty { session.commit(changes) }
    for change in app { record.apply(change) }
  }

  package mutating func begin() -> (session: SessionRecord, app: PhoneRecord) { (session.beginEpoch(), record) }
  package mutating func page(_ order: PageOrder) -> StorePage { session.page(order) }
}
