import CoachProtocol
import Link
import Testing

@testable import EdgeSim

/// The server reads the chat once, in order, and again after a loss.
@Suite struct ChatReadingTests {
  private static let chat = [
    "My name is Mia.", "Thank you.", "My goal is to run 10 km.", "My knee hurts.", "How did I sleep?",
  ].enumerated().map { ChatMessage(number: $0.offset + 1, text: $0.element) }

  private static func server(_ record: EdgeRecord = EdgeRecord(), start: UInt64 = 0) -> InsightsServer {
    var orders = InsightsServer.Orders()
    return InsightsServer(
      seed: 1, restoring: record, plants: [], start: start, at: .start + .seconds(Int64(start)), into: &orders)
  }

  @discardableResult
  private static func post(
    _ chat: [ChatMessage]?, days: [DailySyncData] = [], to server: inout InsightsServer
  ) throws -> (read: Int?, events: [String], changes: [EdgeChange]) {
    var orders = InsightsServer.Orders()
    let request = InsightsSyncRequest(store: nil, days: days, chat: chat)
    let response = try server.receive(try JSONParser.parse(request.bytes, dialect: .json), into: &orders)
    return (response.readMessage, orders.events.map { type(of: $0).name.text }, orders.changes)
  }

  @Test func `posting twice, in pages or late changes nothing`() throws {
    var whole = Self.server()
    let first = try Self.post(Self.chat, to: &whole)
    #expect(first.read == 5 && first.changes.count == 1)
    #expect(first.events == ["edge.profiled", "edge.profiled", "edge.profiled", "edge.stored"])
    let again = try Self.post(Self.chat, to: &whole)
    #expect(again.read == 5 && again.events.isEmpty && again.changes.isEmpty)
    var paged = Self.server()
    try Self.post(Array(Self.chat[..<2]), to: &paged)
    try Self.post(Array(Self.chat[1..<4]), to: &paged)
    try Self.post(Array(Self.chat[..<3]), to: &paged)
    try Self.post(Array(Self.chat[4...]), to: &paged)
    #expect(paged.record == whole.record && paged.readMessage == 5)
  }

  @Test func `messages after a gap wait for it`() throws {
    var server = Self.server()
    let early = try Self.post(Array(Self.chat[2...]), to: &server)
    #expect(early.read == 0 && early.changes.isEmpty)
    #expect(try Self.post(Self.chat, to: &server).read == 5)
  }

  @Test func `an app without a chat learns nothing of it`() throws {
    var server = Self.server()
    #expect(try Self.post(nil, to: &server).read == nil)
    #expect(try Self.post([], to: &server).read == 0)
    #expect(server.record.files[.profile] == nil)
  }

  @Test func `a message without a fact is not worth a write, and is read again after a restart`() throws {
    var server = Self.server()
    try Self.post(Self.chat, to: &server)
    var again = Self.server(server.record, start: 1)
    #expect(again.profile == server.profile && again.readMessage == 4)
    let rest = try Self.post(Array(Self.chat[4...]), to: &again)
    #expect(rest.read == 5 && rest.changes.isEmpty && again.record == server.record)
  }

  @Test(arguments: [EdgeChange.wipe, .tear(.profile)])
  func `a lost profile and its insights are the same again after the whole chat`(loss: EdgeChange) throws {
    let days = (1...3).map { day in
      DailySyncData(
        date: "2026-03-0\(day)", revision: 1, nutrition: NutritionSnapshot(calories: 500, protein: 9, entryCount: 1))
    }
    var server = Self.server()
    try Self.post(Self.chat, days: days, to: &server)
    let files = server.record.files
    let insights = String(decoding: try #require(files[.insights]), as: UTF8.self)
    #expect(insights.hasSuffix("\"goal\":\"run 10 km\"}"), "\(insights)")
    var record = server.record
    record.apply(loss)
    var again = Self.server(record, start: 1)
    #expect(again.profile == UserProfile() && again.readMessage == 0)
    try Self.post(Self.chat, days: days, to: &again)
    #expect(again.record.files[.profile] == files[.profile] && again.record.files[.insights] == files[.insights])
  }
}
