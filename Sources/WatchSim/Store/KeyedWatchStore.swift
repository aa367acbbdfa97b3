package import Link

/// Stores a watch's record in a key-value store.
package struct KeyedWatchStore<Base: NodeStore>: NodeStore
where Base.Change == KeyedChange, Base.Record == KeyedRecord {
  package typealias Record = WatchRecord
  package typealias Change = WatchChange

  package private(set) var base: Base

  package init(_ base: Base) { self.base = base }

  package mutating func commit(_ changes: [SessionChange], _ app: [WatchChange]) throws(StoreError) {
    try base.commit(changes, app.flatMap(\.keyed))
  }

  package mutating func commit(
    _ changes: [SessionChange], _ app: [WatchChange], journal: (number: UInt64, answer: [UInt8])?
  ) throws(StoreError) {
    try base.commit(changes, app.flatMap(\.keyed), journal: journal)
  }

  package mutating func lastJournal() throws(StoreError) -> (number: UInt64, answer: [UInt8])? {
    try base.lastJournal()
  }

  package mutating func begin() throws(StoreError) -> (session: SessionRecord, app: WatchRecord) {
    let known = try base.begin()
    return (known.session, try WatchRecord(keyed: known.app))
  }

  package func fileTransfers() throws(StoreError) -> Set<Identifier>? { try base.fileTransfers() }

  package mutating func sync() throws(StoreError) { try base.sync() }

  package mutating func losePower(draw: UInt64) throws(StoreError) -> PowerLoss { try base.losePower(draw: draw) }

  package mutating func page(_ order: PageOrder) throws(StoreError) -> StorePage { try base.page(order) }
}

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

extension CrashPoint {
  /// The crash points of the watch's app.
  package static let watch: [CrashPoint] = [workoutCommitted]

  package static let workoutCommitted = Self(
    "workout.committed", "the end of a workout is durable, together with its queued event")
}
