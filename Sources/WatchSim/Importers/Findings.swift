// What an import had to repair, in words a user can read: the figures of a repaired file are only worth something when the
// repairs stand beside them.

/// The repairs of one import, in the order they were made.
struct Findings: Sendable, Equatable {
  /// One readable line for each finding.
  private(set) var lines: [String] = []

  /// Adds a line; the same line is kept once.
  mutating func note(_ line: String) {
    if !lines.contains(line) { lines.append(line) }
  }

  /// Adds `count` and the noun that fits it; nothing when `count` is 0.
  mutating func note(_ count: Int, _ one: String, _ many: String) {
    if count > 0 { note("\(count) \(count == 1 ? one : many)") }
  }
}
