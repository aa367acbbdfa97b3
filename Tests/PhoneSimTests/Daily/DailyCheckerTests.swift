@testable import CoachCheckers
import Link
import Testing

@testable import PhoneSim

/// Each invariant of the daily aggregates: the smallest trace that breaks it, and one that does not.
@Suite struct DailyCheckerTests {
  private static let post = Identifier(high: 1, low: 1)
  private static let store = Identifier(high: 2, low: 2)
  private static let totals = "{\"nutrition\":{\"calories\":500,\"protein\":20,\"entry_count\":1}}"

  private func judge(_ invariant: String, _ events: [any TraceEventKind]) throws -> Int {
    var trace = CoachTrace()
    for (index, event) in events.enumerated() {
      let isEdge = type(of: event).name.text.hasPrefix("edge.")
      trace.add(type(of: event).name.text, Double(index + 1), on: isEdge ? .edge : .phone, event.fields)
    }
    return try trace.judge(only: [invariant]).violations.count
  }

  private func meal(_ calories: Int64 = 500, day: String = "2026-03-28", date: String = "2026-03-28T12:00:00Z")
    -> MealLogged
  {
    var event = MealLogged()
    (event.id, event.day, event.date) = (Identifier(high: 3, low: UInt64(calories)), day, date)
    (event.name, event.calories, event.protein) = ("x", calories, 20)
    return event
  }

  private func aggregated(_ totals: String = totals, revision: Int64 = 1, day: String = "2026-03-28") -> DayAggregated {
    var event = DayAggregated()
    (event.day, event.revision, event.totals) = (day, revision, JSONText(totals))
    return event
  }

  private func posted(_ body: String? = nil, days: String = "[{\"date\":\"2026-03-28\",\"revision\":1}]") -> DaysPosted
  {
    let right = "{\"days\":[{\"date\":\"2026-03-28\",\"revision\":1,\(Self.totals.dropFirst())]}"
    var event = DaysPosted()
    (event.id, event.days) = (Self.post, JSONText(days))
    event.digest = Digest.text(Digest.prefix(Array((body ?? right).utf8)))
    return event
  }

  private func synced(pending: Int64 = 0) -> DaysSynced {
    var event = DaysSynced()
    (event.id, event.store, event.pending) = (Self.post, Self.store, pending)
    return event
  }

  private func upserted(_ totals: String = totals, revision: Int64 = 1) -> DayUpserted {
    var event = DayUpserted()
    (event.day, event.revision) = ("2026-03-28", revision)
    event.snapshot = JSONText("{\"revision\":\(revision),\(totals.dropFirst())")
    return event
  }

  private func stored(_ content: String, days: Int64 = 1, bytes: Int64? = nil) -> FileStored {
    var event = FileStored()
    (event.file, event.store, event.days) = (ServerDays.contextStore, Self.store, days)
    (event.bytes, event.digest) = (bytes ?? Int64(content.utf8.count), Digest.text(Digest.prefix(Array(content.utf8))))
    return event
  }

  private var file: String {
    "{\"store\":\"\(Self.store.text)\",\"days\":{\"2026-03-28\":{\"revision\":1,\(Self.totals.dropFirst())}}"
  }

  @Test func `a request holds the totals of its days and nothing else`() throws {
    let name = "aggregates-only"
    #expect(try judge(name, [aggregated(), posted()]) == 0)
    let more = "{\"days\":[{\"date\":\"2026-03-28\",\"revision\":1,\(Self.totals.dropFirst())],\"meals\":[\"x\"]}"
    #expect(try judge(name, [aggregated(), posted(more)]) == 1)
    #expect(try judge(name, [aggregated(revision: 2), posted()]) == 1)
    #expect(try judge(name, [aggregated("{\"meals\":[]}")]) == 1)
    #expect(try judge(name, [aggregated("{\"nutrition\":{\"name\":\"x\"}}")]) == 1)
  }

