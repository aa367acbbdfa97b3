import CoachProtocol
import Link
import Testing

@Suite struct `Probe traffic` {
  /// Carries out a command on a session without a peer, and returns its orders.
  func orders(_ name: String, _ arguments: String = "{}") -> [Turn.Item] {
    var session = Session(Session.Configuration(role: .watch, random: RandomStream(seed: 1, name: "test")))
    var traffic = ProbeTraffic(role: .watch, epoch: Epoch(1))
    var turn = Turn(isRecording: true)
    let isKnown = traffic.carryOut(NodeCommand(name, arguments: arguments), through: &session, clock: 0, in: &turn)
    #expect(isKnown == ProbeCommand.words.contains(name))
    return turn.items
  }

  func events(_ items: [Turn.Item]) -> [TraceEvent] {
    items.compactMap { if case .event(let event) = $0 { event } else { nil } }
  }

  func queued(_ items: [Turn.Item]) -> [QueueEntry] {
    items.compactMap { if case .change(.enqueued(let entry)) = $0 { entry } else { nil } }
  }

  @Test func `user infos are queued in order, as many and as long as asked for`() {
    let entries = queued(orders("transferUserInfo", #"{"count":20,"bytes":350}"#))
    #expect(entries.map(\.payload.count) == Array(repeating: 350, count: 20))
    let numbers = entries.map { entry -> Int64 in
      guard case .success(.probe(let probe)) = AppMessage.reading(entry.payload) else { return -1 }
      return probe.number
    }
    #expect(numbers == Array(1...20))
    #expect(Set(entries.map(\.payload)).count == 20)
  }

  @Test func `a payload has the length that was asked for, or a few bytes less`() {
    let shortest = AppMessage.probe(Probe(number: 1)).encoded.count
    for bytes in Array(0...700) + Array(65_500...65_536) {
      let length = queued(orders("transferUserInfo", "{\"bytes\":\(bytes)}")).first?.payload.count ?? 0
      #expect(length == shortest || (length <= bytes && length >= bytes - 12), "\(bytes) gave \(length)")
    }
    #expect(queued(orders("transferUserInfo", #"{"bytes":65536}"#)).first?.payload.count == 65_536)
  }

  @Test func `one byte past the channel's limit is refused, and nothing is queued`() {
    let items = orders("transferUserInfo", #"{"count":3,"bytes":65537}"#)
    #expect(queued(items).isEmpty)
    #expect(events(items).map(\.name.text) == ["command.refused"])
    #expect(events(items).first?["why"] == .string("payloadTooLarge"))
  }

  @Test func `a context is set by an order, and an unsendable message has its own event`() {
    let context = orders("updateApplicationContext", #"{"bytes":262144}"#)
    #expect(events(context).map(\.name.text) == ["context.set"])
    let messages = events(orders("sendMessage", #"{"count":3,"bytes":100,"wantsReply":true}"#))
    #expect(messages.map(\.name.text) == Array(repeating: "message.refused", count: 3))
    #expect(messages.allSatisfy { $0["kind"] == .string("probe") })
  }

  @Test(
    arguments: [
      ("transferUserInfo", #"{"count":0}"#, "count: found number 0, expected a whole number from 1 to 10000"),
      ("transferUserInfo", #"{"count":10001}"#, "count: found number 10001, expected a whole number from 1 to 10000"),
      ("transferUserInfo", #"{"bytes":-1}"#, "bytes: found number -1, expected a whole number from 0 to 524288"),
      (
        "transferUserInfo", #"{"count":10000,"bytes":65536}"#,
        "found 10000 times 65536 bytes, expected at most 67108864 bytes in one command"
      ),
      ("sendMessage", #"{"byte":1}"#, "unknown key \"byte\"; did you mean \"bytes\"?"),
      ("transferFile", "{}", "the key \"bytes\" is missing"),
      ("transferFile", #"{"bytes":1,"name":""}"#, "name: found 0 bytes, expected 1 to 255"),
      ("cancelTransfers", #"{"count":1}"#, "unknown key \"count\", expected none"),
      ("sendMessage", "[", #"found the end of the text, expected "," or "]" in the array opened at line 1, column 1"#),
    ])
  func `arguments that make no sense are refused by name`(name: String, arguments: String, why: String) {
    let events = events(orders(name, arguments))
    #expect(events.map(\.name.text) == ["command.refused"])
    #expect(events.first?["kind"] == .string(name))
    #expect(events.first?["why"] == .string(why))
  }

  @Test func `another command is left alone`() {
    #expect(orders("pause").isEmpty)
  }

  @Test func `another start of the app fills its probes otherwise`() {
    func payload(_ epoch: UInt32, _ role: NodeRole) -> [UInt8]? {
      var session = Session(Session.Configuration(role: role, random: RandomStream(seed: 1, name: "test")))
      var traffic = ProbeTraffic(role: role, epoch: Epoch(epoch))
      var turn = Turn(isRecording: false)
      _ = traffic.carryOut(NodeCommand("transferUserInfo"), through: &session, clock: 0, in: &turn)
      return queued(turn.items).first?.payload
    }
    #expect(payload(1, .watch) == payload(1, .watch))
    #expect(Set([payload(1, .watch), payload(2, .watch), payload(1, .phone)]).count == 3)
  }
}
