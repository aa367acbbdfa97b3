// What an import had to repair, in words a user can read: the figures of a repaired file are only worth something when the
// repairs stand beside them.

/// The repairs of one import, in the order they were made.
struct Findings: Sendable, Equatable {
  /// Most findings that are kept; a damaged file can give one for every few bytes.
  static let linesMax = 100

  private var kept: [String] = []
  private var known: Set<String> = []
  private var omittedCount = 0

  /// One readable line for each finding; the last line counts those past ``linesMax``.
  var lines: [String] {
    guard omittedCount > 0 else { return kept }
    return kept + ["\(omittedCount) further \(omittedCount == 1 ? "finding is" : "findings are") not listed"]
  }

  /// Adds a line; the same line is kept once.
  mutating func note(_ line: String) {
    guard !known.contains(line) else { return }
    guard kept.count < Self.linesMax else {
      omittedCount += 1
      return
    }
    known.insert(line)
    kept.append(line)
  }

  /// Adds `count` and the noun that fits it; nothing when `count` is 0.
  mutating func note(_ count: Int, _ one: String, _ many: String) {
    if count > 0 { note("\(count) \(count == 1 ? one : many)") }
  }
}
