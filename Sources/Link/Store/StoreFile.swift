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

extension StoreFile {
  // MARK: Folder and file

  /// Creates folder and file if missing, with permissions for the user only.
  static func make(folder: String, path: String) throws(StoreError) {
    try FileSystem.makeFolder(folder)
    if try FileSystem.kind(of: path) != .nothing { return try checkKind(of: path) }
    guard try FileSystem.kind(of: path + "-wal") == .nothing else {
      throw StoreError(.corrupt, "\(path): is missing, while its log \(path)-wal is there")
    }
    _ = try OpenFile(path, for: .making)
  }

  /// Checks that a path leads to a file.
  static func checkKind(of path: String) throws(StoreError) {
    switch try FileSystem.kind(of: path) {
    case .file: return
    case .nothing: throw StoreError(.system, "\(path): no such store")
    case .folder: throw StoreError(.corrupt, "\(path): is a folder, expected a store")
    case .other: throw StoreError(.corrupt, "\(path): is not a regular file, expected a store")
    }
  }

  // MARK: Head

  /// Checks that a file is a complete store before it is locked, recovered or changed.
  ///
  /// - Returns: Whether it is empty: just created, possibly by a process that was killed at once.
  static func checkHead(of database: Database) throws(StoreError) -> Bool {
    let head = try database.head(byteCount: 100)
    let bytes = try FileSystem.byteCount(of: database.path)
    if head.allSatisfy({ $0 == 0 }) {
      guard bytes <= unusedBytesMax else {
        throw StoreError(.corrupt, "\(database.path): holds \(bytes) bytes that begin with zeros, expected a store")
      }
      return true
    }
    guard head.starts(with: Array("SQLite format 3\0".utf8)) else {
      throw StoreError(.corrupt, "\(database.path): is not a store: it does not begin like an SQLite database")
    }
    let found = head[68..<72].reduce(0) { $0 << 8 | UInt32($1) }
    guard found == UInt32(bitPattern: applicationID) else {
      throw StoreError(
        .corrupt,
        "\(database.path): is another program's database: application id \(found), expected \(applicationID)")
    }
    let pageBytes = head[16..<18].reduce(0) { $0 << 8 | UInt64($1) }
    let expected = (pageBytes == 1 ? 65_536 : pageBytes) * head[28..<32].reduce(0) { $0 << 8 | UInt64($1) }
    let log = database.path + "-wal"
    let hasLog = try FileSystem.kind(of: log) != .nothing
    // With a log, some pages may be in the log only.
    guard hasLog || bytes >= expected else {
      throw StoreError(.corrupt, "\(database.path): holds \(bytes) bytes, expected \(expected): its end is missing")
    }
    let most = try expected + unusedBytesMax + (hasLog ? FileSystem.byteCount(of: log) : 0)
    guard bytes <= most else {
      throw StoreError(.corrupt, "\(database.path): holds \(bytes) bytes, expected \(expected), and at most \(most)")
    }
    return false
  }

  /// How many bytes a file may have beyond its pages, as a copy of it takes time and space for them.
  private static let unusedBytesMax: UInt64 = 64 << 20

  /// Checks that a store has tables and indices only, before its rows are read or written.
  ///
  /// A view in the place of a table can go on for ever, and a trigger runs statements of its author. No store that this
  /// package made has either.
  static func checkKinds(in database: Database) throws(StoreError) {
    let foreign = Statement(
      database, "SELECT type, name FROM sqlite_schema WHERE type NOT IN ('table', 'index') ORDER BY name LIMIT 1")
    guard try foreign.step() else { return }
    throw StoreError(
      .corrupt, "\(database.path): has the \(foreign.text(0)) \(foreign.text(1)), expected tables and indices only")
  }

  /// Sets the options of a connection, before its first access to the file.
  static func configure(_ database: Database, _ durability: Durability) throws(StoreError) {
    // No other process reads the store, so its log needs no shared memory and its transactions no locks.
    try database.execute("PRAGMA locking_mode=EXCLUSIVE; PRAGMA trusted_schema=OFF; PRAGMA foreign_keys=ON")
    try database.execute("PRAGMA synchronous=\(durability == .full ? "FULL" : "NORMAL")")
  }

  // MARK: Versions

  /// The components of a store and their versions, by name; empty for an empty store.
  package static func versions(of database: Database) throws(StoreError) -> [(name: String, version: Int)] {
    guard try database.number("SELECT 1 FROM sqlite_schema WHERE name='SchemaVersion' AND type='table'") != nil else {
      guard try database.number("SELECT 1 FROM sqlite_schema") == nil else {
        throw StoreError(.corrupt, "\(database.path): has no table SchemaVersion")
      }
      return []
    }
    let statement = Statement(database, "SELECT component, version FROM SchemaVersion ORDER BY component")
    var found: [(name: String, version: Int)] = []
    while try statement.step() { found.append((statement.text(0), Int(statement.int64(1)))) }
    return found
  }

