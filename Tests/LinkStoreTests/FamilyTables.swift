import Link

@testable import LinkStore

/// Tables with references, in the versions that they went through: what an app's store must bear.
struct FamilyTables: AppTables {
  static let migrations = [
    Migration(
      to: 1,
      """
      CREATE TABLE Parent (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
      CREATE TABLE Child (
        id INTEGER PRIMARY KEY, parentId INTEGER NOT NULL REFERENCES Parent (id), age REAL
      ) STRICT;
      CREATE INDEX ChildOfParent ON Child (parentId);
      """),
    Migration(to: 2, "ALTER TABLE Parent ADD COLUMN childCount INTEGER NOT NULL DEFAULT 0") { database in
      try database.execute("UPDATE Parent SET childCount = (SELECT count(*) FROM Child WHERE parentId = Parent.id)")
    },
    Migration(
      to: 3,
      """
      CREATE TABLE Letter (id INTEGER PRIMARY KEY, childId INTEGER NOT NULL REFERENCES Child (id), text BLOB) STRICT
      """),
  ]
  static let component = Component("family", migrations: migrations, smallTables: ["Parent"])
  static let childCount = 3

  enum Change: Sendable, Equatable {
    case add(id: Int64, name: String)
    case remove(id: Int64)
  }

  struct Record: Equatable {
    var names: [Int64: String] = [:]
    var childCounts: [Int64: Int64] = [:]
  }

  private let addParent: Statement
  private let addChild: Statement
  private let removeChildren: Statement
  private let removeParent: Statement
  private let read: Statement

  init(_ database: Database) {
    addParent = Statement(database, "INSERT INTO Parent (id, name, childCount) VALUES (?1, ?2, ?3)")
    addChild = Statement(database, "INSERT INTO Child (parentId, age) VALUES (?1, ?2)")
    removeChildren = Statement(database, "DELETE FROM Child WHERE parentId = ?1")
    removeParent = Statement(database, "DELETE FROM Parent WHERE id = ?1")
    read = Statement(
      database, "SELECT id, name, (SELECT count(*) FROM Child WHERE parentId = Parent.id) FROM Parent")
  }

  func load() throws(StoreError) -> Record {
    var record = Record()
    while try read.step() {
      record.names[read.int64(0)] = read.text(1)
      record.childCounts[read.int64(0)] = read.int64(2)
    }
    return record
  }

  func apply(_ change: Change) throws(StoreError) {
    switch change {
    case .add(let id, let name):
      addParent.bind(id, at: 1)
      addParent.bind(name, at: 2)
      addParent.bind(Int64(Self.childCount), at: 3)
      try addParent.run()
      for child in 0..<Self.childCount {
        addChild.bind(id, at: 1)
        if child == 0 { addChild.bindNull(at: 2) } else { addChild.bind(Double(child) + 0.5, at: 2) }
        try addChild.run()
      }
    case .remove(let id):
      removeChildren.bind(id, at: 1)
      try removeChildren.run()
      removeParent.bind(id, at: 1)
      try removeParent.run()
    }
  }
}
