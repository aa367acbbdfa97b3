package import Link

/// The one file of a device's store: how it is made, known again, checked and brought up to date.
package enum StoreFile {
  /// The file's name in the device's folder.
  package static let name = "store.sqlite"
  /// What tells our files from those of others: "wrwi" in the file's header.
  package static let applicationID: Int32 = 0x7772_7769
  /// Up to this size the whole file is checked when it is opened, in bytes.
  package static let fullCheckBytesMax: Int64 = 1 << 20

  /// What a commit outlives.
  package enum Durability: Sendable, CaseIterable {
    /// The end of the process, however sudden.
    case normal
    /// The end of the computer, too: each commit waits for the disk.
    case full
  }

  /// Opens a device's store for reading and writing, and brings its tables up to date; folder and file are made where
  /// they are missing.
  ///
  /// The file stays locked for as long as the connection lives.
  ///
  /// - Throws: `.corrupt` for a file that is damaged or not ours, `.newer` for one of a newer version: in both cases
  ///   nothing of it is changed. `.busy` where another process has it open.
  package static func open(
    folder: String, _ components: [Component], durability: Durability = .normal, busyMilliseconds: Int32 = 1_000
  ) throws(StoreError) -> Database {
    let path = "\(folder)/\(name)"
    try make(folder: folder, path: path)
    let database = try Database(path: path, .existing, busyMilliseconds: busyMilliseconds)
    guard !database.isReadOnly else { throw StoreError(.system, "\(path): it cannot be written") }
    let isNew = try checkHead(of: database)
    try configure(database, durability)
    if isNew {
      // One page, before the log exists: from here on the file is known as ours.
      try database.execute("PRAGMA journal_mode=MEMORY; PRAGMA application_id=\(applicationID)")
    }
    let mode = try database.text("PRAGMA journal_mode=WAL")
    guard mode == "wal" else {
      throw StoreError(.system, "\(path): its journal mode is \(mode ?? "unknown"), expected wal")
    }
    try migrate(database, components)
    try check(database, components)
    return database
  }

  /// Carries out a start's first transaction.
  ///
  /// The first page of a new log makes SQLite wait for the disk once, so that no older log can be mixed with it. There is
  /// none where the log is empty, and the end of the process alone loses nothing of it.
  static func first<Result>(
    of database: Database, _ durability: Durability, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let log = database.path + "-wal"
    var isNew = try FileSystem.kind(of: log) == .nothing
    if !isNew { isNew = try FileSystem.byteCount(of: log) == 0 }
    guard isNew, durability == .normal else { return try database.transaction(body) }
    try database.execute("PRAGMA synchronous=OFF")
    do throws(StoreError) {
      let result = try database.transaction(body)
      try database.execute("PRAGMA synchronous=NORMAL")
      return result
    } catch {
      try database.execute("PRAGMA synchronous=NORMAL")
      throw error
    }
  }

  /// Opens a device's store for reading, without making, changing or removing any file: also one that a killed process
  /// left behind.
  ///
  /// - Throws: As ``open(folder:_:durability:busyMilliseconds:)``, and `.system` where there is no store,
  ///   and `.older` for one that the next start would first bring up to date.
  package static func openReadOnly(
    folder: String, _ components: [Component], busyMilliseconds: Int32 = 1_000
  ) throws(StoreError) -> Database {
    let path = "\(folder)/\(name)"
    try checkKind(of: path)
    // Without a log beside it nobody has it open, and what the file holds is all there is.
    let hasLog = try FileSystem.kind(of: path + "-wal") != .nothing
    let database = try Database(path: path, hasLog ? .existing : .frozen, busyMilliseconds: busyMilliseconds)
    guard try !checkHead(of: database) else {
      throw StoreError(.older, "\(path): is empty: its making was interrupted")
    }
    try database.keepUnchanged()
    if hasLog { try database.execute("PRAGMA locking_mode=EXCLUSIVE") }
    let found = try versions(of: database)
    for component in components {
      let version = found.first { $0.name == component.name }?.version ?? 0
      guard version <= component.version else { throw newer(path, component, found: version) }
      guard version == component.version else {
        throw StoreError(
          .older, "\(path): \(component.name) is of version \(version), and is read from \(component.version) on")
      }
    }
    return database
  }
}
