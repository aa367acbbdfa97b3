import CoachProtocol
import Link
import LinkStore

/// Tables of meals, daily aggregates and the chat.
final class DailyTables {
  private let database: Database

  init(_ database: Database) { self.database = database }

  private lazy var addMeal = Statement(
    database, "INSERT OR REPLACE INTO NutritionEntry VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
  private lazy var removeMeal = Statement(database, "DELETE FROM NutritionEntry WHERE id = ?1")
  private lazy var writeAggregate = Statement(database, "INSERT OR REPLACE INTO DailyAggregate VALUES (?1, ?2, ?3, ?4)")
  private lazy var confirm = Statement(
    database, "UPDATE DailyAggregate SET syncedRevision = max(syncedRevision, ?2) WHERE day = ?1")
  private lazy var forgetConfirmed = Statement(database, "UPDATE DailyAggregate SET syncedRevision = 0")
  private lazy var setState = Statement(database, "INSERT OR REPLACE INTO DailyState VALUES (?1, ?2)")
  private lazy var addChat = Statement(
    database, "INSERT INTO ChatMessage SELECT coalesce(max(number), 0) + 1, ?1, ?2 FROM ChatMessage")
  private lazy var readChat = Statement(database, "SELECT number, date, text FROM ChatMessage ORDER BY number")
  private lazy var readMeals = Statement(
    database, "SELECT id, date, day, name, calories, protein, carbs, fat FROM NutritionEntry ORDER BY rowid")
  private lazy var readAggregates = Statement(
    database, "SELECT day, revision, syncedRevision, snapshot FROM DailyAggregate ORDER BY day")
  private lazy var readState = Statement(database, "SELECT key, value FROM DailyState ORDER BY key")

  // MARK: Writing

  func apply(_ change: DailyChange) throws(StoreError) {
    switch change {
    case .logged(let entry):
      try addMeal.run(
        entry.id.text, entry.date, entry.day.number, entry.name, entry.calories, entry.protein, entry.carbs, entry.fat)
    case .removed(let id, _): try removeMeal.run(id.text)
    case .mealsDrawn(let instant): try setState.run("mealsThrough", String(instant.nanoseconds))
    case .aggregated(let aggregate):
      try writeAggregate.run(
        aggregate.day.number, aggregate.revision, aggregate.syncedRevision, aggregate.data.json.compactText)
    case .synced(let days): try confirm(days)
    case .storeReplaced(let store, let days):
      try setState.run("store", store.text)
      try forgetConfirmed.run()
      try confirm(days)
    case .queried(let day): try setState.run("lastQueried", String(day.number))
    case .chatWritten(let entry): try addChat.run(entry.date, entry.text)
    case .chatDrawn(let instant): try setState.run("chatThrough", String(instant.nanoseconds))
    case .chatRead(let number): try setState.run("chatRead", String(number))
    }
  }

  private func confirm(_ days: [DayRevision]) throws(StoreError) {
    for entry in days { try confirm.run(entry.day.number, entry.revision) }
  }

  // MARK: Reading

  func load() throws(StoreError) -> DailyRecord {
    var record = DailyRecord()
    try readMeals.forEachRow { (row) throws(StoreError) in
      guard let id = Identifier(text: row.text(0)) else {
        throw StoreError(.corrupt, "a meal of the store has no identifier")
      }
      let entry = NutritionEntry(
        id: id, date: row.int64(1), day: LocalDay(row.int64(2)), name: row.text(3),
        calories: Int(try row.int64(4, in: 0...DailyCommand.caloriesMax)),
        protein: Int(try row.int64(5, in: 0...DailyCommand.gramsMax)),
        carbs: Int(try row.int64(6, in: 0...DailyCommand.gramsMax)),
        fat: Int(try row.int64(7, in: 0...DailyCommand.gramsMax)))
      record.meals[entry.day, default: []].append(entry)
    }
    try readAggregates.forEachRow { (row) throws(StoreError) in
      let day = LocalDay(row.int64(0))
      guard let node = try? JSONParser.parse(row.text(3), dialect: .json),
        let reader = JSONObjectReader(node, into: DiagnosticsCollector(file: "snapshot")),
        let data = DailySyncData(reader)
      else { throw StoreError(.corrupt, "the totals of day \(day.number) in the store cannot be read") }
      record.aggregates[day] = DailyAggregate(
        day: day, revision: Int(try row.int64(1, in: 1...Int64(Int32.max))),
        syncedRevision: Int(try row.int64(2, in: 0...Int64(Int32.max))), nutrition: data.nutrition,
        health: data.health)
    }
    try loadChat(into: &record)
    let state = readState
    while try state.step() {
      let value = state.text(1)
      switch state.text(0) {
      case "store": record.store = Identifier(text: value)
      case "mealsThrough": record.mealsThrough = Int64(value).map { VirtualTime(nanoseconds: $0) }
      case "chatThrough": record.chatThrough = Int64(value).map { VirtualTime(nanoseconds: $0) }
      case "chatRead": record.chatRead = max(0, Int(value) ?? 0)
      case "lastQueried": record.lastQueried = Int64(value).map { LocalDay($0) }
      default: break
      }
    }
    return record
  }

  private func loadChat(into record: inout DailyRecord) throws(StoreError) {
    try readChat.forEachRow { (row) throws(StoreError) in
      let entry = ChatEntry(date: row.int64(1), text: row.text(2))
      // The numbers are how the server knows what it has read.
      guard row.int64(0) == Int64(record.chat.count + 1), ChatMessage.isText(entry.text) else {
        throw StoreError(.corrupt, "the chat of the store has no readable message \(record.chat.count + 1)")
      }
      record.chat.append(entry)
    }
  }
}
