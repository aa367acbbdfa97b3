import Foundation
import Link
import LinkTransport
import Testing

@testable import LinkStore

@Suite struct StoreFileTests {
  private static let components = DeviceStore<FamilyTables>.components

  /// The names and bytes of everything in a folder.
  private func contents(_ folder: String) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileSystem.names(in: folder) {
      contents[name] = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
    }
    return contents
  }

  private func path(_ folder: String) -> String { "\(folder)/\(StoreFile.name)" }

  /// Makes a store that holds something, and closes it.
  private func fill(_ folder: String, count: UInt64 = 20) throws {
    var store = try DeviceStore<FamilyTables>(folder: folder)
    _ = try store.begin()
    for number in 1...count { try store.commit([.enqueued(.numbered(number))], [.add(id: Int64(number), name: "x")]) }
  }

  /// Copies a store as a killed process leaves it, log included.
  private func copy(_ folder: String, to other: String) throws {
    try FileManager.default.copyItem(atPath: folder, toPath: other)
  }

  private func error(_ body: () throws -> Void) -> StoreError? {
    do { try body() } catch { return error as? StoreError }
    return nil
  }

  private func open(_ folder: String) throws { _ = try DeviceStore<FamilyTables>(folder: folder, busyMilliseconds: 0) }

  // MARK: What is there

  @Test func `folder and file are readable by their owner alone`() throws {
    let root = try TemporaryDirectory()
    let folder = "\(root.path)/phone"
    var store = try DeviceStore<FamilyTables>(folder: folder)
    _ = try store.begin()
    func mode(_ path: String) throws -> Int {
      try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }
    #expect(try mode(folder) == 0o700)
    #expect(try mode(path(folder)) == 0o600)
    #expect(try mode(path(folder) + "-wal") == 0o600)
    // Locked for good, it needs no memory shared with others.
    #expect(try FileSystem.names(in: folder) == ["store.sqlite", "store.sqlite-wal"])
  }

  @Test func `a store that is not open is one file, known by its head`() throws {
    let root = try TemporaryDirectory()
    try fill(root.path)
    let files = try contents(root.path)
    #expect(Array(files.keys) == [StoreFile.name])
    #expect(files[StoreFile.name]?[68..<72] == Data("wrwi".utf8))
  }

  @Test func `an interrupted making is taken up again`() throws {
    // A process killed between two steps of the making: the file exists; it is marked as ours; its log is on.
    let steps = ["", "PRAGMA application_id=\(StoreFile.applicationID)", "PRAGMA journal_mode=WAL"]
    for count in 1...steps.count {
      let root = try TemporaryDirectory()
      _ = try OpenFile(path(root.path), for: .making)
      do {
        let database = try Database(path: path(root.path))
        for step in steps.prefix(count) { try database.execute(step) }
      }
      try fill(root.path)
      var store = try DeviceStore<FamilyTables>(folder: root.path)
      #expect(try store.begin().session.epoch == Epoch(2))
    }
  }

  // MARK: What is not ours

  @Test func `another program's database is refused and left as it is`() throws {
    for mode in ["DELETE", "WAL"] {
      let root = try TemporaryDirectory()
      let held = "\(root.path)/held"
      try FileManager.default.createDirectory(atPath: held, withIntermediateDirectories: false)
      _ = try OpenFile(path(held), for: .making)
      let database = try Database(path: path(held))
      try database.execute(
        "PRAGMA application_id=7; PRAGMA journal_mode=\(mode); CREATE TABLE T (x); INSERT INTO T VALUES (1)")
      let folder = "\(root.path)/foreign"
      try copy(held, to: folder)
      let before = try contents(folder)
      #expect(before.count == (mode == "WAL" ? 3 : 1))
      let error = error { try open(folder) }
      #expect(error?.cause == .corrupt)
      #expect(error?.text.contains("another program's database: application id 7") == true)
      #expect(self.error { _ = try DeviceReader<FamilyTables>(folder: folder) }?.cause == .corrupt)
      #expect(try contents(folder) == before)
    }
  }

  @Test func `what is no database is refused and left as it is`() throws {
    let junk: [Data] = [
      Data("hello".utf8), Data((0..<8_192).map { UInt8(truncatingIfNeeded: $0 &* 31) }),
      Data("SQLite format 3\0".utf8), Data("SQLite format 3\0".utf8) + Data(count: 4_080),
    ]
    for bytes in junk {
      let root = try TemporaryDirectory()
      try bytes.write(to: URL(filePath: path(root.path)))
      let error = error { try open(root.path) }
      #expect(error?.cause == .corrupt, "\(error?.text ?? "no error")")
      #expect(error?.text.hasPrefix(path(root.path)) == true)
      #expect(try contents(root.path) == [StoreFile.name: bytes])
    }
  }

  @Test(arguments: [
    (
      "CREATE VIEW Endless AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT x FROM n",
      "view Endless"
    ),
    ("CREATE TRIGGER Mine AFTER INSERT ON Epoch BEGIN DELETE FROM Lane; END", "trigger Mine"),
  ])
  func `views and triggers are refused before a row is read`(sql: String, what: String) throws {
    let root = try TemporaryDirectory()
    try fill(root.path)
    try Database(path: path(root.path)).execute(sql)
    let before = try contents(root.path)
    for error in [error { try open(root.path) }, error { _ = try DeviceReader<FamilyTables>(folder: root.path) }] {
      #expect(error?.cause == .corrupt)
      #expect(
        error?.text.hasSuffix("has the \(what), expected tables and indices only") == true, "\(error?.text ?? "")")
    }
    #expect(try contents(root.path)[StoreFile.name] == before[StoreFile.name])
  }

  @Test func `a file much longer than its pages is refused`() throws {
    for isStore in [true, false] {
      let root = try TemporaryDirectory()
      if isStore { try fill(root.path) } else { _ = try OpenFile(path(root.path), for: .making) }
      // Sparse: it takes no space.
      let file = try FileHandle(forWritingTo: URL(filePath: path(root.path)))
      try file.truncate(atOffset: 1 << 40)
      try file.close()
      let expected = isStore ? "and at most" : "that begin with zeros, expected a store"
      for error in [error { try open(root.path) }, error { _ = try DeviceReader<FamilyTables>(folder: root.path) }] {
        #expect(error?.cause == .corrupt && error?.text.contains(expected) == true, "\(error?.text ?? "no error")")
      }
    }
  }

  @Test func `a folder in the file's place and a missing folder have their own errors`() throws {
    let root = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: path(root.path), withIntermediateDirectories: false)
    #expect(error { try open(root.path) }?.text == "\(path(root.path)): is a folder, expected a store")
    #expect(error { try open("\(root.path)/a/b") }?.cause == .system)
    #expect(error { _ = try DeviceReader<FamilyTables>(folder: "\(root.path)/a") }?.cause == .system)
    // The system's own folder, which takes no files, not even root's.
    #expect(error { try open("/sys/kernel") }?.cause == .system)
  }

  @Test func `a log without its store is not taken for a new one's`() throws {
    let root = try TemporaryDirectory()
    try Data("left over".utf8).write(to: URL(filePath: path(root.path) + "-wal"))
    #expect(error { try open(root.path) }?.cause == .corrupt)
    #expect(try Array(contents(root.path).keys) == [StoreFile.name + "-wal"])
  }

  // MARK: Damage

  @Test func `a store that was cut off is refused`() throws {
    let root = try TemporaryDirectory()
    try fill("\(root.path)/whole", count: 200)
    let bytes = try Data(contentsOf: URL(filePath: path("\(root.path)/whole")))
    for count in [1, 50, 99, 100, 512, 4_095, 4_096, 8_192, bytes.count / 2, bytes.count - 4_096, bytes.count - 1] {
      let folder = try TemporaryDirectory()
      try bytes.prefix(count).write(to: URL(filePath: path(folder.path)))
      let error = error { try open(folder.path) }
      #expect(error?.cause == .corrupt, "\(count) bytes: \(error?.text ?? "no error")")
    }
  }

  @Test func `damage anywhere is an error, or does no harm`() throws {
    let root = try TemporaryDirectory()
    try fill("\(root.path)/whole", count: 30)
    let bytes = try Data(contentsOf: URL(filePath: path("\(root.path)/whole")))
    var source = OperationSource(seed: 11)
    var refused = 0
    for _ in 0..<150 {
      let folder = try TemporaryDirectory()
      var damaged = bytes
      for _ in 0...source.number(below: 4) {
        damaged[source.number(below: damaged.count)] = UInt8(truncatingIfNeeded: source.next())
      }
      try damaged.write(to: URL(filePath: path(folder.path)))
      do throws(StoreError) {
        var store = try DeviceStore<FamilyTables>(folder: folder.path)
        let record = try store.begin().session
        for lane in Lane.allCases {
          _ = try store.page(PageOrder(.outbox, lane, after: SequenceNumber(3)))
          let next = record[lane].nextSeq.rawValue
          try store.commit([.enqueued(.numbered(next, lane))], [.add(id: 1_000 + Int64(lane.rawValue), name: "y")])
        }
      } catch {
        refused += 1
      }
    }
    #expect(refused > 0)
  }

  @Test func `values that no program of ours writes are refused`() throws {
    for sql in [
      "UPDATE Lane SET nextSeq = 0", "UPDATE Lane SET nextToHandle = -3", "UPDATE Lane SET outboxCount = -1",
      "UPDATE Lane SET nextToHandle = 9", "DELETE FROM Lane", "UPDATE Lane SET nextSeq = 9223372036854775807",
      "DELETE FROM Epoch", "UPDATE Epoch SET starts = -1", "UPDATE Epoch SET starts = 4294967295",
      "INSERT INTO Context VALUES (5, 1, 0, x'')",
    ] {
      let root = try TemporaryDirectory()
      try fill(root.path)
      try StoreFile.open(folder: root.path, Self.components).execute(sql)
      var store = try DeviceStore<FamilyTables>(folder: root.path)
      #expect(error { _ = try store.begin() }?.cause == .corrupt, "\(sql)")
    }
  }

  // MARK: Others

  @Test func `a store that is open is not opened again`() throws {
    let root = try TemporaryDirectory()
    try fill(root.path)
    let store = try DeviceStore<FamilyTables>(folder: root.path)
    for body in [
      { try open(root.path) }, { _ = try DeviceReader<FamilyTables>(folder: root.path, busyMilliseconds: 0) },
    ] {
      let error = error(body)
      #expect(error?.cause == .busy)
      #expect(error?.text.contains("\(path(root.path)): another process has it open") == true)
    }
    withExtendedLifetime(store) {}
  }

  @Test func `nor while another process has it`() async throws {
    let folder = try TemporaryDirectory()
    let root = folder.path
    try fill(root)
    await #expect(processExitsWith: .exitCode(7)) { [root = root as String] in
      let store = try DeviceStore<FamilyTables>(folder: root)
      // The one that asks is a process of its own.
      let words = [
        "import sqlite3, sys",
        "database = sqlite3.connect(sys.argv[1], timeout=0)",
        "try: database.execute('SELECT * FROM Epoch').fetchall()",
        "except sqlite3.OperationalError as error: sys.exit(7 if 'locked' in str(error) else 8)",
      ].joined(separator: "\n")
      guard let child = try? ChildProcess(["/usr/bin/python3", "-c", words, "\(root)/\(StoreFile.name)"]) else {
        exit(7)
      }
      guard case .exited(let status)? = child.wait(seconds: 60) else { exit(9) }
      withExtendedLifetime(store) {}
      exit(status)
    }
    try open(root)
  }

  // MARK: Reading only

  @Test func `what a killed process left is read without touching it`() throws {
    let root = try TemporaryDirectory()
    let held = "\(root.path)/held"
    var store = try DeviceStore<FamilyTables>(folder: held)
    _ = try store.begin()
    for number in 1...100 as ClosedRange<UInt64> {
      try store.commit([.enqueued(.numbered(number))], [.add(id: Int64(number), name: "x")])
    }
    let left = "\(root.path)/left"
    try copy(held, to: left)
    let before = try contents(left)
    #expect(before.keys.sorted() == ["store.sqlite", "store.sqlite-wal"])
    do {
      var reader = try DeviceReader<FamilyTables>(folder: left)
      let record = try reader.record()
      #expect(record.session.epoch == Epoch(1))
      #expect(record.session[.userInfo].outboxCount == 100)
      #expect(record.app.names.count == 100)
      #expect(
        try reader.page(PageOrder(.outbox, .userInfo, after: SequenceNumber(98)))
          == .outbox(.userInfo, [.numbered(99), .numbered(100)]))
      #expect(try reader.findings() == [])
    }
    #expect(try contents(left) == before)
  }

  @Test func `a store that was closed is read without making a file`() throws {
    let root = try TemporaryDirectory()
    try fill(root.path)
    let before = try contents(root.path)
    do {
      var reader = try DeviceReader<FamilyTables>(folder: root.path)
      #expect(try reader.record().session[.userInfo].outboxCount == 20)
    }
    #expect(try contents(root.path) == before)
  }

  // MARK: Checking

  @Test func `a large store is checked where it stays small`() throws {
    let root = try TemporaryDirectory()
    try fill(root.path, count: 400)
    do {
      var store = try DeviceStore<FamilyTables>(folder: root.path)
      _ = try store.begin()
      let payload = [UInt8](repeating: 7, count: 4_000)
      for number in 401...700 as ClosedRange<UInt64> {
        try store.commit([.enqueued(.numbered(number, payload: payload))], [])
      }
    }
    let url = URL(filePath: path(root.path))
    var bytes = try Data(contentsOf: url)
    #expect(Int64(bytes.count) > StoreFile.fullCheckBytesMax)
    // The check at the start does not reach deep into the outbox; a full check does.
    let place = try #require(bytes.lastRange(of: Data(repeating: 7, count: 3_000))?.lowerBound) & ~4_095
    bytes.replaceSubrange(place..<place + 64, with: Data(repeating: 0xFF, count: 64))
    try bytes.write(to: url)
    let database = try StoreFile.open(folder: root.path, Self.components)
    #expect(try StoreFile.findings(in: database) != [])
  }
}
