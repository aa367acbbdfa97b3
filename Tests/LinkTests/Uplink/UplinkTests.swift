import Testing

@testable import Link

@Suite struct `The uplink's two ends` {
  private static func milliseconds(_ count: Int64) -> VirtualTime { .start + .milliseconds(count) }

  private static func fault(_ fault: some FrameFault, direction: Direction? = nil, for length: Int64 = 3_600)
    -> PlannedFault
  {
    PlannedFault(
      id: "f", begin: .start + .milliseconds(1), end: .start + .seconds(length), direction: direction, onUplink: true,
      .frame(fault))
  }

  @Test func `a request is answered once, after the travel times and the work`() {
    var rig = UplinkRig()
    rig.at(1_000) { $0.send(1) }
    rig.run()
    #expect(rig.requests.map(\.at) == [Self.milliseconds(1_050)])
    #expect(rig.responses.map(\.at) == [Self.milliseconds(1_900)])
    let response = rig.responses[0].response
    #expect(response.id == UplinkRig.id(1) && response.status == 200 && response.isAwaited)
    #expect(response.body.map { JSONWriter.compact($0) } == Array("{\"ok\":true}".utf8) && response.text == nil)
    #expect(rig.frames.map(\.kind) == [.data, .reply])
    #expect(rig.frames.allSatisfy { $0.channel == .http && $0.transfer == UplinkRig.id(1) })
    #expect(
      String(decoding: rig.frames[0].payload, as: UTF8.self)
        == #"{"id":"00000000-0000-0007-0000-000000000001","path":"/chat-reply","body":{"x":1}}"#)
    #expect(
      String(decoding: rig.frames[1].payload, as: UTF8.self)
        == #"{"id":"00000000-0000-0007-0000-000000000001","status":200,"body":{"ok":true}}"#)
    #expect(rig.client.pendingCount == 0 && rig.client.nextDeadline == nil)
  }

  @Test func `an unanswered request is repeated after 1, 2, 4 and then every 8 seconds, until it is abandoned`() {
    var rig = UplinkRig()
    rig.statuses = [0]
    rig.at(0) { $0.send(1) }
    rig.at(40_000) { $0.client.forget(UplinkRig.id(1)) }
    var times: [VirtualTime] = []
    while rig.now < .start + .seconds(60) {
      let before = rig.frames.count
      guard rig.client.nextDeadline != nil || rig.frames.isEmpty else { break }
      rig.run(until: rig.client.nextDeadline ?? .start)
      if rig.frames.count > before { times.append(rig.now) }
    }
    #expect(times == [0, 1, 3, 7, 15, 23, 31, 39].map { .start + .seconds($0) })
    #expect(rig.frames.map(\.attempt) == [1, 2, 3, 4, 5, 6, 7, 8])
    // The edge still sees a single request.
    #expect(rig.requests.count == 1)
    #expect(rig.client.nextDeadline == nil)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `loss in both directions delays an answer and duplicates nothing`(seed: UInt64) {
    var rig = UplinkRig(
      LinkProfile(latency: .milliseconds(50), jitter: .milliseconds(20), distribution: .uniform), seed: seed)
    rig.faults = [Self.fault(LossFault(.independent(Probability(0.5) ?? .never)))]
    for number in 1...20 as ClosedRange<UInt64> { rig.at(Int64(number) * 500) { $0.send(number) } }
    rig.run()
    #expect(rig.requests.map(\.id.low).sorted() == Array(1...20))
    #expect(rig.responses.map(\.response.id.low).sorted() == Array(1...20))
    #expect(rig.responses.allSatisfy { $0.response.isAwaited })
    #expect(rig.frames.count > 40)
  }

  @Test func `copies of requests and of answers have no effect`() {
    var rig = UplinkRig()
    rig.faults = [Self.fault(DuplicateFault(probability: .always, copies: 3))]
    for number in 1...5 as ClosedRange<UInt64> { rig.at(Int64(number) * 1_000) { $0.send(number) } }
    rig.run()
    #expect(rig.requests.map(\.id.low) == Array(1...5))
    #expect(rig.responses.map(\.response.id.low) == Array(1...5))
    #expect(!rig.lines("uplink.duplicate").isEmpty)
    // A copy is not answered while the request is in progress.
    #expect(rig.frames.count { $0.kind == .reply } == 5)
  }

