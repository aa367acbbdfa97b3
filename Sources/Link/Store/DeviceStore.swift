package import Link

/// The database of one device: the link's tables and its app's, changed in the same transactions.
///
/// After an error nothing more is committed; to continue, begin again.
package struct DeviceStore<App: AppTables>: NodeStore {
  package typealias Record = App.Record
  package typealias Change = App.Change

  let database: Database
  private let durability: StoreFile.Durability
  private var link: LinkTables
  private var app: App
  /// The error after which nothing is committed any more; nil if there was none.
  private var failure: StoreError?
  /// The commits that a simulated loss of power may take; nil for a store that loses none.
  private var unsynced: UnsyncedCommits?
  /// Whether commits join one open transaction.
  private var isJoining = false

  /// Opens the store in a device's folder; creates both if missing.
  ///
  /// - Parameter losesCommits: Whether a ``PowerCut`` takes unsynced commits. The log is then written into the file only
  ///   when the store is synced.
  /// - Throws: As ``StoreFile/open(folder:_:durability:busyMilliseconds:)``.
  package init(
    folder: String, durability: StoreFile.Durability = .normal, losesCommits: Bool = false,
    busyMilliseconds: Int32 = 1_000
  ) throws(StoreError) {
    let database = try StoreFile.open(
      folder: folder, Self.components, durability: durability, busyMilliseconds: busyMilliseconds)
    try StoreFile.checkKinds(in: database)
    try self.init(database, durability: durability)
    if losesCommits {
      try database.execute("PRAGMA wal_autocheckpoint=0")
      unsynced = try UnsyncedCommits(folder: folder)
    }
  }

  /// Uses an open database with the components of ``components``.
  init(_ database: Database, durability: StoreFile.Durability = .normal) throws(StoreError) {
    self.database = database
    self.durability = durability
    link = LinkTables(database)
    app = try App(database)
  }

  /// The components of the store.
  package static var components: [Component] { [LinkTables.component, App.component] }

  /// Makes the changes of session and app durable, all or none; writes nothing if there are none.
  package mutating func commit(_ changes: [SessionChange], _ app: [App.Change]) throws(StoreError) {
    try commit(changes, app, journal: nil)
  }

  /// The same, together with the node's answer, from which its driver learns after a crash how far it came.
  ///
  /// - Parameter journal: The driver's number, and the answer; nil to leave the journal unchanged.
  package mutating func commit(
    _ changes: [SessionChange], _ app: [App.Change], journal: (number: UInt64, answer: [UInt8])?
  ) throws(StoreError) {
    if let failure { throw failure }
    do throws(StoreError) {
      try write(changes, app, journal: journal)
      if unsynced != nil { try countCommit() }
    } catch {
      failure = error
      throw error
    }
  }

  /// Joins the following commits into one transaction, until ``endJoinedCommits()``; a crash before loses them all.
  package mutating func beginJoinedCommits() throws(StoreError) {
    precondition(!isJoining, "commits are already joined")
    if let failure { throw failure }
    try database.beginTransaction()
    isJoining = true
  }

  /// Makes the joined commits durable.
  package mutating func endJoinedCommits() throws(StoreError) {
    if let failure { throw failure }
    isJoining = false
    do throws(StoreError) { try database.endTransaction() } catch {
      failure = error
      throw error
    }
  }

  private mutating func write(
    _ changes: [SessionChange], _ app: [App.Change], journal: (number: UInt64, answer: [UInt8])?
  ) throws(StoreError) {
    if changes.isEmpty, app.isEmpty, journal == nil { return }
    if app.isEmpty, journal == nil, changes.count == 1, link.isOneStatement(changes[0]) {
      return try link.apply(changes)
    }
    if isJoining { return try apply(changes, app, journal) }
    try database.transaction { () throws(StoreError) in try apply(changes, app, journal) }
  }

  private mutating func apply(
    _ changes: [SessionChange], _ app: [App.Change], _ journal: (number: UInt64, answer: [UInt8])?
  ) throws(StoreError) {
    if !changes.isEmpty { try link.apply(changes) }
    if !app.isEmpty {
      for change in app { try self.app.apply(change) }
      try self.app.finish()
    }
    if let journal { try link.write(journal: journal.number, journal.answer) }
  }

  /// Lists a commit as unsynced, also one that wrote nothing, so that commits have the same numbers in memory.
  private mutating func countCommit() throws(StoreError) {
    let log = database.path + "-wal"
    let bytes = try FileSystem.kind(of: log) == .file ? try FileSystem.byteCount(of: log) : 0
    try unsynced?.append(logBytes: bytes)
    if let count = unsynced?.count, count >= PowerLoss.unsyncedMax { try sync() }
  }

  package mutating func sync() throws(StoreError) {
    guard unsynced != nil else { return }
    guard try database.number("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
      throw StoreError(.busy, "\(database.path): its log is in use and cannot be written into it")
    }
    try unsynced?.removeAll()
  }

  /// Starts the node's next epoch, and returns what it starts with.
  package mutating func begin() throws(StoreError) -> (session: SessionRecord, app: App.Record) {
    precondition(!isJoining, "a start needs its own transaction")
    failure = nil
    do throws(StoreError) {
      let record = try StoreFile.first(of: database, durability) { () throws(StoreError) in
        (try link.beginEpoch(), try app.load())
      }
      try sync()
      return record
    } catch {
      failure = error
      throw error
    }
  }

  /// Reads the app's state without starting an epoch.
  package mutating func load() throws(StoreError) -> App.Record {
    if let failure { throw failure }
    return try app.load()
  }

  package func page(_ order: PageOrder) throws(StoreError) -> StorePage { try link.page(order) }

  /// The transfers whose files are still needed: all others in the device's folders are left over from a crash.
  package func fileTransfers() throws(StoreError) -> Set<Identifier>? { try link.fileTransfers() }

  package func orphans(among names: [String], of app: App.Record) -> [String] { App.orphans(among: names, of: app) }

  /// The journal's last number and answer; nil before the first.
  package func lastJournal() throws(StoreError) -> (number: UInt64, answer: [UInt8])? { try link.journal() }
}

/// Reads a device's store without changing it, also one left by a killed process.
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
    try StoreFile.checkKinds(in: database)
    link = LinkTables(database)
    app = try App(database)
  }

  /// The state since the last start, with that start's epoch; at most a page of each box.
  package mutating func record() throws(StoreError) -> (session: SessionRecord, app: App.Record) {
    (try link.readRecord(), try app.load())
  }

  /// Reads entries of a box.
  package func page(_ order: PageOrder) throws(StoreError) -> StorePage { try link.page(order) }

  /// Checks the whole store; see ``StoreFile/findings(in:)``.
  package func findings() throws(StoreError) -> [String] { try StoreFile.findings(in: database) }
}
