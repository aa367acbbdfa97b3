import CoachProtocol
import Link

/// Stores meals and chat, aggregates the meals and the health metrics by local day, and posts changed days to the server.
///
/// A synchronisation posts the days that the server has not confirmed, or none, to learn whether the server still has
/// its store. If the answer names another store, everything is posted at once. A day is pending until an answer
/// confirms its revision, so lost requests, lost answers and restarts only repeat a post.
struct DailySync: Sendable {
  typealias Moment = PartMoment

  /// What a call orders: the changes are committed together, before the events are recorded and the request is sent.
  struct Orders: Sendable {
    var changes: [DailyChange] = []
    var events: [any TraceEventKind] = []
    /// Attempts whose answers are no longer awaited.
    var forgotten: [Identifier] = []
    var request: (id: Identifier, body: [UInt8])?
  }

  private struct Attempt: Sendable {
    var id: Identifier
    var deadline: VirtualTime
    var store: Identifier?
    var days: [DayRevision]
    /// The last message of the posted page; nil without one.
    var lastChat: Int?
  }

  /// Days that one synchronisation aggregates and posts at most.
  static let daysMax = DailySyncData.countMax
  /// Posts of one synchronisation, without the pages of the chat; the second is for a store that the phone does not know.
  static let postsMax = 2

  private(set) var record: DailyRecord
  let setup: DailySetup
  /// When local days begin.
  let zone: LocalOffsets
  /// The run's start, in seconds since 1970.
  let startSeconds: Int64
  let drawn: DrawnMeals
  let drawnChat: DrawnChat
  let random: RandomStream
  let plants: Plants
  private var syncAt: VirtualTime
  private var mealAt: VirtualTime?
  /// When the next drawn message of the chat is due, if any.
  var chatAt: VirtualTime?
  private var attempt: Attempt?
  /// When a failed post is repeated, if any.
  private var retryAt: VirtualTime?
  /// Failed posts since the last answer.
  private var failures = 0
  /// Posts of the current synchronisation.
  private var posts = 0
  private var isReachable = false
  /// Workouts of the health store that the totals have, since the app started.
  private var countedWorkouts = CountedWorkouts()
  /// Whether posts wait, in a race, which must work without a network.
  var isPaused = false
  var isDiskFull = false
  /// Whether the phone's health store says what it has; nothing is aggregated before.
  var isHealthKnown = true

  init(
    seed: UInt64, setup: DailySetup, startedAt: Int64, offsets: [WallHour.Offset], restoring record: DailyRecord,
    plants: Plants, at now: VirtualTime
  ) {
    self.record = record
    self.setup = setup
    self.plants = plants
    zone = LocalOffsets(startedAt: startedAt, offsets)
    startSeconds = CalendarDay.floorDivided(startedAt, 1_000_000_000)
    drawn = DrawnMeals(seed: seed, count: setup.mealsPerDay)
    drawnChat = DrawnChat(seed: seed, count: setup.chat?.messagesPerDay ?? 0)
    random = RandomStream(seed: seed, name: "phone.daily")
    syncAt = now
    mealAt = now
    chatAt = setup.chat == nil ? nil : now
  }

  var nextDeadline: VirtualTime? {
    guard !isDiskFull else { return attempt?.deadline }
    var next = isHealthKnown ? syncAt : .distantFuture
    if let mealAt { next = min(next, mealAt) }
    if let chatAt { next = min(next, chatAt) }
    if let attempt { next = min(next, attempt.deadline) }
    if let retryAt, isReachable, !isPaused { next = min(next, retryAt) }
    return next == .distantFuture ? nil : next
  }

  func isAwaiting(_ id: Identifier) -> Bool { attempt?.id == id }

  mutating func receive(uplinkIsUp: Bool, at now: VirtualTime) {
    if uplinkIsUp, !isReachable, retryAt != nil { retryAt = now }
    isReachable = uplinkIsUp
  }

  mutating func fire(_ moment: Moment, into orders: inout Orders) {
    if let attempt, attempt.deadline <= moment.now {
      orders.forgotten.append(attempt.id)
      let seconds = EdgeCall.insightsSync.deadline.nanoseconds / 1_000_000_000
      fail("no answer within \(seconds) s", moment, into: &orders)
    }
    guard !isDiskFull else { return }
    if let at = mealAt, at <= moment.now { logDrawnMeals(moment, into: &orders) }
    if let at = chatAt, at <= moment.now { storeDrawnChat(moment, into: &orders) }
    if isHealthKnown, syncAt <= moment.now {
      syncAt = moment.now + setup.every
      startSync(moment, into: &orders)
    } else if let at = retryAt, at <= moment.now, isReachable, !isPaused {
      post(moment, into: &orders)
    }
  }

