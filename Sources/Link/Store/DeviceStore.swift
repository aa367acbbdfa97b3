package import Link

/// What one device keeps on disk: the link's tables, and its app's, changed in the same transactions.
///
/// After an error nothing more is committed: whoever wants to go on begins again.
package struct DeviceStore<App: AppTables>: NodeStore {
  package typealias Record = App.Record
  package typealias Change = App.Change

  private let database: Database
  private let durability: StoreFile.Durability
  private var link: LinkTables
  private var app: App
  /// The error after which nothing is committed any more; nil while there was none.
  private var failure: StoreError?

  /// Opens the store in a device's folder; both are made where they are missing.
  ///
  /// - Throws: As ``StoreFile/open(folder:_:durability:busyMilliseconds:)``.
  package init(
    folder: String, durability: StoreFile.Durability = .normal, busyMilliseconds: Int32 = 1_000
  ) throws(StoreError) {
    try self.init(
      StoreFile.open(
        folder: folder, Self.components, durability: durability, busyMilliseconds: busyMilliseconds),
      durability: durability)
  }

  /// Uses a store that is open already, with the components of ``components``.
  init(_ database: Database, durability: StoreFile.Durability = .normal) throws(StoreError) {
    self.database = database
    self.durability = durability
    link = LinkTables(database)
    app = try App(database)
  }

  /// The parts of the store, to open it by.
  package static var components: [Component] { [LinkTables.component, App.component] }

  /// Makes the changes of session and app durable, all or none; nothing is written where there are none.
  package mutating func commit(_ changes: [SessionChange], _ app: [App.Change]) throws(StoreError) {
    try commit(changes, app, journal: nil)
  }

  /// The same, together with what the node answered: what its driver reads after a crash to know how far it came.
  ///
  /// - Parameter journal: A number of the driver's, and the answer; nil to leave the journal as it is.
  package mutating func commit(
    _ changes: [SessionChange], _ app: [App.Change], journal: (number: UInt64, answer: [UInt8])?
  ) throws(StoreError) {
    if let failure { throw failure }
    if changes.isEmpty, app.isEmpty, journal == nil { return }
    do throws(StoreError) {
      if app.isEmpty, journal == nil, changes.count == 1, link.isOneStatement(changes[0]) {
        return try link.apply(changes)
      }
      try database.transaction { () throws(StoreError) in
        if !changes.isEmpty { try link.apply(changes) }
        if !app.isEmpty {
          for change in app { try self.app.apply(change) }
          try self.app.finish()
        }
        if let journal { try link.write(journal: journal.number, journal.answer) }
      }
    } catch {
      failure = error
      throw error
    }
  }

  /// Begins a new start of the node, and returns what is known at its beginning.
  package mutating func begin() throws(StoreError) -> (session: SessionRecord, app: App.Record) {
    failure = nil
    do throws(StoreError) {
      return try StoreFile.first(of: database, durability) { () throws(StoreError) in
        (try link.beginEpoch(), try app.load())
      }
    } catch {
      failure = error
      throw error
    }
  }

  package func page(_ order: PageOrder) throws(StoreError) -> StorePage { try link.page(order) }

  /// The transfers whose files are still needed: all others in the device's folders are left over from a crash.
  package func fileTransfers() throws(StoreError) -> Set<Identifier> { try link.fileTransfers() }

  /// The journal's last number and answer; nil before the first.
  package func lastJournal() throws(StoreError) -> (number: UInt64, answer: [UInt8])? { try link.journal() }
}

/// Reads what a device keeps, also what a killed process left behind, and changes nothing of it.
package struct DeviceReader<App: AppTables> {
  private let database: Database
  private var link: LinkTables
  private var app: App

  /// Opens the store in a device's folder.
  ///
  /// - Throws: As ``StoreFile/openReadOnly(folder:_:busyMilliseconds:)``.
  package init(folder: String, busyMilliseconds: Int32 = 1_000) throws(StoreError) {
    database = try StoreFile.openReadOnly(
      folder: folder, DeviceStore<App>.components, busyMilliseconds: busyMilliseconds)
    link = LinkTables(database)
    app = try App(database)
  }

  /// What is known since the last start, whose epoch it has; of each box a page at most.
  package mutating func record() throws(StoreError) -> (session: SessionRecord, app: App.Record) {
    (try link.readRecord(), try app.load())
  }

  /// Reads entries of a box.
  package func page(_ order: PageOrder) throws(StoreError) -> StorePage { try link.page(order) }

  /// Checks the whole store; see ``StoreFile/findings(in:)``.
  package func findings() throws(StoreError) -> [String] { try StoreFile.findings(in: database) }
}
