import CoachProtocol
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

/// `sync-idempotent`: posting twice changes nothing.
package struct SyncIdempotentChecker: Checker {
  package static let invariant = "sync-idempotent"
  package static let about =
    "The server replaces a day's snapshot only by a later revision, however often and in whatever order days arrive. A phone does not post again right after an answer that confirmed everything; once by chance is allowed."

  private var server = ServerDays()
  /// The newest answer, if it left nothing to post.
  private var complete: (time: VirtualTime, line: Int)?
  /// Posts that followed such an answer at once; the user may post at that instant, but not twice by chance.
  private var needless = 0

  package init(header: TraceHeader) {}

  package mutating func dayUpserted(_ day: DayUpserted, at event: Occurrence, into report: inout Report) {
    if let known = server.days[day.day], known.revision >= day.revision {
      report.add(
        "the snapshot of revision \(day.revision) of \(day.day) replaced revision \(known.revision)", at: event.time,
        lines: [known.line, event.line])
    }
    server.observe(day, at: event)
  }

  package mutating func daysSynced(_ sync: DaysSynced, at event: Occurrence, into report: inout Report) {
    complete = sync.pending == 0 && (sync.chatPending ?? 0) == 0 ? (event.time, event.line) : nil
  }

  package mutating func daysPosted(_: DaysPosted, at event: Occurrence, into report: inout Report) {
    guard let complete, complete.time == event.time else { return }
    needless += 1
    guard needless == 2 else { return }
    report.add(
      "the phone posts at once after an answer that left nothing to post", at: event.time,
      lines: [complete.line, event.line])
  }

  package mutating func serverRestarted(_ start: ServerRestarted, at event: Occurrence, into report: inout Report) {
    server.observe(start, at: event)
  }

  package mutating func fileDamaged(_ damage: FileDamaged, at event: Occurrence, into report: inout Report) {
    server.observe(damage, at: event)
  }
}

/// `day-size`: the server's store stays small.
package struct DaySizeChecker: Checker {
  package static let invariant = "day-size"
  package static let about = "A day has at most 3 KB in `context_store.json`, and so has the average day of the file."

  private static let bytesMax: Int64 = 3_072

  package init(header: TraceHeader) {}

  package mutating func dayUpserted(_ day: DayUpserted, at event: Occurrence, into report: inout Report) {
    guard day.snapshot.text.utf8.count > Self.bytesMax else { return }
    report.add(
      "the snapshot of \(day.day) has \(day.snapshot.text.utf8.count) bytes, at most \(Self.bytesMax) are right",
      at: event.time, lines: [event.line])
  }

  package mutating func fileStored(_ file: FileStored, at event: Occurrence, into report: inout Report) {
    guard file.file == ServerDays.contextStore else { return }
    let (limit, isOver) = max(1, file.days).multipliedReportingOverflow(by: Self.bytesMax)
    guard !isOver, file.bytes > limit else { return }
    report.add(
      "the file \(file.file) has \(file.bytes) bytes for \(file.days) days, at most \(limit) are right",
      at: event.time,
      lines: [event.line])
  }
}

/// `local-days`: a day is the user's, not the server's and not UTC's.
package struct LocalDaysChecker: Checker {
  package static let invariant = "local-days"
  package static let about =
    "A meal belongs to the local day of its date, by the time zone in force when it was eaten."

  private let header: TraceHeader

  package init(header: TraceHeader) { self.header = header }

  package mutating func mealLogged(_ meal: MealLogged, at event: Occurrence, into report: inout Report) {
    guard let date = TraceHeader.unixStart(meal.date) else { return }
    let offset = Int64(header.utcOffset(at: VirtualTime(nanoseconds: meal.eatenAt)))
    let day = LocalDay(clock: date, offset: offset).text
    guard day != meal.day else { return }
    report.add(
      "the meal of \(meal.date) is stored on \(meal.day), and its local day is \(day)", at: event.time,
      lines: [event.line])
  }
}

/// `memory-user-wins`: facts stated by the athlete are not replaced.
package struct MemoryUserWinsChecker: Checker {
  package static let invariant = "memory-user-wins"
  package static let about =
    "An inferred fact has a confidence below 1, and never replaces one that the athlete stated."

  /// The line of the trace with the athlete's own value of a key; 1 for its header.
  ///
  /// For lookup only.
  private var users: [String: Int] = [:]

  package init(header: TraceHeader) {
    guard case .object(let members) = header.memory.value else { return }
    for member in members { users[member.key] = 1 }
  }

  package mutating func memoryUpdated(_ fact: MemoryUpdated, at event: Occurrence, into report: inout Report) {
    let (key, source) = (fact.key, fact.source)
    guard source != "user" else { return users[key] = event.line }
    if let said = users[key] {
      report.add(
        "\"\(key)\" was set by the athlete, but another source (\(source)) replaced it", at: event.time,
        lines: [said, event.line])
    }
    if source == "ai_inferred", fact.confidence >= 1 {
      report.add("\"\(key)\" was inferred, but the app treats it as certain", at: event.time, lines: [event.line])
    }
  }
}

/// What a server should say of the days that were posted to it.
struct PostedSummary {
  private var days: Int64 = 0
  private var nutritionDays: Int64 = 0
  private var sums: [String: Double] = [:]
  private var stepDays: Int64 = 0

  /// - Parameter totals: Each day's totals as JSON text.
  init(_ totals: some Sequence<String>) {
    for text in totals {
      days += 1
      guard let node = try? JSONParser.parse(text, dialect: .json) else { continue }
      if let nutrition = node["nutrition"], let calories = nutrition["calories"]?.double, calories > 0 {
        nutritionDays += 1
        for key in ["calories", "protein", "carbs", "fat"] { sums[key, default: 0] += nutrition[key]?.double ?? 0 }
      }
      if let steps = node["health"]?["steps"]?.double, steps > 0 {
        stepDays += 1
        sums["steps", default: 0] += steps
      }
    }
  }

  /// Why what the server says cannot be; nil if it can: a server may have days from before, whose averages are its own.
  func difference(from context: ServerContext) -> String? {
    if context.nutritionDays < nutritionDays {
      return "the server has meals of \(context.nutritionDays) days, and \(nutritionDays) were posted"
    }
    if context.days < days { return "the server has \(context.days) days, and \(days) were posted" }
    guard context.days == days, context.nutritionDays == nutritionDays else { return nil }
    let said = [
      ("calories", context.calories, nutritionDays), ("protein", context.protein, nutritionDays),
      ("carbs", context.carbs, nutritionDays), ("fat", context.fat, nutritionDays), ("steps", context.steps, stepDays),
    ]
    for (key, average, count) in said {
      let posted = (sums[key] ?? 0) / Double(max(1, count))
      // Servers round.
      guard abs(Double(average) - posted) > 1 else { continue }
      return "the server has \(key) of \(average) on average, and \((posted * 10).rounded() / 10) were posted"
    }
    return nil
  }
}

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
  static let profile = "profile.json"
  static let insights = "insights.json"

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