  /// Carries out an act of the user; returns why not, or nil.
  mutating func carryOut(_ command: DailyCommand, _ moment: Moment, into orders: inout Orders) -> String? {
    guard !isDiskFull else { return "the disk is full" }
    switch command {
    case .logMeal(let meal):
      let at = (moment.truth &- meal.ago.nanoseconds) / 1_000_000_000
      let drawn = DrawnMeals.Meal(
        id: newMealId(at: moment.now), at: at, name: meal.name, calories: meal.calories, protein: meal.protein,
        carbs: meal.carbs, fat: meal.fat)
      log(drawn, moment, into: &orders)
    case .editMeal(let edit):
      guard let newest = newestMeal else { return "no meal is stored" }
      change(newest, edit, into: &orders)
    case .removeMeal:
      guard let newest = newestMeal else { return "no meal is stored" }
      commit(.removed(newest.id, newest.day), into: &orders)
      orders.events.append(MealRemoved(newest))
    case .backUp: backUp(into: &orders)
    case .replacePhone: return restoreBackup(into: &orders)
    case .syncDaily:
      guard isHealthKnown else {
        syncAt = min(syncAt, moment.now)
        break
      }
      syncAt = moment.now + setup.every
      startSync(moment, into: &orders)
    case .writeChat(let text):
      guard setup.chat != nil else { return "the app has no chat" }
      storeChat(text, date: moment.clock, into: &orders)
    }
    return nil
  }

  mutating func commit(_ change: DailyChange, into orders: inout Orders) {
    record.follow(change)
    orders.changes.append(change)
  }

  // MARK: Meals

  /// Stores the drawn meals since the last call: a phone that was off gets them when it is on again.
  private mutating func logDrawnMeals(_ moment: Moment, into orders: inout Orders) {
    let drawn = drawn
    let (due, next) = findDue(moment, since: record.state.mealsThrough) {
      drawn.meals(of: $0, offset: $1)
    } time: {
      $0.at
    }
    // Of one second in the order of their days: the last of them is the one that an edit changes.
    let inOrder = due.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
    for (_, meal) in inOrder { log(meal, moment, into: &orders) }
    if !due.isEmpty || record.state.mealsThrough == nil { commit(.mealsDrawn(through: moment.now), into: &orders) }
    mealAt = next
  }

  /// An identifier that no meal has, also none of the backup.
  private func newMealId(at now: VirtualTime) -> Identifier {
    let taken = Set((record.meals + (record.backup.meals ?? [])).map(\.id))
    var number = UInt64(record.meals.count)
    while true {
      let id = Identifier(random, for: RandomStream.key(UInt64(bitPattern: now.nanoseconds), number))
      if !taken.contains(id) { return id }
      number += 1
    }
  }

  /// The local day of the run's start, back from which the history counts: the app's first start may be later.
  private var firstToday: LocalDay {
    LocalDay(clock: startSeconds.saturatingNanoseconds, offset: zone.offset(at: startSeconds))
  }

  /// What was drawn for times since a last call, in the order of days, and when the next is due.
  ///
  /// - Parameters:
  ///   - moment: The time of this call.
  ///   - last: The time of the last call; nil for all days of the history.
  ///   - draw: What is drawn for a local day, by what local time adds to UTC.
  ///   - time: The true time of what is drawn, in seconds since 1970.
  func findDue<Drawn>(
    _ moment: Moment, since last: VirtualTime?, _ draw: (LocalDay, (Int64) -> Int64) -> [Drawn],
    time: (Drawn) -> Int64
  ) -> (due: [Drawn], next: VirtualTime?) {
    let now = moment.truth / 1_000_000_000
    let start = moment.truth &- moment.now.nanoseconds
    let today = LocalDay(clock: moment.truth, offset: moment.offset)
    let since =
      last.map { (start &+ $0.nanoseconds) / 1_000_000_000 }
      ?? LocalDay(firstToday.number - Int64(setup.historyDays)).begin(offset: zone.offset(at: startSeconds))
      / 1_000_000_000 - 1
    let first = LocalDay(clock: since.saturatingNanoseconds, offset: zone.offset(at: since)).number - 1
    var next: Int64?
    var due: [Drawn] = []
    let (zone, home) = (zone, startSeconds)
    for number in first...max(first, today.number + 2) {
      for drawn in draw(LocalDay(number), { zone.offset(atLocal: $0, inZoneOf: home) }) {
        let at = time(drawn)
        if at > now { next = min(next ?? at, at) } else if at > since { due.append(drawn) }
      }
    }
    return (due, next.map { VirtualTime(nanoseconds: $0.saturatingNanoseconds &- start) })
  }

