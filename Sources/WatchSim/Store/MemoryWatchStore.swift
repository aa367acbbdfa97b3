package import Link

/// An in-memory store with the semantics of the one on disk.
package struct MemoryWatchStore: NodeStore, Sendable, Equatable {
  private var session = MemorySessionStore()
  package private(set) var record = WatchRecord()

  package init() {}

  package mutating func commit(_ changes: [SessionChange], _ app: [WatchChange]) {
    if !changes.isEmpty { session.commit(changes) }
    for change in app { record.apply(change) }
  }

  package mutating func begin() -> (session: SessionRecord, app: WatchRecord) { (session.beginEpoch(), record) }
  package mutating func page(_ order: PageOrder) -> StorePage { session.page(order) }
}
