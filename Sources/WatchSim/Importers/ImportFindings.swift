// The repairs of an import, for the user: the figures of a repaired file are only useful together with its repairs.

/// The repairs of one import, in the order in which they were made.
struct ImportFindings: Sendable, Equatable {
  /// Limit of findings; a damaged file can give one for every few bytes.
  static let linesMax = 100

  private var kept: [String] = []
  private var known: Set<String> = []
  private var omittedCount = 0

  /// One readable line for each finding; the last line counts those beyond ``linesMax``.
  var lines: [String] {
    guard omittedCount > 0 else { return kept }
    return kept + ["\(omittedCount) further \(omittedCount == 1 ? "finding is" : "findings are") not listed"]
  }

  /// Adds a line, unless it is there already.
  mutating func add(_ line: String) {
    guard !known.contains(line) else { return }
    guard kept.count < Self.linesMax else {
      omittedCount += 1
      return
    }
    known.insert(line)
    kept.append(line)
  }

  /// Adds `count` and the noun that fits it; nothing if `count` is 0.
  mutating func add(_ count: Int, _ one: String, _ many: String) {
    if count > 0 { add("\(count) \(count == 1 ? one : many)") }
  }
}
