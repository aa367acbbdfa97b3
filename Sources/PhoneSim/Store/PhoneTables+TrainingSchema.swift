extension PhoneTables {
  /// The unified form of training sessions for both phones, and what the phones exchange.
  ///
  /// Tables and columns follow from ``TrainingCatalog``.
  static let trainingSchema =
    createTraining(prefix: "") + createTraining(prefix: secondPrefix) + """
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

  /// The statements that create one phone's tables.
  ///
  /// `TrainingReport` holds the parts of reports that are not complete.
  private static func createTraining(prefix: String) -> String {
    TrainingCatalog.all.map { $0.createTable(prefix: prefix) }.joined() + """
      CREATE TABLE \(prefix)TrainingReport (
        workoutId TEXT NOT NULL, part INTEGER NOT NULL, report TEXT NOT NULL, PRIMARY KEY (workoutId, part)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE \(prefix)RemovedSession (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

      """
  }
}

extension TrainingEntity {
  /// The statements that create the table and its indexes.
  ///
  /// As the document's sync asks, every column has a default or may be empty, relations are optional, and nothing is
  /// unique but the identifier. What a row is a part of has an index, so that it is found and deleted with its parts.
  fileprivate func createTable(prefix: String) -> String {
    var lines = ["id TEXT PRIMARY KEY"] + columns.map { $0.definition(prefix: prefix) }
    if let rule = ruleOfParents { lines.append("CHECK (\(rule))") }
    let references = columns.filter(\.isReference).map { (name: "Of" + $0.name.capitalizedFirst, columns: [$0.name]) }
    return "CREATE TABLE \(prefix)\(name) (\n  \(lines.joined(separator: ",\n  "))\n) STRICT;\n"
      + (references + indexes).map { index in
        let columns = index.columns.map(TrainingTables.quoted).joined(separator: ", ")
        return "CREATE INDEX \(prefix)\(name)\(index.name) ON \(prefix)\(name) (\(columns));\n"
      }.joined()
  }

  /// The indexes beside those of references: what follows the table's name, and the columns.
  private var indexes: [(name: String, columns: [String])] {
    switch name {
    case "Ride", "RunningSession", "SwimmingSession", "ShootingSession": [("ByDate", ["startDate", "id"])]
    case "GPSPoint": [("OfParent", ["parentID"])]
    case "SkillSnapshot": [("ByDomain", ["domain", "recordedAt"]), ("OfSource", ["sourceSessionID"])]
    default: []
    }
  }
}

extension TrainingColumn {
  /// The column in `CREATE TABLE`.
  fileprivate func definition(prefix: String) -> String {
    let name = TrainingTables.quoted(name)
    let (type, value) =
      switch kind {
      case .integer, .date: ("INTEGER", "0")
      case .real: ("REAL", "0")
      case .text, .json, .word, .identifier: ("TEXT", "''")
      case .reference(let table, let isPart):
        ("TEXT REFERENCES \(prefix)\(table) (id) ON DELETE \(isPart ? "CASCADE" : "SET NULL")", "")
      }
    return "\(name) \(type)" + (isOptional || isReference ? "" : " NOT NULL DEFAULT \(value)")
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