  private mutating func log(_ meal: DrawnMeals.Meal, _ moment: Moment, into orders: inout Orders) {
    let eaten = meal.at.saturatingNanoseconds
    // Planted: a meal is eaten when it is entered.
    let date = plants.contains(.mealWhenEntered) ? moment.clock : moment.clock &- (moment.truth &- eaten)
    // Planted: the day is that of UTC.
    let at = plants.contains(.mealWhenEntered) ? moment.truth / 1_000_000_000 : meal.at
    let offset = plants.contains(.utcDays) ? 0 : zone.offset(at: at)
    let entry = NutritionEntry(
      id: meal.id, date: date, day: LocalDay(clock: date, offset: offset), name: meal.name, calories: meal.calories,
      protein: meal.protein, carbs: meal.carbs, fat: meal.fat)
    commit(.logged(entry), into: &orders)
    orders.events.append(MealLogged(entry, eatenAt: eaten &- (moment.truth &- moment.now.nanoseconds)))
  }

  // MARK: Aggregating

  private mutating func startSync(_ moment: Moment, into orders: inout Orders) {
    aggregate(moment, into: &orders)
    posts = 0
    guard attempt == nil else { return }
    post(moment, into: &orders)
  }

  /// Computes the totals of recent days, and of every day whose meals changed.
  private mutating func aggregate(_ moment: Moment, into orders: inout Orders) {
    let today = moment.today.number
    let last = record.state.lastQueried?.number ?? firstToday.number - Int64(setup.historyDays) + 1
    // After a flight to the east the day of 24 hours ago is not yesterday, and a night of it may have ended just now.
    let before = LocalDay(
      clock: moment.clock &- 86_400_000_000_000, offset: zone.offset(at: moment.truth / 1_000_000_000 - 86_400))
    let first = max(min(last - 1, today - 1, before.number), today - Int64(Self.daysMax) + 1)
    // Planted: a day is not read again once it is over.
    let from = plants.contains(.dayReadOnce) ? today : first
    let refused = moment.health?.refusedTypes(at: moment.now) ?? []
    let late = plants.contains(.dayReadOnce) ? [] : daysOfNewWorkouts(moment, canRead: refused.isEmpty)
    let queried = Set((from...today).map { LocalDay($0) }).union(late.filter { $0.number < first })
    let meals = Dictionary(grouping: record.meals, by: \.day)
    // Planted: nor are its meals.
    let others = plants.contains(.oldMealsLeft) ? [] : Set(meals.keys).union(record.aggregates.keys)
    for day in queried.union(others).sorted() {
      let known = record.aggregates[day]
      let read =
        queried.contains(day)
        ? moment.health?.snapshot(
          of: day, until: moment.truth / 1_000_000_000, at: moment.now, knowing: known?.health ?? .init()) ?? .init()
        : known?.health ?? .init()
      let health = queried.contains(day) ? planted(read, of: day, moment) : read
      let nutrition = Self.totals(meals[day] ?? [])
      guard nutrition != known?.nutrition || (health.isEmpty ? nil : health) != known?.health else { continue }
      let changed = DailyAggregate(
        day: day, revision: (known?.revision ?? 0) + 1, syncedRevision: known?.syncedRevision ?? 0,
        nutrition: nutrition, health: health.isEmpty ? nil : health)
      commit(.aggregated(changed), into: &orders)
      var event = DayAggregated()
      (event.day, event.revision) = (day.text, Int64(changed.revision))
      event.totals = JSONText(Self.text(changed.data.json, without: ["date", "revision"]))
      if !refused.isEmpty { event.refused = refused.joined(separator: ",") }
      orders.events.append(event)
    }
    // What could not be read is read as soon as it can be, as far back as it is missing.
    if record.state.lastQueried?.number != today, refused.isEmpty { commit(.queried(LocalDay(today)), into: &orders) }
  }

  /// The days, already counted, of workouts that came since.
  private mutating func daysOfNewWorkouts(_ moment: Moment, canRead: Bool) -> Set<LocalDay> {
    let first = moment.today.number - Int64(Self.daysMax) + 1
    return countedWorkouts.countNew(in: moment.health, canRead: canRead).filter {
      $0.number >= first && record.aggregates[$0] != nil
    }
  }

  private static func totals(_ meals: [NutritionEntry]) -> NutritionSnapshot? {
    guard !meals.isEmpty else { return nil }
    return meals.reduce(into: NutritionSnapshot()) { total, meal in
      total.calories += meal.calories
      total.protein += meal.protein
      total.carbs += meal.carbs
      total.fat += meal.fat
      total.entryCount += 1
    }
  }

  /// An object as compact JSON, without some of its members.
  static func text(_ json: JSONValue, without keys: [String] = []) -> String {
    guard case .object(let members) = json else { return "{}" }
    let kept = members.filter { !keys.contains($0.key) }
    return JSONValue.object(kept).compactText
  }

  // MARK: Posting

