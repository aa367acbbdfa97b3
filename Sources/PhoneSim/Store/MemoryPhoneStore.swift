package import Link

/// An in-memory store with the semantics of the one on disk.
package struct MemoryPhoneStore: NodeStore, Sendable, Equatable {
  private var session = MemorySessionStore()
  package private(set) var record = PhoneRecord()

  package init() {}

  package mutating func commit(_ changes: [SessionChange], _ app: [PhoneChange]) {
    if !changes.isEmpty { session.commit(changes) }
    for change in app { record.apply(change) }
  }

  package func orphans(among names: [String], of app: PhoneRecord) -> [String] { app.orphans(among: names) }

  package mutating func begin() -> (session: SessionRecord, app: PhoneRecord) { (session.beginEpoch(), record) }
  package mutating func page(_ order: PageOrder) -> StorePage { session.page(order) }
}
