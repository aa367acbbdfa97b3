import CoachProtocol
import Link

/// The server's store of daily aggregates: upserts what the phone posts, and replaces files whose content changed.
struct InsightsServer: Sendable {
  /// What a call orders: changes of files, committed together, and events.
  struct Orders: Sendable {
    var changes: [EdgeChange] = []
    var events: [any TraceEventKind] = []
  }

  private(set) var record: EdgeRecord
  private(set) var context: ContextStore
  private(set) var profile = UserProfile()
  /// The last chat message that was read; 0 for none.
  ///
  /// Only messages that change the profile are worth a write, so that a restarted server reads those after the last one again.
  private(set) var readMessage = 0
  private let random: RandomStream
  private let plants: Plants

  /// Starts the server from its files; one that cannot be read is reported, and left out.
  init(
    seed: UInt64, restoring record: EdgeRecord, plants: Plants, start: UInt64, at now: VirtualTime,
    into orders: inout Orders
  ) {
    self.record = record
    self.plants = plants
    random = RandomStream(seed: seed, name: "edge.insights")
    let key = RandomStream.key(UInt64(bitPattern: now.nanoseconds), start)
    context = ContextStore(store: Identifier(random, for: key))
    if let bytes = record.files[.profile] {
      do throws(FileDamage) { profile = try UserProfile(bytes) } catch {
        Self.report(error, in: .profile, bytes, into: &orders)
      }
      readMessage = profile.message
    }
    guard let bytes = record.files[.contextStore] else { return }
    do throws(FileDamage) {
      context = try ContextStore(bytes)
    } catch {
      Self.report(error, in: .contextStore, bytes, into: &orders)
      // Planted: what can be read of it is used, and that is the identifier.
      if plants.contains(.halfTrusted), let known = Self.identifier(in: bytes) { context.store = known }
    }
    // Regenerable: a damaged or missing file is written again.
    writeInsights(into: &orders)
    writeHistory(into: &orders)
  }

  private static func report(
    _ damage: FileDamage, in file: EdgeFile, _ bytes: [UInt8], into orders: inout Orders
  ) {
    var event = FileDamaged()
    (event.file, event.bytes, event.why) = (file.rawValue, Int64(bytes.count), damage.why)
    orders.events.append(event)
  }

  private static func identifier(in bytes: [UInt8]) -> Identifier? {
    Identifier(text: String(decoding: bytes.dropFirst(10).prefix(36), as: UTF8.self))
  }

  /// Upserts the days of a request, and answers it.
  mutating func receive(_ body: JSONNode, into orders: inout Orders) throws(Diagnostics) -> InsightsSyncResponse {
    let request: InsightsSyncRequest = try .reading(readMeals(body))
    var changed = 0
    for day in request.days where upsert(day, into: &orders) { changed += 1 }
    context.dropOldest()
    // Planted: the file is written at each sync.
    if changed > 0 || plants.contains(.alwaysWritten) { write(.contextStore, context.bytes, into: &orders) }
    let hasExtracted = readChat(request.chat ?? [], into: &orders)
    if changed > 0 || hasExtracted { writeInsights(into: &orders) }
    return InsightsSyncResponse(
      store: context.store, dayCount: context.days.count, readMessage: request.chat == nil ? nil : readMessage)
  }

  /// Extracts the profile from chat messages; returns whether it changed.
  ///
  /// Messages that were read before change nothing, and those after a gap wait until the phone has posted the gap.
  private mutating func readChat(_ chat: [ChatMessage], into orders: inout Orders) -> Bool {
    var hasChanged = false
    for message in chat where message.number == readMessage + 1 {
      readMessage = message.number
      guard profile.extract(message) else { continue }
      hasChanged = true
      var event = ProfileExtracted()
      (event.message, event.profile) = (Int64(message.number), JSONText(String(decoding: profile.bytes, as: UTF8.self)))
      orders.events.append(event)
    }
    if hasChanged { write(.profile, profile.bytes, into: &orders) }
    return hasChanged
  }

  /// Replaces a day's snapshot; returns whether it changed.
  private mutating func upsert(_ data: DailySyncData, into orders: inout Orders) -> Bool {
    var snapshot = ContextStore.DailySnapshot(data: data)
    if let known = context.days[data.date] {
      // A request may be repeated, or arrive after a later one.
      if known.data.revision >= data.revision {
        guard plants.contains(.addedUp), let more = data.nutrition, known.data.nutrition != nil else { return false }
        // Planted: what is posted again is added.
        snapshot = known
        snapshot.data.nutrition?.calories += more.calories
        snapshot.data.nutrition?.protein += more.protein
        snapshot.data.nutrition?.carbs += more.carbs
        snapshot.data.nutrition?.fat += more.fat
      }
      // Planted: earlier versions stay.
      if plants.contains(.versionsKept) { snapshot.versions = known.versions + [known.data.json.compactText] }
    }
    context.days[data.date] = snapshot
    var event = DayUpserted()
    (event.day, event.revision) = (data.date, Int64(data.revision))
    event.snapshot = JSONText(snapshot.json.compactText)
    orders.events.append(event)
    return true
  }

  /// Stores the workouts of an answer of the external service; returns how many days changed.
  mutating func receive(_ workouts: [ServiceWorkout], into orders: inout Orders) -> Int {
    var changed = 0
    for (date, list) in Dictionary(grouping: workouts, by: \.date).sorted(by: { $0.key < $1.key }) {
      // The service may list a workout twice.
      var seen: Set<Identifier> = []
      let unique = list.filter { seen.insert($0.id).inserted }
      guard context.workouts[date] != unique else { continue }
      context.workouts[date] = unique
      changed += 1
      var event = WorkoutsStored()
      event.day = date
      event.workouts = JSONText(JSONValue.array(unique.map(\.json)).compactText)
      orders.events.append(event)
    }
    guard changed > 0 else { return 0 }
    context.dropOldest()
    write(.contextStore, context.bytes, into: &orders)
    writeHistory(into: &orders)
    return changed
  }

  /// Planted: takes the meals out of a request, and stores them.
  private mutating func readMeals(_ body: JSONNode) -> JSONNode {
    guard plants.contains(.mealsUploaded), case .object(var members) = body.value,
      let index = members.firstIndex(where: { $0.key == "meals" })
    else { return body }
    if case .array(let names) = members.remove(at: index).node.value { context.meals = names }
    return JSONNode(.object(members))
  }

  // MARK: Files

  private mutating func writeInsights(into orders: inout Orders) {
    let insights = context.insights(goal: profile.goal, isTodayCounted: plants.contains(.weekWithToday))
    guard let insights, insights != record.files[.insights] else { return }
    write(.insights, insights, into: &orders)
  }

  private mutating func writeHistory(into orders: inout Orders) {
    guard let history = context.exerciseHistory, history != record.files[.exerciseHistory] else { return }
    write(.exerciseHistory, history, into: &orders)
  }

  private mutating func write(_ file: EdgeFile, _ bytes: [UInt8], into orders: inout Orders) {
    record.apply(.write(file, bytes))
    orders.changes.append(.write(file, bytes))
    var event = FileStored()
    (event.file, event.bytes, event.days) = (file.rawValue, Int64(bytes.count), Int64(context.dates.count))
    event.store = context.store
    event.digest = Digest.text(Digest.prefix(bytes))
    orders.events.append(event)
  }
}
