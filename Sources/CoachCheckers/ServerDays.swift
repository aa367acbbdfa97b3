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

  static let interests: [TraceEvent.Name] = ["edge.upserted", "edge.restarted", "edge.damaged"]
  static let contextStore = "context_store.json"

  private(set) var days: [String: Entry] = [:]
  /// The line that reports the last loss of the snapshots, if any.
  private(set) var lossLine: Int?

  /// Follows an event; returns whether the snapshots were lost.
  @discardableResult
  mutating func observe(_ event: TypedEvent, line: Int) -> Bool {
    switch event.body {
    case .dayUpserted(let day):
      days[day.day] = Entry(revision: day.revision, text: day.snapshot.text, line: line)
      return false
    case .serverRestarted(let start): guard start.cause == "wipe" else { return false }
    case .fileDamaged(let damage): guard damage.file == Self.contextStore else { return false }
    default: return false
    }
    days = [:]
    lossLine = line
    return true
  }

  /// A snapshot's text for a day's revision and totals.
  static func snapshot(revision: Int64, totals: String) -> String {
    totals == "{}" ? "{\"revision\":\(revision)}" : "{\"revision\":\(revision),\(totals.dropFirst())"
  }
}
