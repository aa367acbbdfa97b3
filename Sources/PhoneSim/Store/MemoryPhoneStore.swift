package import Link

/// An in-memory store with the semantics of the one on disk.
///
/// It refuses a change that violates a constraint of the tables. After that nothing is committed or read any more.
package struct MemoryPhoneStore: NodeStore, Sendable, Equatable {
  private var session = MemorySessionStore()
  package private(set) var record = PhoneRecord()
  private var constraints = PhoneConstraints()
  /// The refusal after which nothing is committed any more; nil if there was none.
  private var failure: StoreError?

  package init() {}

  package mutating func commit(_ changes: [SessionChange], _ app: [PhoneChange]) throws(StoreError) {
    if let failure { throw failure }
    if !changes.isEmpty { session.commit(changes) }
    for change in app {
      do throws(StoreError) { try constraints.check(change, of: record) } catch {
        failure = error
        throw error
      }
      record.apply(change)
    }
  }

  package mutating func begin() throws(StoreError) -> (session: SessionRecord, app: PhoneRecord) {
    if let failure { throw failure }
    return (session.beginEpoch(), record)
  }

  package func orphans(among names: [String], of app: PhoneRecord) -> [String] { app.orphans(among: names) }

  package mutating func page(_ order: PageOrder) -> StorePage { session.page(order) }
}
