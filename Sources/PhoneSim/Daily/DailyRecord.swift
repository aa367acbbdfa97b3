package import CoachProtocol
package import Link

/// A meal: a row of the table `NutritionEntry`, which never leaves the phone.
package struct NutritionEntry: Sendable, Equatable {
  package var id: Identifier
  /// When it was eaten, in nanoseconds since 1970 by the phone's clock.
  package var date: Int64
  /// The user's local day at that time; it stays when the user travels.
  package var day: LocalDay
  package var name: String
  /// Kilocalories.
  package var calories: Int
  /// Grams.
  package var protein: Int
  /// Carbohydrates in grams.
  package var carbs: Int
  /// Grams.
  package var fat: Int
}

/// What the phone knows of a day's totals, and what the server has confirmed.
package struct DailyAggregate: Sendable, Equatable {
  package var day: LocalDay
  /// Counts the changes from 1.
  package var revision: Int
  /// The last revision that the server confirmed; 0 for none.
  package var syncedRevision: Int
  /// Nil without meals.
  package var nutrition: NutritionSnapshot?
  /// Nil without metrics.
  package var health: HealthSnapshot?

  package var isPending: Bool { revision > syncedRevision }

  /// As posted.
  package var data: DailySyncData {
    DailySyncData(date: day.text, revision: revision, nutrition: nutrition, health: health)
  }
}

/// A day at one of its revisions.
package struct DayRevision: Sendable, Equatable {
  package var day: LocalDay
  package var revision: Int
}

/// A message that the user wrote in the chat: a row of the table `ChatMessage`.
package struct ChatEntry: Sendable, Equatable {
  /// Counts the messages of the chat from 1; 0 before it is stored.
  var number = 0
  /// When it was written, in nanoseconds since 1970 by the phone's clock.
  package var date: Int64
  package var text: String
}

/// The copy of all meals in the backup of the phone, beside it: a phone that is lost takes the others with it.
package struct MealBackup: Sendable, Equatable {
  /// Nil before the first backup.
  package var meals: [NutritionEntry]?
}

/// A durable change of meals, aggregates and chat.
package enum DailyChange: Sendable, Equatable {
  case logged(NutritionEntry)
  case removed(Identifier, LocalDay)
  /// The meals of this instant are in the backup.
  case backedUp
  /// Drawn meals are stored up to this instant.
  case mealsDrawn(through: VirtualTime)
  /// A day's totals are new, or changed.
  case aggregated(DailyAggregate)
  /// The server confirmed these days.
  case synced([DayRevision])
  /// The server has another store, which holds only these days.
  case storeReplaced(Identifier, holding: [DayRevision])
  /// The newest day whose metrics were queried.
  case queried(LocalDay)
  /// The next message of the chat.
  case chatWritten(ChatEntry)
  /// Drawn messages of the chat are stored up to this instant.
  case chatDrawn(through: VirtualTime)
  /// The server has read the chat up to the message of this number; 0 for none of it.
  case chatRead(through: Int)
}

/// What the phone stores of meals, aggregates and chat.
package struct DailyRecord: Sendable, Equatable {
  /// In the order in which they were stored.
  package var meals: [NutritionEntry] = []
  package var aggregates: [LocalDay: DailyAggregate] = [:]
  /// In the order in which they were written.
  package var chat: [ChatEntry] = []
  package var state = DailyState()
  package var backup = MealBackup()

  /// How many messages of the chat wait for a post.
  package var chatPendingCount: Int { max(0, chat.count - state.chatRead) }

  /// How many days wait for a post.
  package var pendingCount: Int { aggregates.values.count { $0.isPending } }
}

/// How far meals, aggregates and chat have come.
package struct DailyState: Sendable, Equatable {
  /// The server's store; nil before the first answer.
  package var store: Identifier?
  /// Nil before the first start.
  package var mealsThrough: VirtualTime?
  package var lastQueried: LocalDay?
  /// Nil before the first start with a chat.
  package var chatThrough: VirtualTime?
  /// The last message that the server has read; 0 for none.
  package var chatRead = 0
}

// MARK: Rows

extension NutritionEntry: StoredRow, DailyRow {
  static let table = StoredTable(
    "NutritionEntry",
    blank: NutritionEntry(id: .blank, date: 0, day: LocalDay(0), name: "", calories: 0, protein: 0, carbs: 0, fat: 0),
    [
      StoredColumn("id", \.id), StoredColumn("date", \.date), StoredColumn("day", \.day, isIndexed: true),
      StoredColumn("name", \.name),
      StoredColumn("calories", \.calories, in: 0...Double(DailyCommand.caloriesMax), .notNegative),
      StoredColumn("protein", \.protein, in: 0...Double(DailyCommand.gramsMax), .notNegative),
      StoredColumn("carbs", \.carbs, in: 0...Double(DailyCommand.gramsMax), .notNegative),
      StoredColumn("fat", \.fat, in: 0...Double(DailyCommand.gramsMax), .notNegative),
    ])
  static var inRecord: Place { \.meals }
  var rowKey: Identifier { id }
}