  private mutating func post(_ moment: Moment, into orders: inout Orders) {
    retryAt = nil
    guard isReachable, !isPaused else { return retryAt = moment.now }
    posts += 1
    let pending = record.aggregates.values.filter(\.isPending).sorted { $0.day < $1.day }.prefix(Self.daysMax)
    let revisions = pending.map { DayRevision(day: $0.day, revision: $0.revision) }
    let key = RandomStream.key(UInt64(bitPattern: moment.now.nanoseconds), UInt64(posts))
    let id = Identifier(random.appending(".post"), for: key)
    let chat = unreadChat()
    let body = body(InsightsSyncRequest(store: record.state.store, days: pending.map(\.data), chat: chat))
    attempt = Attempt(
      id: id, deadline: moment.now + EdgeCall.insightsSync.deadline, store: record.state.store, days: revisions,
      lastChat: chat?.last?.number)
    // Planted: a day counts as synchronised once it is posted.
    if plants.contains(.markedEarly), !revisions.isEmpty { commit(.synced(revisions), into: &orders) }
    var event = DaysPosted()
    (event.id, event.store, event.digest) = (id, record.state.store, Digest.text(Digest.prefix(body)))
    let list = revisions.map { "{\"date\":\"\($0.day.text)\",\"revision\":\($0.revision)}" }
    event.days = JSONText("[\(list.joined(separator: ","))]")
    (event.chatFrom, event.chatCount) = (chat?.first.map { Int64($0.number) }, chat.map { Int64($0.count) })
    orders.events.append(event)
    orders.request = (id, body)
  }

  private func body(_ request: InsightsSyncRequest) -> [UInt8] {
    guard plants.contains(.mealsUploaded), case .object(var members) = request.json else { return request.bytes }
    // Planted: the meals of the posted days go along.
    let names = request.days.flatMap { day in
      record.meals.filter { $0.day.text == day.date }.map { JSONNode(.string($0.name)) }
    }
    members.append(JSONMember("meals", .array(names)))
    return JSONWriter.compact(JSONNode(.object(members)))
  }

  /// Handles the answer to the current attempt; `body` is nil if it was not JSON.
  mutating func receive(status: Int, body: JSONNode?, _ moment: Moment, into orders: inout Orders) {
    guard let sent = attempt else { return }
    guard status == 200 else { return fail("status \(status)", moment, into: &orders) }
    guard let body, let response = try? InsightsSyncResponse.reading(body) else {
      return fail("the answer has another shape", moment, into: &orders)
    }
    if let dates = response.syncedDates, let missing = sent.days.first(where: { !dates.contains($0.day.text) }) {
      return fail("the answer does not name \(missing.day.text) as synced", moment, into: &orders)
    }
    guard !isDiskFull else { return fail("the disk is full", moment, into: &orders) }
    attempt = nil
    failures = 0
    if response.store == sent.store {
      if !sent.days.isEmpty { commit(.synced(sent.days), into: &orders) }
    } else {
      commit(.storeReplaced(response.store, holding: known(afterPosting: sent)), into: &orders)
    }
    if let message = response.readMessage { confirmChat(through: message, posted: sent.lastChat, into: &orders) }
    var event = DaysSynced()
    (event.id, event.store, event.pending) = (sent.id, response.store, Int64(record.pendingCount))
    if setup.chat != nil { event.chatPending = Int64(record.chatPendingCount) }
    orders.events.append(event)
    // A server without a chat never reads it.
    let hasUnread = response.readMessage != nil && record.chatPendingCount > 0
    // A changing store must not make the phone post without end.
    if record.pendingCount > 0 || hasUnread, posts < Self.postsMax + chatPages { post(moment, into: &orders) }
  }

  /// What a new store holds after a post.
  private func known(afterPosting sent: Attempt) -> [DayRevision] {
    guard plants.contains(.remembersWiped) else { return sent.days }
    // Planted: what was confirmed once stays confirmed.
    return record.aggregates.values.map { DayRevision(day: $0.day, revision: $0.syncedRevision) } + sent.days
  }

  /// Awaits no answer any more.
  mutating func forgetAttempt(into orders: inout Orders) {
    guard let sent = attempt else { return }
    orders.forgotten.append(sent.id)
    (attempt, retryAt) = (nil, nil)
  }

  private mutating func fail(_ why: String, _ moment: Moment, into orders: inout Orders) {
    guard let sent = attempt else { return }
    attempt = nil
    failures += 1
    let at = moment.now + RetryDelay.after(failures, of: sent.id, random)
    // The next synchronisation posts anyway.
    retryAt = at < syncAt ? at : nil
    var event = SyncFailed()
    (event.id, event.why, event.retryAt) = (sent.id, why, retryAt?.nanoseconds)
    orders.events.append(event)
  }
}
