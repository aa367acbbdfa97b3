package import Link

/// A part of a store with its own versions: the link's tables, or an app's.
package struct Component: Sendable {
  /// The name in the table `SchemaVersion`.
  package let name: String
  /// The migrations that create its tables, oldest first: versions count from 1 without gaps.
  package let migrations: [Migration]
  /// Tables that always stay small; they are checked whenever a store is opened.
  package let smallTables: [String]

  /// Creates a component.
  package init(_ name: String, migrations: [Migration], smallTables: [String] = []) {
    precondition(
      migrations.map(\.version) == Array(1..<migrations.count + 1), "\(name): versions count from 1 without a gap")
    self.name = name
    self.migrations = migrations
    self.smallTables = smallTables
  }

  /// The version that this program writes.
  package var version: Int { migrations.count }

  /// The steps from a version to the newest; 0 is a store without the tables.
  func steps(from version: Int) -> ArraySlice<Migration> { migrations[version...] }
}

/// A step from one version of a component's tables to the next, in one transaction.
package struct Migration: Sendable {
  /// The resulting version.
  package let version: Int
  private let sql: String
  private let convert: (@Sendable (Database) throws -> Void)?

  /// Creates a migration.
  ///
  /// - Parameters:
  ///   - sql: Statements to execute first.
  ///   - convert: Changes that SQL cannot express, carried out afterwards; throws only `StoreError`.
  package init(to version: Int, _ sql: String, convert: (@Sendable (Database) throws -> Void)? = nil) {
    self.version = version
    self.sql = sql
    self.convert = convert
  }

  /// Executes it.
  func run(on database: Database) throws(StoreError) {
    if !sql.isEmpty { try database.execute(sql) }
    guard let convert else { return }
    do {
      try convert(database)
    } catch {
      throw error as? StoreError ?? StoreError(.system, "\(database.path): migration to \(version): \(error)")
    }
  }
}

/// The tables of an app in a store, changed in the same transactions as the link's.
///
/// A value lives as long as the store is open. If a transaction fails, the store and the value are no longer used, so
/// the value's own state need not be reverted.
package protocol AppTables {
  /// What the app starts with.
  associatedtype Record
  /// A durable change of the app.
  associatedtype Change: Sendable
  /// Its name and its migrations.
  static var component: Component { get }
  /// Creates the statements; the tables exist in the version of ``component``.
  init(_ database: Database) throws(StoreError)
  /// Reads what the app starts with, and the value's own state.
  mutating func load() throws(StoreError) -> Record
  /// Applies a change, inside a transaction.
  mutating func apply(_ change: Change) throws(StoreError)
  /// Writes what was collected while applying changes, at the end of the same transaction.
  mutating func finish() throws(StoreError)
  /// Those of the names in the app's folder that nothing of the app refers to: a crash left them.
  static func orphans(among names: [String], of record: Record) -> [String]
}

extension AppTables {
  package mutating func finish() throws(StoreError) {}
  package static func orphans(among names: [String], of record: Record) -> [String] { [] }
}
