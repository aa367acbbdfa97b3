package import Link

/// The tables of a component in its newest version.
package enum StoreSchema {
  /// Statements that create a component's tables as its migrations do, with the rows that they begin with.
  ///
  /// - Throws: `StoreError` if a migration fails.
  package static func text(of component: Component) throws(StoreError) -> String {
    let database = try Database(path: ":memory:")
    for migration in component.migrations { try migration.run(on: database) }
    var statements = try list("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid", in: database)
    for table in try list("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid", in: database) {
      let columns = try list("SELECT 'quote(\"' || name || '\")' FROM pragma_table_info('\(table)')", in: database)
      let values = columns.joined(separator: " || ', ' || ")
      statements += try list("SELECT 'INSERT INTO \(table) VALUES (' || \(values) || ')' FROM \(table)", in: database)
    }
    return statements.map { $0 + ";\n" }.joined()
  }

  private static func list(_ sql: String, in database: Database) throws(StoreError) -> [String] {
    let statement = Statement(database, sql)
    var texts: [String] = []
    while try statement.step() { texts.append(statement.text(0)) }
    return texts
  }
}
