extension PhoneTables {
  /// The second phone's tables, and what both phones exchange.
  ///
  /// The second phone's tables are the first one's with a prefix: a later change of those is needed twice.
  static let version11 =
    prefixed(version9 + "\n" + version10) + """

      CREATE TABLE SyncRow (
        phone INTEGER NOT NULL CHECK (phone IN (1, 2)), tableName TEXT NOT NULL, id TEXT NOT NULL, cells TEXT NOT NULL,
        PRIMARY KEY (phone, tableName, id)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE SyncQueue (
        phone INTEGER NOT NULL CHECK (phone IN (1, 2)), tableName TEXT NOT NULL, id TEXT NOT NULL,
        PRIMARY KEY (phone, tableName, id)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE SyncState (
        phone INTEGER PRIMARY KEY CHECK (phone IN (1, 2)), editsDone INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      """

  /// Before the names of the second phone's tables and indexes.
  static let secondPrefix = "Second"

  /// Statements of a migration with the prefix before the name of each table and index.
  static func prefixed(_ sql: String) -> String {
    var text = ""
    var last = ""
    var word = ""
    func end() {
      let isName = ["TABLE", "INDEX", "REFERENCES"].contains(last) || last == "ON" && word != "DELETE"
      if isName { text += secondPrefix }
      text += word
      if !word.isEmpty { last = word }
      word = ""
    }
    for character in sql {
      if character.isLetter || character.isNumber || character == "_" || character == "\"" {
        word.append(character)
      } else {
        end()
        text.append(character)
        if !character.isWhitespace { last = "" }
      }
    }
    end()
    return text
  }
}
