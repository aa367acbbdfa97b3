package import Link

/// What the watch's app keeps beside its session.
package struct WatchRecord: Sendable, Equatable {
  /// The record of a watch that was never started before.
  package init() {}
}

/// One durable change of what the watch's app keeps.
package enum WatchChange: Sendable, Equatable {}

/// Keeps it for as long as the process lives.
package struct MemoryWatchStore: NodeStore, Sendable, Equatable {
  private var session = MemorySessionStore()
  private var record = WatchRecord()

  /// Creates an empty store.
  package init() {}

  package mutating func commit(_ changes: [SessionChange], _ app: [WatchChange]) { session.commit(changes) }
  package mutating func begin() -> (session: SessionRecord, app: WatchRecord) { (session.beginEpoch(), record) }
  package mutating func page(_ order: PageOrder) -> StorePage { session.page(order) }
}

extension WatchNode: HostedNode {
  package typealias Record = WatchRecord
  package mutating func takeChanges() -> [WatchChange] { [] }
}
