import CoachProtocol
import Link
import LinkStore

/// Tables of meals, daily aggregates and the chat.
struct DailyTables {
  private let addMeal: Statement
  private let removeMeal: Statement
  private let writeAggregate: Statement
  private let confirm: Statement
  private let forgetConfirmed: Statement
  private let setState: Statement
  private let addChat: Statement
  private let readChat: Statement
  private let readMeals: Statement
  private let readAggregates: Statement
  private let readState: Statement

  init(_ database: Database) {
    func statement(_ sql: String) -> Statement { Statement(database, sql) }
    addMeal = statement("INSERT OR REPLACE INTO NutritionEntry VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
    removeMeal = statement("DELETE FROM NutritionEntry WHERE id = ?1")
    writeAggregate = statement("INSERT OR REPLACE INTO DailyAggregate VALUES (?1, ?2, ?3, ?4)")
    confirm = statement("UPDATE DailyAggregate SET syncedRevision = max(syncedRevision, ?2) WHERE day = ?1")
    forgetConfirmed = statement("UPDATE DailyAggregate SET syncedRevision = 0")
    setState = statement("INSERT OR REPLACE INTO DailyState VALUES (?1, ?2)")
    addChat = statement("INSERT INTO ChatMessage SELECT coalesce(max(number), 0) + 1, ?1, ?2 FROM ChatMessage")
    readChat = statement("SELECT number, date, text FROM ChatMessage ORDER BY number")
    readMeals = statement("SELECT id, date, day, name, calories, protein FROM NutritionEntry ORDER BY rowid")
    readAggregates = statement("SELECT day, revision, syncedRevision, snapshot FROM DailyAggregate ORDER BY day")
    readState = statement("SELECT key, value FROM DailyState ORDER BY key")
  }

  // MARK: Writing

  func apply(_ change: DailyChange) throws(StoreError) {
    switch change {
    case .logged(let entry):
      addMeal.bind(entry.id.text, at: 1)
      addMeal.bind(entry.date, at: 2)
      addMeal.bind(entry.day.number, at: 3)
      addMeal.bind(entry.name, at: 4)
      addMeal.bind(entry.calories, at: 5)
      addMeal.bind(entry.protein, at: 6)
      try addMeal.run()
    case .removed(let id, _):
      removeMeal.bind(id.text, at: 1)
      try removeMeal.run()
    case .mealsDrawn(let instant): try set("mealsThrough", String(instant.nanoseconds))
    case .aggregated(let aggregate):
      writeAggregate.bind(aggregate.day.number, at: 1)
      writeAggregate.bind(aggregate.revision, at: 2)
      writeAggregate.bind(aggregate.syncedRevision, at: 3)
      writeAggregate.bind(DailySync.text(aggregate.data.json), at: 4)
      try writeAggregate.run()
    case .synced(let days): try confirm(days)
    case .storeReplaced(let store, let days):
      try set("store", store.text)
      try forgetConfirmed.run()
      try confirm(days)
    case .queried(let day): try set("lastQueried", String(day.number))
    case .chatWritten(let entry):
      addChat.bind(entry.date, at: 1)
      addChat.bind(entry.text, at: 2)
      try addChat.run()
    case .chatDrawn(let instant): try set("chatThrough", String(instant.nanoseconds))
    case .chatRead(let number): try set("chatRead", String(number))
    }
  }

  private func confirm(_ days: [DayRevision]) throws(StoreError) {
    for entry in days {
      confirm.bind(entry.day.number, at: 1)
      confirm.bind(entry.revision, at: 2)
      try confirm.run()
    }
  }

  private func set(_ key: String, _ value: String) throws(StoreError) {
    setState.bind(key, at: 1)
    setState.bind(value, at: 2)
    try setState.run()
  }

  // MARK: Reading

  func load() throws(StoreError) -> DailyRecord {
    var record = DailyRecord()
    let meals = readMeals
    while try meals.step() {
      guard let id = Identifier(text: meals.text(0)) else {
        meals.reset()
        throw StoreError(.corrupt, "a meal of the store has no identifier")
      }
      let entry = NutritionEntry(
        id: id, date: meals.int64(1), day: LocalDay(meals.int64(2)), name: meals.text(3),
        calories: Int(try meals.int64(4, in: 0...DailyCommand.caloriesMax)),
        protein: Int(try meals.int64(5, in: 0...DailyCommand.proteinMax)))
      record.meals[entry.day, default: []].append(entry)
    }
    let rows = readAggregates
    while try rows.step() {
      guard let node = try? JSONParser.parse(rows.text(3), dialect: .json),
        let reader = JSONObjectReader(node, into: DiagnosticsCollector(file: "snapshot")),
        let data = DailySyncData(reader)
      else {
        rows.reset()
        throw StoreError(.corrupt, "the totals of day \(rows.int64(0)) in the store cannot be read")
      }
      let day = LocalDay(rows.int64(0))
      record.aggregates[day] = DailyAggregate(
        day: day, revision: Int(try rows.int64(1, in: 1...Int64(Int32.max))),
        syncedRevision: Int(try rows.int64(2, in: 0...Int64(Int32.max))), nutrition: data.nutrition,
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
    let rows = readChat
    while try rows.step() {
      let entry = ChatEntry(date: rows.int64(1), text: rows.text(2))
      // The numbers are how the server knows what it has read.
      guard rows.int64(0) == Int64(record.chat.count + 1), ChatMessage.isText(entry.text) else {
        rows.reset()
        throw StoreError(.corrupt, "the chat of the store has no readable message \(record.chat.count + 1)")
      }
      record.chat.append(entry)
    }
  }
}