  /// Migrates every component to this program's version, with a transaction for each step.
  static func migrate(_ database: Database, _ components: [Component]) throws(StoreError) {
    let found = try versions(of: database)
    // Checks all before changing any.
    var steps: [(Component, ArraySlice<Migration>)] = []
    for component in components {
      let version = found.first { $0.name == component.name }?.version ?? 0
      guard version <= component.version else { throw newer(database.path, component, found: version) }
      guard version >= 0 else {
        throw StoreError(.corrupt, "\(database.path): \(component.name) has version \(version)")
      }
      if version < component.version { steps.append((component, component.steps(from: version))) }
    }
    guard !steps.isEmpty else { return }
    if found.isEmpty {
      try database.execute(
        "CREATE TABLE IF NOT EXISTS SchemaVersion (component TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT")
    }
    let mark = Statement(database, "INSERT OR REPLACE INTO SchemaVersion (component, version) VALUES (?1, ?2)")
    for (component, migrations) in steps {
      for migration in migrations {
        try database.transaction { () throws(StoreError) in
          try migration.run(on: database)
          mark.bind(component.name, at: 1)
          mark.bind(Int64(migration.version), at: 2)
          try mark.run()
        }
      }
    }
  }

  /// The error for a component of a newer program.
  static func newer(_ path: String, _ component: Component, found: Int) -> StoreError {
    StoreError(
      .newer,
      "\(path): \(component.name) has version \(found), but this program knows versions up to "
        + "\(component.version)")
  }

  // MARK: Integrity

  /// Checks at every start: a small file completely, a large one only in its small tables.
  static func check(_ database: Database, _ components: [Component]) throws(StoreError) {
    let bytes = try (database.number("PRAGMA page_count") ?? 0) * (database.number("PRAGMA page_size") ?? 0)
    if bytes <= fullCheckBytesMax {
      try quickCheck(database, "PRAGMA quick_check(1)")
    } else {
      for table in components.flatMap(\.smallTables) { try quickCheck(database, "PRAGMA quick_check('\(table)')") }
    }
  }

  private static func quickCheck(_ database: Database, _ pragma: String) throws(StoreError) {
    let answer = try database.text(pragma) ?? "no answer"
    guard answer == "ok" else { throw StoreError(.corrupt, "\(database.path): \(answer)") }
  }

  /// Checks the whole store: every page, index and reference.
  ///
  /// - Returns: SQLite's messages, at most 100; empty if there are no problems.
  package static func findings(in database: Database) throws(StoreError) -> [String] {
    var findings: [String] = []
    let integrity = Statement(database, "PRAGMA integrity_check(100)")
    do throws(StoreError) {
      while try integrity.step() { findings.append(integrity.text(0)) }
    } catch {
      // Some damage ends the check itself.
      guard error.cause == .corrupt else { throw error }
      return findings + [error.text]
    }
    if findings == ["ok"] { findings = [] }
    let references = Statement(database, "PRAGMA foreign_key_check")
    while findings.count < 100, try references.step() {
      findings.append("row \(references.int64(1)) of \(references.text(0)) refers to no row of \(references.text(2))")
    }
    return findings
  }
}

extension StoreFile {
  /// Checks that a folder has a store, which ``open(folder:_:durability:busyMilliseconds:)`` would create.
  ///
  /// - Throws: `.system` if there is none, `.corrupt` for something else of its name.
  package static func requireStore(in folder: String) throws(StoreError) { try checkKind(of: "\(folder)/\(name)") }

  /// Copies an open store into a file; an existing one is kept.
  ///
  /// The copy has no log, appears whole or not at all, and is on the disk when this returns. It can take the store's place.
  ///
  /// - Returns: Whether it was made; false if there was one.
  package static func backUp(_ database: Database, to path: String) throws(StoreError) -> Bool {
    guard try FileSystem.kind(of: path) == .nothing else { return false }
    let temporary = path + ".new"
    try FileSystem.remove(temporary)
    // Empty, with permissions for the user only.
    guard let file = try OpenFile(temporary, for: .making) else {
      throw StoreError(.system, "\(temporary): found a file, expected none")
    }
    let copy = Statement(database, "VACUUM INTO ?1")
    copy.bind(temporary, at: 1)
    try copy.run()
    try file.sync()
    _ = try FileSystem.rename(temporary, to: path)
    if let end = path.lastIndex(of: "/") { try FileSystem.sync(folder: String(path[..<end])) }
    return true
  }
}
