package import Link

/// A part of a store whose tables have versions of their own: the link's, or an app's.
package struct Component: Sendable {
  /// The name in the table `SchemaVersion`.
  package let name: String
  /// How its tables came to be what they are, oldest first: the versions count from 1 without a gap.
  package let migrations: [Migration]
  /// Tables that stay small however long the device is in use: they are checked whenever a store is opened.
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
}

/// A step from one version of a component's tables to the next: one transaction.
package struct Migration: Sendable {
  /// The version that it leads to.
  package let version: Int
  private let sql: String
  private let convert: (@Sendable (Database) throws -> Void)?

  /// Creates a step.
  ///
  /// - Parameters:
  ///   - sql: Statements that are carried out first.
  ///   - convert: What SQL cannot say, carried out after them; throws nothing but `StoreError`.
  package init(to version: Int, _ sql: String, convert: (@Sendable (Database) throws -> Void)? = nil) {
    self.version = version
    self.sql = sql
    self.convert = convert
  }

  /// Carries it out.
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

/// What an app keeps in a store beside its link: tables of its own, changed in the same transactions.
///
/// A value of it lives as long as the store is open. Where a transaction fails the store is done for, and so is the
/// value: what it keeps in memory need not be taken back.
package protocol AppTables {
  /// What the app begins with.
  associatedtype Record
  /// What the app changes durably.
  associatedtype Change: Sendable
  /// Its name, and how its tables came about.
  static var component: Component { get }
  /// Makes the statements; the tables are there, in the version of ``component``.
  init(_ database: Database) throws(StoreError)
  /// Reads everything the app begins with, and what the value itself wants to know.
  mutating func load() throws(StoreError) -> Record
  /// Carries out one change, inside a transaction.
  mutating func apply(_ change: Change) throws(StoreError)
  /// Writes what was gathered while changes were applied, at the end of the same transaction.
  mutating func finish() throws(StoreError)
}

extension AppTables {
  package mutating func finish() throws(StoreError) {}
}
