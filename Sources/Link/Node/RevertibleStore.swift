/// A store in memory that can lose its latest commits, as one of durability `normal` on disk does when power fails.
///
/// It keeps the state of the last sync and the commits since. It is synced at each start, before files are discarded,
/// and after ``PowerLoss/unsyncedMax`` commits.
public struct RevertibleStore<Base: NodeStore>: NodeStore {
  private var base: Base
  /// The state of the last sync, and the commits since then; nil for a store that is always synced.
  private var history: (synced: Base, commits: [(session: [SessionChange], app: [Base.Change])])?

  /// Wraps a store that is a value: a copy of it never changes.
  ///
  /// - Parameters:
  ///   - base: The store to wrap.
  ///   - losesCommits: Whether a loss of power loses unsynced commits.
  public init(_ base: Base, losesCommits: Bool) {
    self.base = base
    if losesCommits { history = (base, []) }
  }

  public mutating func commit(_ changes: [SessionChange], _ app: [Base.Change]) throws(StoreError) {
    try base.commit(changes, app)
    history?.commits.append((changes, app))
    if let count = history?.commits.count, count >= PowerLoss.unsyncedMax { sync() }
  }

  public mutating func begin() throws(StoreError) -> (session: SessionRecord, app: Base.Record) {
    let record = try base.begin()
    sync()
    return record
  }

  public mutating func page(_ order: PageOrder) throws(StoreError) -> StorePage { try base.page(order) }

  public mutating func sync() {
    if history != nil { history = (base, []) }
  }

  public mutating func losePower(draw: UInt64) throws(StoreError) -> PowerLoss {
    guard let history else { return .none }
    let loss = PowerLoss(unsynced: history.commits.count, draw: draw)
    base = history.synced
    for commit in history.commits.dropLast(loss.lost) { try base.commit(commit.session, commit.app) }
    sync()
    return loss
  }
}
