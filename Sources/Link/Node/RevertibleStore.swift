/// A store in memory that can lose its latest commits, as one of durability `normal` on disk does when power fails.
///
/// It keeps the state of the last sync and the commits since. It is synced at each start, before files are discarded,
/// and after ``PowerLoss/unsyncedMax`` commits.
public struct RevertibleStore<Base: NodeStore>: NodeStore {
  private var base: Base
  /// The state of the last sync.
  private var synced: Base
  /// The commits since then.
  private var unsynced: [(session: [SessionChange], app: [Base.Change])] = []

  /// Wraps a store that is a value: a copy of it never changes.
  public init(_ base: Base) {
    self.base = base
    synced = base
  }

  public mutating func commit(_ changes: [SessionChange], _ app: [Base.Change]) throws(StoreError) {
    try base.commit(changes, app)
    unsynced.append((changes, app))
    if unsynced.count >= PowerLoss.unsyncedMax { sync() }
  }

  public mutating func begin() throws(StoreError) -> (session: SessionRecord, app: Base.Record) {
    let record = try base.begin()
    sync()
    return record
  }

  public mutating func page(_ order: PageOrder) throws(StoreError) -> StorePage { try base.page(order) }

  public func fileTransfers() throws(StoreError) -> Set<Identifier>? { try base.fileTransfers() }
  public func orphans(among names: [String], of app: Base.Record) -> [String] { base.orphans(among: names, of: app) }

  public mutating func sync() {
    synced = base
    unsynced = []
  }

  public mutating func losePower(draw: UInt64) throws(StoreError) -> PowerLoss {
    let loss = PowerLoss(unsynced: unsynced.count, draw: draw)
    base = synced
    for commit in unsynced.dropLast(loss.lost) { try base.commit(commit.session, commit.app) }
    sync()
    return loss
  }
}

/// What a loss of power did to a device's store.
public struct PowerLoss: Sendable, Equatable {
  /// The number of commits since the store was last synced.
  public let unsynced: Int
  /// How many of them are lost: always the latest ones, 0...unsynced.
  public let lost: Int

  /// Nothing was unsynced.
  public static let none = PowerLoss(unsynced: 0, draw: 0)

  /// Draws how many of the latest commits are lost.
  ///
  /// - Parameters:
  ///   - unsynced: The number of unsynced commits.
  ///   - draw: 64 random bits; every loss from 0 to `unsynced` is equally likely.
  public init(unsynced: Int, draw: UInt64) {
    self.unsynced = unsynced
    lost = Int(draw.multipliedFullWidth(by: UInt64(unsynced) + 1).high)
  }

  /// A store of durability `normal` is synced at the latest after this many commits.
  public static let unsyncedMax = 64
}

/// The store of a node whose app stores nothing: its session's only.
public struct PlainStore<Session: SessionStore>: NodeStore {
  private var session: Session

  /// Wraps a session's store.
  public init(_ session: Session) { self.session = session }

  public mutating func commit(_ changes: [SessionChange], _ app: [Never]) throws(StoreError) {
    try session.commit(changes)
  }

  public mutating func begin() throws(StoreError) -> (session: SessionRecord, app: Void) {
    (try session.beginEpoch(), ())
  }

  public mutating func page(_ order: PageOrder) throws(StoreError) -> StorePage { try session.page(order) }
}

/// The file box of a node without files.
public struct NoFiles: FileBox {
  public init() {}

  public mutating func carryOut(_ order: FileOrder) throws(StoreError) {
    throw StoreError(.system, "the node has no files: \(order)")
  }

  public mutating func read(_ transfer: Identifier, offset: UInt64, count: Int) throws(StoreError) -> [UInt8] {
    throw StoreError(.system, "the node has no files")
  }
}