  @Test func `the server's file holds the snapshots of its days and nothing else`() throws {
    let name = "aggregates-only"
    #expect(try judge(name, [upserted(), stored(file)]) == 0)
    #expect(try judge(name, [upserted(), stored(file + " ")]) == 1)
    #expect(
      try judge(name, [ServerRestarted(cause: "restart"), upserted(), ServerRestarted(cause: "restart"), stored(file)])
        == 0)
    #expect(try judge(name, [upserted(), ServerRestarted(cause: "wipe"), stored(file)]) == 1)
    #expect(try judge(name, [upserted(), FileDamaged(file: "context_store.json"), stored(file)]) == 1)
    #expect(try judge(name, [upserted(), FileDamaged(file: "insights.json"), stored(file)]) == 0)
  }

  @Test func `only a later revision replaces a snapshot`() throws {
    let name = "sync-idempotent"
    #expect(try judge(name, [upserted(), upserted(revision: 2), ServerRestarted(cause: "wipe"), upserted()]) == 0)
    #expect(try judge(name, [upserted(), upserted()]) == 1)
    #expect(try judge(name, [upserted(revision: 2), ServerRestarted(cause: "restart"), upserted()]) == 1)
  }

  @Test(arguments: [(0, 0, 2, 1), (0, 0, 1, 0), (1, 0, 2, 0), (0, 1, 2, 0), (0, 0, 3, 1)])
  func `nothing is posted right after an answer that left nothing to post`(
    pending: Int64, chatPending: Int64, times: Int, broken: Int
  ) throws {
    var trace = CoachTrace()
    var answer = synced(pending: pending)
    answer.chatPending = chatPending
    for index in 0..<times {
      let at = Double(index + 1)
      trace.add("daily.synced", at, on: .phone, answer.fields)
      trace.add("daily.posted", at, on: .phone, posted(days: "[]").fields)
      trace.add("daily.posted", at + 0.5, on: .phone, posted(days: "[]").fields)
    }
    #expect(try trace.judge(only: ["sync-idempotent"]).violations.count == broken)
  }

  @Test func `a server that lost its days gets all of them`() throws {
    let name = "wiped-server-whole"
    #expect(try judge(name, [aggregated(), ServerRestarted(cause: "wipe"), posted(), upserted(), synced()]) == 0)
    #expect(try judge(name, [aggregated(), upserted(), ServerRestarted(cause: "wipe"), posted(), synced()]) == 1)
    #expect(
      try judge(name, [aggregated(), upserted(), FileDamaged(file: "context_store.json"), posted(), synced()]) == 1)
    // The request was answered before the loss, or more is to be posted.
    #expect(try judge(name, [aggregated(), posted(), upserted(), ServerRestarted(cause: "wipe"), synced()]) == 0)
    #expect(try judge(name, [aggregated(), ServerRestarted(cause: "wipe"), posted(), synced(pending: 1)]) == 0)
  }

  @Test func `a day has at most 3 KB`() throws {
    #expect(try judge("day-size", [stored("x", days: 2, bytes: 6_144)]) == 0)
    #expect(try judge("day-size", [stored("x", days: 2, bytes: 6_145)]) == 1)
    let long = "{\"versions\":\"\(String(repeating: "x", count: 3_100))\"}"
    #expect(try judge("day-size", [upserted(long)]) == 1)
  }

  @Test func `a file is written once for a change`() throws {
    let name = "few-writes"
    #expect(try judge(name, [upserted(), stored("a"), upserted(revision: 2), stored("b")]) == 0)
    #expect(try judge(name, [upserted(), stored("a"), upserted(revision: 2), stored("a")]) == 1)
    #expect(try judge(name, [upserted(), stored("a"), stored("b")]) == 1)
    #expect(try judge(name, [upserted(), stored("a"), ServerRestarted(cause: "wipe"), upserted(), stored("a")]) == 0)
  }

  @Test func `totals are those of the meals, and the server has them`() throws {
    let name = "sync-complete"
    #expect(try judge(name, [meal(), aggregated(), posted(), upserted(), synced()]) == 0)
    #expect(try judge(name, [meal(499), aggregated()]) == 1)
    #expect(try judge(name, [aggregated("{}")]) == 0)
    #expect(try judge(name, [meal(), aggregated("{}")]) == 1)
    #expect(try judge(name, [meal(), aggregated(), posted(), synced()]) == 1)
    #expect(try judge(name, [meal(), aggregated(), posted(), synced(pending: 1)]) == 0)
    #expect(try judge(name, [meal(), aggregated(), posted(), ServerRestarted(cause: "wipe"), synced()]) == 0)
  }

  @Test func `a meal belongs to its local day`() throws {
    #expect(try judge("local-days", [meal()]) == 0)
    #expect(try judge("local-days", [meal(day: "2026-03-29")]) == 1)
  }
}