  @Test func `answers that overtake each other match their requests`() {
    var rig = UplinkRig()
    rig.faults = [
      Self.fault(
        ReorderFault(probability: Probability(0.5) ?? .never, by: .milliseconds(3_000)), direction: .edgeToPhone)
    ]
    for number in 1...20 as ClosedRange<UInt64> { rig.at(Int64(number) * 100) { $0.send(number) } }
    rig.run()
    let order = rig.responses.map(\.response.id.low)
    #expect(order.sorted() == Array(1...20) && order != Array(1...20))
  }

  @Test func `during a cut of two minutes nothing is sent, and everything is answered afterwards`() {
    var rig = UplinkRig()
    rig.cuts = [(.start + .seconds(10), false), (.start + .seconds(130), true)]
    rig.notices += [(.start + .seconds(16), false), (.start + .seconds(132), true)]
    rig.at(12_000) { $0.send(1) }
    rig.at(60_000) { $0.send(2) }
    rig.run(until: .start + .seconds(131))
    // Before the phone notices, it retries at 12, 13 and 15 s.
    #expect(rig.frames.count == 3)
    #expect(rig.client.nextDeadline == nil && !rig.client.isReachable && rig.client.pendingCount == 2)
    rig.run()
    #expect(rig.responses.map(\.response.id.low) == [1, 2])
    #expect(rig.responses.map(\.at) == [.start + .milliseconds(132_900), .start + .milliseconds(132_900)])
    #expect(rig.lines("uplink.reachability").map { $0["reachable"]?.boolean } == [true, false, true])
  }

  @Test func `a late answer is reported as not awaited`() {
    var rig = UplinkRig()
    rig.thinking = .seconds(12)
    rig.at(0) { $0.send(1) }
    rig.at(8_000) { $0.client.forget(UplinkRig.id(1)) }
    rig.run()
    #expect(rig.responses.map(\.response.isAwaited) == [false])
    #expect(rig.responses.map(\.at) == [Self.milliseconds(12_100)])
  }

  @Test func `a retry executes a failed request again, but not a successful one`() {
    var rig = UplinkRig()
    rig.statuses = [502, 200]
    for second in [0, 10, 20] as [Int64] { rig.at(second * 1_000) { $0.send(1) } }
    rig.run()
    #expect(rig.requests.count == 2)
    #expect(rig.responses.map(\.response.status) == [502, 200, 200])
    #expect(rig.responses.allSatisfy { $0.response.isAwaited })
    // The third attempt got the second one's answer at once.
    #expect(rig.responses.map(\.at) == [900, 10_900, 20_100].map { Self.milliseconds($0) })
  }

  @Test func `a restarted phone gets the answer to its earlier request`() {
    var rig = UplinkRig()
    rig.at(0) { $0.send(1) }
    rig.at(500) { $0.client = UplinkClient(epoch: Epoch(2)) }
    rig.at(500) { $0.client.receive(isUp: true, in: &$0.turn) }
    rig.at(2_000) { $0.send(1) }
    rig.run()
    #expect(rig.requests.count == 1)
    #expect(rig.responses.map(\.response.isAwaited) == [false, true])
    #expect(rig.responses.map(\.at) == [Self.milliseconds(900), Self.milliseconds(2_100)])
  }

  @Test func `a request over the limit is refused with a line, one at the limit is sent`() {
    var rig = UplinkRig(LinkProfile(latency: .milliseconds(50)))
    let frame = UplinkText.request(UplinkRig.id(1), path: "/chat-reply", body: Array("\"\"".utf8)).count
    let room = Frame.payloadBytesMax - frame
    rig.at(0) { $0.send(1, body: "\"\(String(repeating: "x", count: room))\"") }
    rig.at(0) { $0.send(2, body: "\"\(String(repeating: "x", count: room + 1))\"") }
    rig.run()
    #expect(rig.frames.first?.payload.count == Frame.payloadBytesMax)
    #expect(rig.requests.map(\.id.low) == [1])
    #expect(rig.lines("uplink.refused").count == 1 && rig.client.pendingCount == 0)
  }

