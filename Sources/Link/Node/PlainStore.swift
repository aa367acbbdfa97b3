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
