import CoachProtocol
import Link
import Testing

@testable import EdgeSim

/// The server's store of daily aggregates, and what it finds in its files.
@Suite struct InsightsServerTests {
  private static func server(_ record: EdgeRecord = EdgeRecord(), start: UInt64 = 0) -> (InsightsServer, [String]) {
    var orders = InsightsServer.Orders()
    let server = InsightsServer(
      seed: 1, restoring: record, plants: [], start: start, at: .start + .seconds(Int64(start)), into: &orders)
    return (server, orders.events.map { type(of: $0).name.text })
  }

  private static func day(_ date: String, _ revision: Int = 1, calories: Int = 500) -> DailySyncData {
    var health = HealthSnapshot()
    (health.steps, health.sleepHours) = (4_000, 7.25)
    return DailySyncData(
      date: date, revision: revision, nutrition: NutritionSnapshot(calories: calories, protein: 20, entryCount: 1),
      health: health)
  }

  @discardableResult
  private static func post(
    _ days: [DailySyncData], to server: inout InsightsServer
  ) throws -> (response: InsightsSyncResponse, events: [String], changes: [EdgeChange]) {
    var orders = InsightsServer.Orders()
    let body = try JSONParser.parse(InsightsSyncRequest(store: nil, days: days).bytes, dialect: .json)
    let response = try server.receive(body, into: &orders)
    return (response, orders.events.map { type(of: $0).name.text }, orders.changes)
  }

  @Test func `days are kept over a restart, with the identifier of the store`() throws {
    var (server, _) = Self.server()
    try Self.post([Self.day("2026-03-27"), Self.day("2026-03-28")], to: &server)
    let (again, events) = Self.server(server.record, start: 1)
    #expect(again.context == server.context && again.context.days.count == 2)
    #expect(events.isEmpty)
  }

  @Test func `posting twice writes and changes nothing`() throws {
    var (server, _) = Self.server()
    let first = try Self.post([Self.day("2026-03-27"), Self.day("2026-03-28")], to: &server)
    #expect(first.events == ["edge.upserted", "edge.upserted", "edge.stored", "edge.stored"])
    let before = server.record
    let second = try Self.post([Self.day("2026-03-27"), Self.day("2026-03-28")], to: &server)
    #expect(second.events.isEmpty && second.changes.isEmpty && server.record == before)
    #expect(second.response == first.response && second.response.dayCount == 2)
  }

  @Test func `an earlier revision that arrives late changes nothing`() throws {
    var (server, _) = Self.server()
    try Self.post([Self.day("2026-03-28", 3, calories: 900)], to: &server)
    try Self.post([Self.day("2026-03-28", 2, calories: 400)], to: &server)
    #expect(server.context.days["2026-03-28"]?.data.nutrition?.calories == 900)
  }

  @Test func `every beginning of the file is found damaged, and only the whole is read`() throws {
    var (server, _) = Self.server()
    try Self.post([Self.day("2026-03-27"), Self.day("2026-03-28")], to: &server)
    let bytes = try #require(server.record.files[.contextStore])
    for count in bytes.indices {
      var record = server.record
      record.files[.contextStore] = Array(bytes[..<count])
      let (again, events) = Self.server(record, start: 1)
      #expect(again.context.days.isEmpty && again.context.store != server.context.store)
      #expect(events == ["edge.damaged"])
    }
  }

  @Test func `damaged insights are computed again`() throws {
    var (server, _) = Self.server()
    try Self.post([Self.day("2026-03-27"), Self.day("2026-03-28")], to: &server)
    var record = server.record
    record.apply(.tear(.insights))
    #expect(record != server.record)
    let (again, events) = Self.server(record, start: 1)
    #expect(again.record == server.record && events == ["edge.stored"])
  }

  @Test func `insights leave out the day that still changes`() throws {
    var (server, _) = Self.server()
    try Self.post([Self.day("2026-03-28")], to: &server)
    #expect(server.record.files[.insights] == nil)
    let next = try Self.post([Self.day("2026-03-29", calories: 9)], to: &server)
    #expect(next.changes.count == 2)
    let text = String(decoding: try #require(server.record.files[.insights]), as: UTF8.self)
    #expect(text.contains("\"through\":\"2026-03-28\"") && text.contains("\"calories\":500"), "\(text)")
    let same = try Self.post([Self.day("2026-03-29", 2, calories: 10)], to: &server)
    #expect(same.changes.count == 1)
  }

  @Test(arguments: [
    "{}", "{\"days\":{}}", "{\"days\":[{\"date\":\"tomorrow\",\"revision\":1}]}",
    "{\"days\":[{\"date\":\"2026-03-28\",\"revision\":0}]}",
    "{\"days\":[{\"date\":\"2026-03-28\",\"revision\":1,\"meals\":[\"pie\"]}]}", "{\"days\":[],\"meals\":[]}",
    "{\"days\":[{\"date\":\"2026-03-28\",\"revision\":1,\"nutrition\":{\"calories\":-1,\"protein\":1,\"entry_count\":1}}]}",
  ])
  func `a request of another shape gets status 400 and changes nothing`(body: String) throws {
    var rig = EdgeRig()
    rig.ask(EdgeCall.insightsSync.path, Array(body.utf8), at: .start)
    rig.run()
    #expect(rig.value(0, "status")?.value == .integer(400))
    #expect(rig.lines.allSatisfy { !$0.name.text.hasPrefix("edge.upserted") && $0.name.text != "edge.stored" })
  }

  @Test func `the store has at most ten years`() throws {
    var (server, _) = Self.server()
    for year in 2000..<2012 {
      try Self.post(
        (0..<360).map {
          Self.day("\(year)-\(String(100 + $0 / 30 + 1).suffix(2))-\(String(100 + $0 % 30 + 1).suffix(2))")
        },
        to: &server)
    }
    #expect(server.context.days.count == ContextStore.daysMax)
    #expect(server.context.days["2000-01-01"] == nil && server.context.days["2011-12-30"] != nil)
  }
}
