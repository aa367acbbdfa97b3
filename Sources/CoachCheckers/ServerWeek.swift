import CoachReference
import Link

/// The server's insights, compared with the averages of the days that it has.
struct ServerWeek: Sendable {
  private var goal: String?
  /// Days that have workouts of the external service, which the file of days has, too.
  private var workoutDays: Set<String> = []
  /// The newest insights, with their line; nil before.
  private var insights: (digest: String, line: Int)?
  /// How many days the server says that it has.
  private var dayCount: Int64?
  private var isReported = false

  mutating func observe(_ profile: ProfileExtracted) {
    goal = (try? JSONParser.parse(profile.profile.text, dialect: .json))?["goal"]?.text
  }

  mutating func observe(_ workouts: WorkoutsStored) { workoutDays.insert(workouts.day) }

  mutating func observe(_ file: FileStored, at event: Occurrence) {
    dayCount = file.days
    insights = file.file == ServerDays.insights ? (file.digest, event.line) : nil
  }

  mutating func observe(_ start: ServerRestarted) {
    guard start.cause == "wipe" else { return }
    (goal, workoutDays, insights, dayCount) = (nil, [], nil, nil)
  }

  mutating func observe(_ damage: FileDamaged) {
    if damage.file == ServerDays.contextStore { (workoutDays, insights, dayCount) = ([], nil, nil) }
    if damage.file == ServerDays.profile { goal = nil }
  }

  /// What is wrong with insights that were just written, and their line; nil if they are right, or if it is not known.
  mutating func flaw(of server: ServerDays) -> (why: String, line: Int)? {
    // A server may have days from before the run.
    guard !isReported, let insights, let dayCount,
      dayCount == workoutDays.union(server.days.keys).count
    else { return nil }
    let file = ReferenceWeek.file(server.days.mapValues(\.text), goal: goal)
    guard insights.digest != file.map({ Digest.text(Digest.prefix($0)) }) else { return nil }
    isReported = true
    let text = file.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
    return (
      "the file insights.json does not have the averages of the last seven full days; expected \(text)", insights.line
    )
  }
}
