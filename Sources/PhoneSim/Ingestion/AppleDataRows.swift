import CoachProtocol
package import Link

/// The rows of the staging table, by the upsert's key.
///
/// Sorted arrays, each of some weeks: with a row for every record there may be hundreds of thousands, and a dictionary
/// of them takes twice the memory, three times while it grows.
package struct AppleDataRows: Sendable, Equatable {
  /// Seconds of a chunk.
  private static let chunkSeconds: Int64 = 32 * 86_400

  /// By the number of the chunk in which rows start; each sorted by key, none empty.
  private var chunks: [Int64: [AppleDataRow]] = [:]
  package private(set) var count = 0

  package var isEmpty: Bool { count == 0 }

  /// All rows, in no particular order.
  package var values: FlattenSequence<Dictionary<Int64, [AppleDataRow]>.Values> {
    chunks.values.joined()
  }

  /// All keys, in no particular order.
  package var keys: [AppleDataKey] { values.map(\.key) }

  /// Nil for no row; setting nil removes it.
  package subscript(key: AppleDataKey) -> AppleDataRow? {
    get {
      guard let rows = chunks[Self.chunk(of: key)] else { return nil }
      let index = Self.place(of: key, in: rows)
      return index < rows.count && rows[index].key == key ? rows[index] : nil
    }
    set {
      let chunk = Self.chunk(of: key)
      let index = Self.place(of: key, in: chunks[chunk] ?? [])
      let isKnown = chunks[chunk].map { index < $0.count && $0[index].key == key } ?? false
      switch (newValue, isKnown) {
      case (let row?, true): chunks[chunk]?[index] = row
      case (let row?, false):
        chunks[chunk, default: []].insert(row, at: index)
        count += 1
      case (nil, true):
        chunks[chunk]?.remove(at: index)
        count -= 1
        if chunks[chunk]?.isEmpty == true { chunks[chunk] = nil }
      case (nil, false): break
      }
    }
  }

  /// The row of a day, the first one if there are several, if any.
  func row(_ type: AppleDataType, of day: LocalDay) -> AppleDataRow? {
    // Wherever the day was spent.
    let noon = day.number &* 86_400 &+ Int64(type.periodStart.seconds)
    let (first, last) = (AppleDataKey(type: type, start: noon - 86_400), noon + 86_400)
    for chunk in Self.chunk(of: first)...Self.chunk(of: AppleDataKey(type: type, start: last)) {
      guard let rows = chunks[chunk] else { continue }
      for row in rows[Self.place(of: first, in: rows)...] {
        if row.start > last { break }
        if row.type == type, row.day == day { return row }
      }
    }
    return nil
  }

  /// Changes every row; the key stays.
  mutating func change(_ body: (inout AppleDataRow) -> Void) {
    for chunk in Array(chunks.keys) {
      guard var rows = chunks.removeValue(forKey: chunk) else { continue }
      for index in rows.indices { body(&rows[index]) }
      chunks[chunk] = rows
    }
  }

  private static func chunk(of key: AppleDataKey) -> Int64 { key.start / chunkSeconds }

  /// The index of the first row that is not before a key.
  private static func place(of key: AppleDataKey, in rows: [AppleDataRow]) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// A type of data that the app ingests from Apple's stores.
package enum AppleDataType: String, Sendable, CaseIterable {
  case sleep, calories, exercise, mindfulness, calendar, reminders

  /// The store: the column `sourceSDK`.
  package var source: String {
    switch self {
    case .sleep, .calories, .exercise, .mindfulness: "HealthKit"
    case .calendar, .reminders: "EventKit"
    }
  }

  /// The types for which one request of the app asks the user: `requestAuthorization` for all of HealthKit,
  /// `requestFullAccessToEvents` and `requestFullAccessToReminders`.
  var askedTogether: [AppleDataType] { source == "HealthKit" ? Self.allCases.filter { $0.source == source } : [self] }

  /// How long a row is kept after it was fetched, unless the user says otherwise.
  package var retention: VirtualTime.Span {
    switch self {
    case .sleep, .calories: .hours(7 * 24)
    case .exercise, .mindfulness: .hours(14 * 24)
    case .calendar, .reminders: .hours(30 * 24)
    }
  }

  /// Where the period of a day begins after midnight; a night is not cut at midnight.
  package var periodStart: VirtualTime.Span { self == .sleep ? .hours(12) : .zero }

  /// The measures that its rows parse into, in the order of the catalogue.
  package var measures: [AppleMeasure] { AppleMeasure.allCases.filter { $0.type == self } }

  /// Its position in ``allCases``.
  var index: Int {
    switch self {
    case .sleep: 0
    case .calories: 1
    case .exercise: 2
    case .mindfulness: 3
    case .calendar: 4
    case .reminders: 5
    }
  }
}

/// A measure of the catalogue.
package enum AppleMeasure: String, Sendable, CaseIterable {
  case sleepHours = "sleep_hours"
  case inBedHours = "inbed_hours"
  case sleepEfficiency = "sleep_efficiency"
  case caloriesBurned = "calories_burned"
  /// Without samples of resting energy, which the app does not ask for, it has no value.
  case totalCalories = "total_calories"
  case mindfulnessMinutes = "mindfulness_minutes"
  case mindfulnessSessions = "mindfulness_sessions"
  case exerciseMinutes = "exercise_minutes"
  case meetingHours = "meeting_hours"
  case meetingCount = "meeting_count"
  case tasksCompleted = "tasks_completed"
  case highPriorityCompleted = "high_priority_completed"

  /// The column `id` of its row in the catalogue: a UUID, the same in every store.
  package var id: Identifier { Identifier(of: .blank, "measures.\(rawValue)", 0) }

  /// By the text of its identifier.
  static let byId = Dictionary(uniqueKeysWithValues: allCases.map { ($0.id.text, $0) })

  /// The type whose rows give it.
  package var type: AppleDataType {
    switch self {
    case .sleepHours, .inBedHours, .sleepEfficiency: .sleep
    case .caloriesBurned, .totalCalories: .calories
    case .mindfulnessMinutes, .mindfulnessSessions: .mindfulness
    case .exerciseMinutes: .exercise
    case .meetingHours, .meetingCount: .calendar
    case .tasksCompleted, .highPriorityCompleted: .reminders
    }
  }

  /// The columns `unit`, `measureType`, `title` and `detailedDescription` of its row in the catalogue.
  package var row: (unit: String, type: String, title: String, about: String) {
    switch self {
    case .sleepHours: ("hours", "time", "Sleep Hours", "Total hours asleep")
    case .inBedHours: ("hours", "time", "Time in Bed", "Total hours in bed")
    case .sleepEfficiency: ("percent", "ratio", "Sleep Efficiency", "Sleep hours / time in bed")
    case .caloriesBurned: ("kcal", "energy", "Active Calories", "Active energy burned")
    case .totalCalories: ("kcal", "energy", "Total Calories", "Total energy burned")
    case .mindfulnessMinutes: ("minutes", "time", "Mindfulness Minutes", "Time spent in mindfulness")
    case .mindfulnessSessions: ("occasions", "count", "Mindfulness Sessions", "Number of mindfulness sessions")
    case .exerciseMinutes: ("minutes", "time", "Exercise Minutes", "Total exercise time")
    case .meetingHours: ("hours", "time", "Meeting Hours", "Time spent in meetings")
    case .meetingCount: ("occasions", "count", "Meetings", "Number of meetings")
    case .tasksCompleted: ("occasions", "count", "Tasks Completed", "Completed reminders")
    case .highPriorityCompleted:
      ("occasions", "count", "High-Priority Tasks Completed", "Completed reminders of high priority")
    }
  }
}
