package import Link

/// The tables of an app whose state is a few values and lists, kept as bytes.
package struct KeyedTables: AppTables {
  package static let component = Component(
    "app",
    migrations: [
      Migration(
        to: 1,
        """
        CREATE TABLE KeyedValue (key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE ListItem (
          list TEXT NOT NULL, place INTEGER NOT NULL, value BLOB NOT NULL, PRIMARY KEY (list, place)
        ) STRICT, WITHOUT ROWID;
        """)
    ], smallTables: ["KeyedValue"])

  private let readValues: Statement
  private let setValue: Statement
  private let removeValue: Statement
  private let readItems: Statement
  private let appendItem: Statement
  private let removeItems: Statement
  /// The next index of each list.
  private var nextIndices: [String: Int64] = [:]

  package init(_ database: Database) {
    readValues = Statement(database, "SELECT key, value FROM KeyedValue")
    setValue = Statement(database, "INSERT OR REPLACE INTO KeyedValue (key, value) VALUES (?1, ?2)")
    removeValue = Statement(database, "DELETE FROM KeyedValue WHERE key = ?1")
    readItems = Statement(database, "SELECT list, place, value FROM ListItem ORDER BY list, place")
    appendItem = Statement(database, "INSERT INTO ListItem (list, place, value) VALUES (?1, ?2, ?3)")
    removeItems = Statement(database, "DELETE FROM ListItem WHERE list = ?1")
  }

  package mutating func load() throws(StoreError) -> KeyedRecord {
    var record = KeyedRecord()
    while try readValues.step() { record.values[readValues.text(0)] = readValues.blob(1) }
    nextIndices = [:]
    while try readItems.step() {
      let list = readItems.text(0)
      record.lists[list, default: []].append(readItems.blob(2))
      nextIndices[list] = try readItems.count(1) + 1
    }
    return record
  }

  package mutating func apply(_ change: KeyedChange) throws(StoreError) {
    switch change {
    case .set(let key, let bytes?):
      setValue.bind(key, at: 1)
      setValue.bind(bytes, at: 2)
      try setValue.run()
    case .set(let key, nil):
      removeValue.bind(key, at: 1)
      try removeValue.run()
    case .append(let list, let bytes):
      let index = nextIndices[list] ?? 0
      appendItem.bind(list, at: 1)
      appendItem.bind(index, at: 2)
      appendItem.bind(bytes, at: 3)
      try appendItem.run()
      nextIndices[list] = index + 1
    case .removeAll(let list):
      removeItems.bind(list, at: 1)
      try removeItems.run()
      nextIndices[list] = nil
    }
  }
}