  @Test func `an answer over the limit becomes a failure`() {
    var server = UplinkServer()
    var turn = Turn(isRecording: true)
    let payload = UplinkText.request(UplinkRig.id(1), path: "/x", body: Array("1".utf8))
    let request = Frame(
      kind: .data, channel: .http, epoch: Epoch(1), seq: SequenceNumber(1), transfer: UplinkRig.id(1), payload: payload)
    #expect(server.receive(request, in: &turn)?.body.value == .integer(1))
    let large = UplinkContent.text(String(repeating: "\u{1}", count: 60_000))
    #expect(server.answer(UplinkRig.id(1), status: 200, large, in: &turn) == 500)
  }

  @Test func `garbage is recorded and has no effect`() {
    let texts = [
      "", "{", "[]", "null", "\u{FF}", "{}", #"{"id":"x","status":200,"body":{}}"#,
      #"{"id":"00000000-0000-0007-0000-000000000002","status":200,"body":{}}"#,
      #"{"id":"00000000-0000-0007-0000-000000000001","status":20,"body":{}}"#,
      #"{"id":"00000000-0000-0007-0000-000000000001","status":200}"#,
      #"{"id":"00000000-0000-0007-0000-000000000001","status":200,"body":1,"text":""}"#,
      #"{"id":"00000000-0000-0007-0000-000000000001","status":200,"body":1,"more":1}"#,
      String(repeating: "[", count: 200_000),
    ]
    var rig = UplinkRig()
    rig.statuses = [0]
    rig.at(0) { $0.send(1) }
    rig.run(until: .start + .milliseconds(500))
    for text in texts {
      let before = rig.lines.count
      for (kind, role) in [(Frame.Kind.reply, NodeRole.phone), (.data, .edge)] {
        rig.deliver(
          Frame(
            kind: kind, channel: .http, epoch: Epoch(3), peerEpoch: Epoch(1), seq: SequenceNumber(9), offset: 1,
            transfer: UplinkRig.id(role == .phone ? 1 : 3), payload: Array(text.utf8)), to: role)
      }
      #expect(rig.lines.count == before + 2, "\(text.prefix(60))")
      #expect(rig.lines.suffix(2).allSatisfy { $0.name == "uplink.undecodable" })
    }
    for kind in Frame.Kind.allCases where kind != .reply && kind != .data {
      let frame = Frame(kind: kind, channel: .http, epoch: Epoch(1), seq: SequenceNumber(1))
      rig.deliver(frame, to: .phone)
      rig.deliver(frame, to: .edge)
    }
    #expect(rig.lines("frame.refused").count == 6)
    #expect(rig.responses.isEmpty && rig.requests.count == 1 && rig.client.pendingCount == 1)
  }

  @Test func `endless requests are refused, and memory stays bounded`() {
    var rig = UplinkRig()
    rig.statuses = [Int](repeating: 0, count: 1_000)
    for number in 1...200 as ClosedRange<UInt64> {
      let payload = UplinkText.request(UplinkRig.id(number), path: "/x", body: Array("1".utf8))
      rig.deliver(
        Frame(
          kind: .data, channel: .http, epoch: Epoch(1), seq: SequenceNumber(number), transfer: UplinkRig.id(number),
          payload: payload), to: .edge)
    }
    #expect(rig.requests.count == UplinkServer.requestsMax)
    #expect(rig.lines("frame.refused").count == 200 - UplinkServer.requestsMax)
  }

  @Test func `a session refuses the uplink's channel`() {
    var store = MemorySessionStore()
    var session = Session(
      Session.Configuration(role: .watch, random: RandomStream(seed: 1, name: "s")),
      record: store.beginEpoch())
    var turn = Turn(isRecording: true)
    for kind in Frame.Kind.allCases {
      session.receive(
        Frame(kind: kind, channel: .http, epoch: Epoch(1), seq: SequenceNumber(1), payload: [1]), clock: 0, in: &turn)
    }
    #expect(turn.deliveries.isEmpty)
    #expect(turn.items.count == Frame.Kind.allCases.count)
  }
}
