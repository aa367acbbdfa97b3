package import Link

/// Keeps what the watch must not forget for as long as the process lives, with the semantics of the store on disk.
package struct MemoryWatchStore: NodeStore, Sendable, Equatable {
  private var session = MemorySessionStore()
  /// What the app keeps.
  package private(set) var record = WatchRecord()

  /// Creates an empty store.
  package init() {}

  package mutating func commit(_ changes: [SessionChange], _ app: [WatchChange]) {
    if !changes.isEmpty { session.commit(changes) }
    for change in app { record.apply(change) }
  }

  package mutating func begin() -> (session: SessionRecord, app: WatchRecord) { (session.beginEpoch(), record) }
  package mutating func page(_ order: PageOrder) -> StorePage { session.page(order) }
}
