package import Link

/// `server-rebuilt`: the server fetches lost workouts again.
package struct ServerRebuiltChecker: Checker {
  package static let invariant = "server-rebuilt"
  package static let about =
    "After a loss of the server's files and the next successful fetch, every workout and the exercise history are what they were before."
  package static let interests: [TraceEvent.Name] =
    ["edge.workouts", "edge.fetched", "edge.stored", "edge.restarted", "edge.damaged"]

  private static let history = "exercise_history.json"
  /// The days that are remembered; a file has no more.
  private static let daysMax = 4_000

  /// The workouts of a day as JSON text, with the line that stored them.
  private typealias Days = [String: (text: String, line: Int)]

  private var stored: Days = [:]
  /// What was lost and is not rebuilt yet, with the line of the last loss.
  private var lost: (days: Days, line: Int)?
  /// The last digest of the exercise history, and the one of the time before the loss.
  private var digest: String?
  private var digestBefore: String?

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    switch event.body {
    case .workoutsStored(let day):
      guard stored.count < Self.daysMax || stored[day.day] != nil else { return }
      stored[day.day] = (day.workouts.text, line)
    case .fileStored(let file): if file.file == Self.history { digest = file.digest }
    case .serverRestarted(let start): if start.cause == "wipe" { lose(isWiped: true, line) }
    case .fileDamaged(let damage): if damage.file == ServerDays.contextStore { lose(isWiped: false, line) }
    case .workoutsFetched: compare(at: event.time, line, into: &report)
    default: break
    }
  }

  private mutating func lose(isWiped: Bool, _ line: Int) {
    // A second loss before the next fetch adds what was rebuilt since the first one.
    let days = (lost?.days ?? [:]).merging(stored) { $1 }
    if lost == nil { digestBefore = digest }
    if isWiped { digest = nil }
    lost = (days, line)
    stored = [:]
  }

  private mutating func compare(at time: VirtualTime, _ line: Int, into report: inout [Violation]) {
    guard let (days, loss) = lost else { return }
    lost = nil
    let wrong = days.filter { stored[$0.key]?.text != $0.value.text }.keys.sorted()
    if let first = wrong.first {
      report.append(
        Self.violation(
          "the server lost its files, and after a fetch the workouts of \(wrong.count) days are missing or differ, such as \(first)",
          at: time, lines: [days[first]?.line ?? loss, loss, line]))
    } else if stored.count == days.count, let digestBefore, digest != digestBefore {
      report.append(
        Self.violation(
          "the server lost its files, and after a fetch the exercise history differs, although the workouts are the same",
          at: time, lines: [loss, line]))
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