extension DailyAggregate: StoredRow, DailyRow {
  static let table = StoredTable(
    "DailyAggregate", blank: DailyAggregate(day: LocalDay(0), revision: 1, syncedRevision: 0),
    [
      StoredColumn("day", \.day), StoredColumn("revision", \.revision, in: 1...Double(Int32.max), .positive),
      StoredColumn("syncedRevision", \.syncedRevision, in: 0...Double(Int32.max)),
      // As posted.
      StoredColumn(
        "snapshot", .text, get: { .text($0.data.json.compactText) },
        set: { aggregate, cell in
          guard case .text(let text) = cell, let node = try? JSONParser.parse(text, dialect: .json),
            let reader = JSONObjectReader(node, into: DiagnosticsCollector(file: "snapshot")),
            let data = DailySyncData(reader)
          else { return false }
          (aggregate.nutrition, aggregate.health) = (data.nutrition, data.health)
          return true
        }),
    ])
  typealias Rows = [LocalDay: DailyAggregate]
  static var inRecord: Place { \.aggregates }
  var rowKey: LocalDay { day }
}

extension ChatEntry: StoredRow, DailyRow {
  static let table = StoredTable(
    "ChatMessage", blank: ChatEntry(date: 0, text: ""),
    [
      StoredColumn("number", \.number, .positive), StoredColumn("date", \.date), StoredColumn("text", \.text),
    ])
  static var inRecord: Place { \.chat }
  var rowKey: Int { number }
}

extension DailyState: OnlyRow, DailyRow {
  static let table = StoredTable.only(
    "DailyState", blank: DailyState(),
    [
      StoredColumn("store", \.store), StoredColumn("mealsThrough", \.mealsThrough),
      StoredColumn("lastQueried", \.lastQueried), StoredColumn("chatThrough", \.chatThrough),
      StoredColumn("chatRead", \.chatRead, in: 0...Double(Int32.max)),
    ])
  static var inRecord: Place { \.state }
}

extension MealBackup: OnlyRow, DailyRow {
  static let table = StoredTable.only(
    "MealBackup", blank: MealBackup(),
    [
      StoredColumn(
        "meals", .text,
        get: { backup in
          let rows = backup.meals?.map { JSONNode(NutritionEntry.table.json(of: $0)) }
          return .text(rows.map { JSONValue.array($0).compactText } ?? "")
        },
        set: { backup, cell in
          guard case .text(let text) = cell else { return false }
          guard !text.isEmpty else { return true }
          guard let rows = try? JSONParser.parse(text, dialect: .json).elements else { return false }
          let meals = rows.compactMap { NutritionEntry.table.row(of: $0) }
          backup.meals = meals
          return meals.count == rows.count
        })
    ])
  static var inRecord: Place { \.backup }
}

extension DailyRecord: MemoryRows {
  /// Follows a change that the phone makes: what is refused here, the store refuses as well, and ends the phone.
  mutating func follow(_ change: DailyChange) { try? apply(change) }
}

extension RowStore<DailyRecord> {
  /// Applies a change: rows that are put and removed.
  mutating func apply(_ change: DailyChange) throws(StoreError) {
    switch change {
    case .logged(let entry):
      // The newest one is the last.
      try remove(NutritionEntry.self, entry.id)
      try insert(entry)
    case .removed(let id, _): try remove(NutritionEntry.self, id)
    case .backedUp:
      let meals = try rows(NutritionEntry.self)
      try self.change(MealBackup.self) { $0.meals = meals }
    case .mealsDrawn(let instant): try self.change(DailyState.self) { $0.mealsThrough = instant }
    case .aggregated(let aggregate): try put(aggregate)
    case .synced(let days): try confirm(days)
    case .storeReplaced(let store, let days):
      try self.change(DailyState.self) { $0.store = store }
      try changeAll(DailyAggregate.self) { $0.syncedRevision = 0 }
      try confirm(days)
    case .queried(let day): try self.change(DailyState.self) { $0.lastQueried = day }
    case .chatWritten(let entry):
      var entry = entry
      entry.number = (try last(ChatEntry.self)?.number ?? 0) + 1
      try insert(entry)
    case .chatDrawn(let instant): try self.change(DailyState.self) { $0.chatThrough = instant }
    case .chatRead(let number): try self.change(DailyState.self) { $0.chatRead = number }
    }
  }

  private mutating func confirm(_ days: [DayRevision]) throws(StoreError) {
    for entry in days {
      try change(DailyAggregate.self, entry.day) { $0.syncedRevision = max($0.syncedRevision, entry.revision) }
    }
  }
}
