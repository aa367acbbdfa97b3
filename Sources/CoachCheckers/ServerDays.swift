import Link

/// The server's snapshots as its lines report them.
struct ServerDays: Sendable {
  /// A snapshot, with the line of its last change.
  struct Entry: Sendable {
    var revision: Int64
    /// The snapshot as JSON text.
    var text: String
    var line: Int
  }

  static let contextStore = "context_store.json"

  private(set) var days: [String: Entry] = [:]
  /// The line that reports the last loss of the snapshots, if any.
  private(set) var lossLine: Int?

  mutating func observe(_ day: DayUpserted, at event: Occurrence) {
    days[day.day] = Entry(revision: day.revision, text: day.snapshot.text, line: event.line)
  }

  /// Follows a start of the server; returns whether the snapshots were lost.
  @discardableResult
  mutating func observe(_ start: ServerRestarted, at event: Occurrence) -> Bool {
    start.cause == "wipe" ? lose(event.line) : false
  }

  /// Follows a damage to a file; returns whether the snapshots were lost.
  @discardableResult
  mutating func observe(_ damage: FileDamaged, at event: Occurrence) -> Bool {
    damage.file == Self.contextStore ? lose(event.line) : false
  }

  private mutating func lose(_ line: Int) -> Bool {
    days = [:]
    lossLine = line
    return true
  }

  /// A snapshot's text for a day's revision and totals.
  static func snapshot(revision: Int64, totals: String) -> String {
    totals == "{}" ? "{\"revision\":\(revision)}" : "{\"revision\":\(revision),\(totals.dropFirst())"
  }
}
