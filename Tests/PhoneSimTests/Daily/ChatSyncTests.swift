import CoachProtocol
import Link
import Testing

@testable import PhoneSim

/// What the phone posts of the chat, and what it makes of the answers.
@Suite struct ChatSyncTests {
  private static let store = Identifier(high: 2, low: 2)
  /// 2026-03-27T05:00:00Z.
  private static let start: Int64 = 1_774_587_600_000_000_000

  private static let health = PhoneHealth(seed: 1, startedAt: start, offsets: [])

  /// A phone with a server that reads what it gets.
  private struct Rig {
    var sync: DailySync
    var now = VirtualTime.start
    /// The numbers of each post.
    var pages: [[Int]] = []
    /// What the server has read.
    var read = 0
    var events: [any TraceEventKind] = []

    init(messages: Int, record: DailyRecord = DailyRecord(), plants: Plants = []) {
      var setup = DailySetup()
      (setup.historyDays, setup.mealsPerDay) = (0, 0)
      setup.chat = ChatSetup()
      setup.chat?.messagesPerDay = 0
      var record = record
      for number in 0..<messages { record.follow(.chatWritten(ChatEntry(date: 0, text: "message \(number)"))) }
      sync = DailySync(
        seed: 1, setup: setup, startedAt: ChatSyncTests.start, offsets: [], restoring: record, plants: plants, at: now)
      sync.receive(uplinkIsUp: true, at: now)
    }

    private var moment: DailySync.Moment {
      let clock = ChatSyncTests.start &+ now.nanoseconds
      return DailySync.Moment(now: now, clock: clock, truth: clock, offset: 0, health: ChatSyncTests.health)
    }

    mutating func write(_ text: String) -> String? {
      var orders = DailySync.Orders()
      return sync.carryOut(.writeChat(text), moment, into: &orders)
    }

    /// One synchronisation with all its posts; each answer is what `answer` says of the page.
    mutating func synchronise(
      answer: (inout Int, [Int]) -> Int? = { read, page in
        if let last = page.last, page.first == read + 1 { read = last }
        return read
      }
    ) throws {
      var orders = DailySync.Orders()
      sync.fire(moment, into: &orders)
      while let request = orders.request {
        let page = try InsightsSyncRequest.reading(request.body).chat ?? []
        pages.append(page.map(\.number))
        let said = answer(&read, page.map(\.number))
        let body = try JSONParser.parse(
          InsightsSyncResponse(store: ChatSyncTests.store, dayCount: 0, readMessage: said).bytes, dialect: .json)
        orders = DailySync.Orders()
        sync.receive(status: 200, body: body, moment, into: &orders)
        events += orders.events
        try #require(pages.count < 1_000)
      }
      now = now + .seconds(900)
    }
  }

  @Test func `a long chat is posted in pages, each message once`() throws {
    var rig = Rig(messages: 120)
    try rig.synchronise()
    #expect(rig.pages == [Array(1...50), Array(51...100), Array(101...120)])
    #expect(rig.sync.record.chatPendingCount == 0)
    try rig.synchronise()
    #expect(rig.pages.count == 4 && rig.pages[3].isEmpty)
    #expect(rig.write("My name is Mia.") == nil)
    try rig.synchronise()
    #expect(rig.pages[4] == [121])
  }

  @Test func `a server that has read less gets the rest again`() throws {
    var rig = Rig(messages: 3)
    try rig.synchronise()
    rig.read = 0
    try rig.synchronise()
    // The first post tells the loss, the second one makes it good.
    #expect(rig.pages == [[1, 2, 3], [], [1, 2, 3]])
    rig.read = 2
    try rig.synchronise()
    #expect(rig.pages.last == [3] && rig.sync.record.state.chatRead == 3)
  }

  @Test func `the plant never posts a message twice`() throws {
    var rig = Rig(messages: 3, plants: [.chatOnce])
    try rig.synchronise()
    rig.read = 0
    try rig.synchronise()
    #expect(rig.pages == [[1, 2, 3], []] && rig.sync.record.chatPendingCount == 0)
  }

  @Test func `a server that reads nothing, or forgets at once, does not make the phone post without end`() throws {
    var rig = Rig(messages: 120)
    try rig.synchronise { _, _ in 0 }
    #expect(rig.pages.count == 5)
    var forgetful = Rig(messages: 120)
    try forgetful.synchronise { read, page in page.last == 50 ? 50 : 0 }
    #expect(forgetful.pages.count == 5)
    // One that has no chat at all is not asked twice.
    var plain = Rig(messages: 120)
    try plain.synchronise { _, _ in nil }
    #expect(plain.pages.count == 1 && plain.sync.record.state.chatRead == 0)
  }

  @Test func `an answer that names messages of the future is not believed`() throws {
    var rig = Rig(messages: 3)
    try rig.synchronise { _, _ in 9_000 }
    #expect(rig.sync.record.state.chatRead == 3)
    #expect(rig.write("One more.") == nil)
    try rig.synchronise { _, _ in 4 }
    #expect(rig.pages.last == [4])
  }

  @Test func `an app without a chat refuses a message and posts none`() throws {
    var orders = DailySync.Orders()
    var setup = DailySetup()
    setup.historyDays = 0
    var sync = DailySync(
      seed: 1, setup: setup, startedAt: Self.start, offsets: [], restoring: DailyRecord(), plants: [], at: .start)
    let moment = DailySync.Moment(now: .start, clock: Self.start, truth: Self.start, offset: 0, health: Self.health)
    #expect(sync.carryOut(.writeChat("Hello."), moment, into: &orders) == "the app has no chat")
    sync.receive(uplinkIsUp: true, at: .start)
    sync.fire(moment, into: &orders)
    let request = try #require(orders.request)
    #expect(try InsightsSyncRequest.reading(request.body).chat == nil)
  }

  @Test func `what is drawn is short, no meal, and the same whenever it is asked for`() {
    let meals = (0..<40).flatMap { day in
      DrawnMeals(seed: 7, count: 24).meals(of: LocalDay(20_000 + day)) { _ in 0 }.map(\.name)
    }
    #expect(Set(meals).count == 12)
    var texts: Set<String> = []
    for day in 0..<60 as Range<Int64> {
      let chat = DrawnChat(seed: 7, count: 12)
      let messages = chat.messages(of: LocalDay(20_000 + day)) { _ in 7_200 }
      #expect(messages == DrawnChat(seed: 7, count: 12).messages(of: LocalDay(20_000 + day)) { _ in 7_200 })
      #expect(messages.map(\.at) == messages.map(\.at).sorted() && messages.count == 12)
      texts.formUnion(messages.map(\.text))
    }
    #expect(texts.count > 20 && texts.allSatisfy { ChatMessage.isText($0) })
    for meal in Set(meals) { #expect(!texts.contains { $0.lowercased().contains(meal.lowercased()) }) }
  }
}
