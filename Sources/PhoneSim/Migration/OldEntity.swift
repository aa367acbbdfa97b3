/// A table of TetraTrack's old shape, with its columns in order.
///
/// The old tables are not strict: whatever type a column declares, SQLite may hold any value in it, or none.
package struct OldEntity: Sendable {
  /// The table.
  package let name: String
  /// What a row is.
  package let about: String
  package let columns: [OldColumn]

  init(_ name: String, _ about: String, _ columns: [OldColumn]) {
    self.name = name
    self.about = about
    self.columns = [.text("id")] + columns
  }

  /// The statement that creates it.
  package var sql: String {
    "CREATE TABLE \(name) (\(columns.map { "\"\($0.name)\" \($0.type.rawValue)" }.joined(separator: ", ")))"
  }
}

/// A column of an ``OldEntity``.
package struct OldColumn: Sendable {
  /// The declared type.
  package enum Kind: String, Sendable {
    case text = "TEXT"
    case integer = "INTEGER"
    case real = "REAL"
  }

  package let name: String
  package let type: Kind

  static func text(_ name: String) -> Self { Self(name: name, type: .text) }
  static func integer(_ name: String) -> Self { Self(name: name, type: .integer) }
  static func real(_ name: String) -> Self { Self(name: name, type: .real) }
}

/// Every table of the old shape that the unified form replaces.
package enum OldCatalog {
  package static let all: [OldEntity] = [
    .locationPoint, .runningLocationPoint, .swimmingLocationPoint,
    .runningSplit, .swimmingLap,
    .runningInterval, .swimmingInterval, .workoutBlock,
    .ridingDrillSession, .shootingDrillSession, .unifiedDrillSession,
    .skillDomainScore, .oldCompetition, .trainingArtifact,
  ]
}
