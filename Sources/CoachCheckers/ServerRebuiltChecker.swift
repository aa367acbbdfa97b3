package import Link

/// `server-rebuilt`: the server fetches lost workouts again.
package struct ServerRebuiltChecker: Checker {
  package static let invariant = "server-rebuilt"
  package static let about =
    "After a loss of the server's files and the next successful fetch, every workout and the exercise history are what they were before."

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

  package mutating func workoutsStored(_ day: WorkoutsStored, at event: Occurrence, into report: inout Report) {
    guard stored.count < Self.daysMax || stored[day.day] != nil else { return }
    stored[day.day] = (day.workouts.text, event.line)
  }

  package mutating func fileStored(_ file: FileStored, at event: Occurrence, into report: inout Report) {
    if file.file == Self.history { digest = file.digest }
  }

  package mutating func serverRestarted(_ start: ServerRestarted, at event: Occurrence, into report: inout Report) {
    if start.cause == "wipe" { lose(isWiped: true, event.line) }
  }

  package mutating func fileDamaged(_ damage: FileDamaged, at event: Occurrence, into report: inout Report) {
    if damage.file == ServerDays.contextStore { lose(isWiped: false, event.line) }
  }

  package mutating func workoutsFetched(_: WorkoutsFetched, at event: Occurrence, into report: inout Report) {
    compare(at: event.time, event.line, into: &report)
  }

  private mutating func lose(isWiped: Bool, _ line: Int) {
    // A second loss before the next fetch adds what was rebuilt since the first one.
    let days = (lost?.days ?? [:]).merging(stored) { $1 }
    if lost == nil { digestBefore = digest }
    if isWiped { digest = nil }
    lost = (days, line)
    stored = [:]
  }

  private mutating func compare(at time: VirtualTime, _ line: Int, into report: inout Report) {
    guard let (days, loss) = lost else { return }
    lost = nil
    let wrong = days.filter { stored[$0.key]?.text != $0.value.text }.keys.sorted()
    if let first = wrong.first {
      report.add(
        "the server lost its files, and after a fetch the workouts of \(wrong.count) days are missing or differ, such as \(first)",
        at: time, lines: [days[first]?.line ?? loss, loss, line])
    } else if stored.count == days.count, let digestBefore, digest != digestBefore {
      report.add(
        "the server lost its files, and after a fetch the exercise history differs, although the workouts are the same",
        at: time, lines: [loss, line])
    }
  }
}
