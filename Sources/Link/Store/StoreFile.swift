package import Link

/// The file of a device's store: creating, recognizing, checking and migrating it.
package enum StoreFile {
  /// The file's name in the device's folder.
  package static let name = "store.sqlite"
  /// The application id in the file's header: "wrwi".
  package static let applicationID: Int32 = 0x7772_7769
  /// A file up to this size is checked completely when it is opened, in bytes.
  package static let fullCheckBytesMax: Int64 = 1 << 20

  /// What a commit survives.
  package enum Durability: Sendable, CaseIterable {
    /// The end of the process, however sudden.
    case normal
    /// Also the end of the computer: each commit waits for the disk.
    case full
  }

  /// Opens a device's store for reading and writing, and migrates its tables; creates folder and file if missing.
  ///
  /// The file stays locked for as long as the connection lives.
  ///
  /// - Throws: `.corrupt` for a damaged or foreign file, `.newer` for one of a newer version; in both cases nothing is
  ///   changed. `.busy` if another process has it open.
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
      // One page, before the log exists: from here on the file is recognized.
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

  /// Executes a start's first transaction.
  ///
  /// The first page of a new log makes SQLite wait for the disk once, so that no older log can be mixed with it. An
  /// empty log cannot be, and the end of the process alone loses nothing.
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

  /// Opens a device's store for reading, without creating, changing or removing any file, also one left by a killed
  /// process.
  ///
  /// - Throws: As ``open(folder:_:durability:busyMilliseconds:)``, `.system` if there is no store, and `.older` for one
  ///   that the next start would first migrate.
  package static func openReadOnly(
    folder: String, _ components: [Component], busyMilliseconds: Int32 = 1_000
  ) throws(StoreError) -> Database {
    let path = "\(folder)/\(name)"
    try checkKind(of: path)
    // Without a log no process has it open, and the file has everything.
    let hasLog = try FileSystem.kind(of: path + "-wal") != .nothing
    let database = try Database(path: path, hasLog ? .existing : .frozen, busyMilliseconds: busyMilliseconds)
    guard try !checkHead(of: database) else {
      throw StoreError(.older, "\(path): is empty: its creation was interrupted")
    }
    try database.keepUnchanged()
    if hasLog { try database.execute("PRAGMA locking_mode=EXCLUSIVE") }
    let found = try versions(of: database)
    for component in components {
      let version = found.first { $0.name == component.name }?.version ?? 0
      guard version <= component.version else { throw newer(path, component, found: version) }
      guard version == component.version else {
        throw StoreError(
          .older, "\(path): \(component.name) has version \(version), and can be read from \(component.version) on")
      }
    }
    return database
  }
}
