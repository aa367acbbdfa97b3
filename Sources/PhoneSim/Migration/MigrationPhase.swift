/// A phase of the migration from the old shape, as the founding document lists them.
package enum MigrationPhase: String, Sendable, CaseIterable, Comparable {
  case queries = "A"
  case drills = "B"
  case skills = "C"
  case points = "D"
  case splitsAndIntervals = "E"
  case competitions = "F"
  case artifacts = "G"

  /// What it brings.
  package var about: String {
    switch self {
    case .queries: "the session queries and their indexes"
    case .drills: "one table of drills"
    case .skills: "skills with the table of their session"
    case .points: "one table of points"
    case .splitsAndIntervals: "one table of splits, one of intervals"
    case .competitions: "competitions that refer to their sessions"
    case .artifacts: "artifacts as a projection"
    }
  }

  /// The phase that must be done first, if any.
  package var dependency: Self? { self == .artifacts ? .competitions : nil }

  /// Whether the store is backed up before it.
  var needsBackup: Bool { self == .points || self == .splitsAndIntervals }

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
