import Foundation
import Link
import LinkTransport
import Testing

@testable import LinkStore

@Suite struct DatabaseTests {
  /// An empty database in a folder of its own.
  private final class Empty {
    let folder: String
    private let root: TemporaryDirectory
    let database: Database

    init() throws {
      root = try TemporaryDirectory()
      folder = root.path
      _ = try OpenFile("\(folder)/x", for: .making)
      database = try Database(path: "\(folder)/x")
    }
  }

  @Test func `every kind of value is read back unchanged`() throws {
    let empty = try Empty()
    try empty.database.execute("CREATE TABLE T (i INTEGER, d REAL, t TEXT, b BLOB) STRICT")
    let insert = Statement(empty.database, "INSERT INTO T VALUES (?1, ?2, ?3, ?4)")
    let rows: [(Int64, Double, String, [UInt8])] = [
      (.min, -0.0, "", []), (.max, .greatestFiniteMagnitude, "läuft 🏃", [0]),
      (0, 0.1, "a\0b", [UInt8](repeating: 200, count: 100_000)),
    ]
    for row in rows {
      insert.bind(row.0, at: 1)
      insert.bind(row.1, at: 2)
      insert.bind(row.2, at: 3)
      insert.bind(row.3, at: 4)
      try insert.run()
    }
    for parameter in 1...4 as ClosedRange<Int32> { insert.bindNull(at: parameter) }
    try insert.run()
    let read = Statement(empty.database, "SELECT i, d, t, b FROM T ORDER BY rowid")
    for row in rows {
      #expect(try read.step())
      #expect(read.int64(0) == row.0 && read.double(1) == row.1 && read.text(2) == row.2 && read.blob(3) == row.3)
      for column in 0..<4 as Range<Int32> { #expect(!read.isNull(column)) }
    }
    #expect(try read.step())
    for column in 0..<4 as Range<Int32> { #expect(read.isNull(column)) }
    #expect(read.int64(0) == 0 && read.double(1) == 0 && read.text(2) == "" && read.blob(3) == [])
    #expect(try !read.step())
    // At its end it can be used again at once.
    #expect(try read.step())
  }

  @Test func `an error names file, statement and cause, and the statement can be used again`() throws {
    let empty = try Empty()
    try empty.database.execute("CREATE TABLE T (x INTEGER PRIMARY KEY)")
    let insert = Statement(empty.database, "INSERT INTO T VALUES (?1)")
    insert.bind(1, at: 1)
    try insert.run()
    #expect(
      throws: StoreError(
        .system, "\(empty.folder)/x: INSERT INTO T VALUES (?1): UNIQUE constraint failed: T.x (SQLite 1555)")
    ) { try insert.run() }
    insert.bind(2, at: 1)
    try insert.run()
    #expect(try empty.database.number("SELECT count(*) FROM T") == 2)
    let wrong = Statement(empty.database, "SELECT y FROM T")
    wrong.bind(1, at: 1)
    for _ in 0..<2 {
      #expect(
        throws: StoreError(.system, "\(empty.folder)/x: SELECT y FROM T: no such column: y (SQLite 1)")
      ) { _ = try wrong.step() }
    }
    let unbound = Statement(empty.database, "SELECT x FROM T")
    unbound.bind(1, at: 3)
    #expect(throws: StoreError.self) { _ = try unbound.step() }
    #expect(try unbound.step())
  }

  @Test func `a transaction that fails leaves nothing`() throws {
    let empty = try Empty()
    try empty.database.execute("CREATE TABLE T (x)")
    let failure = StoreError(.system, "so")
    #expect(throws: failure) {
      try empty.database.transaction { () throws(StoreError) in
        try empty.database.execute("INSERT INTO T VALUES (1)")
        throw failure
      }
    }
    #expect(try empty.database.number("SELECT count(*) FROM T") == 0)
    let answer = try empty.database.transaction { () throws(StoreError) in
      try empty.database.execute("INSERT INTO T VALUES (1)")
      return 42
    }
    #expect(answer == 42)
    #expect(try empty.database.number("SELECT count(*) FROM T") == 1)
  }

  @Test func `a path may hold anything`() throws {
    let root = try TemporaryDirectory()
    let folder = "\(root.path)/50% of #1? läuft"
    for _ in 0..<2 {
      var store = try DeviceStore<KeyedTables>(folder: folder)
      _ = try store.begin()
    }
    var reader = try DeviceReader<KeyedTables>(folder: folder)
    #expect(try reader.record().session.epoch == Epoch(2))
    #expect(try FileSystem.names(in: root.path).count == 1)
  }
}
