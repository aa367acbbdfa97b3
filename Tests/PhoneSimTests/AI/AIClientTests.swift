import CoachProtocol
import Link
import Testing

@testable import PhoneSim

/// Drives a client by hand, in seconds.
private struct Desk {
  var client: AIClient
  var now = VirtualTime.start
  var effects: [AIEffect] = []

  static let run = Identifier(high: 1, low: 1)
  static let note = Identifier(high: 2, low: 2)
  static let plan = Plan(distance: 10_000, time: 3_300)

  init(seed: UInt64 = 1, restoring record: AIRecord = AIRecord(), isUp: Bool = true) {
    client = AIClient(seed: seed, personality: "calm", plan: Self.plan, restoring: record)
    if isUp { client.receive(.uplink(isUp: true), at: .start, into: &effects) }
  }

  /// The effects of an input at a time.
  @discardableResult
  mutating func at(_ seconds: Double, _ input: AIClient.Input?) -> [AIEffect] {
    now = VirtualTime(nanoseconds: Int64((seconds * 1e9).rounded()))
    effects = []
    client.receive(input, at: now, into: &effects)
    return effects
  }

  /// Lets time pass, and fires at every deadline until then.
  mutating func pass(until seconds: Double) -> [AIEffect] {
    let end = VirtualTime(nanoseconds: Int64((seconds * 1e9).rounded()))
    var all: [AIEffect] = []
    var steps = 0
    while let at = client.nextDeadline, at <= end {
      now = max(now, at)
      effects = []
      client.receive(nil, at: now, into: &effects)
      all += effects
      steps += 1
      precondition(steps < 10_000, "the client does not settle")
    }
    return all
  }

  static func script(refusals: [String] = []) -> String {
    String(
      decoding: GenerateScriptRequest(
        goal: "10 km", distanceKm: 10, personality: "calm",
        settings: CoachSettings(runType: .outdoor, mode: .training, refusals: refusals)
      ).bytes, as: UTF8.self)
  }

  mutating func askScript(_ seconds: Double = 0) -> AIRequest {
    for case .ask(let request, _) in at(
      seconds, .asked(.generateScript, runId: Self.run, noteId: nil, body: Self.script()))
    {
      return request
    }
    preconditionFailure("nothing was asked")
  }

  mutating func askReply(_ seconds: Double, _ body: String = "{}") -> AIRequest {
    for case .ask(let request, _) in at(seconds, .asked(.chatReply, runId: Self.run, noteId: Self.note, body: body)) {
      return request
    }
    preconditionFailure("nothing was asked")
  }
}

private func json(_ text: String) -> JSONNode {
  guard let node = try? JSONParser.parse(text, dialect: .json) else { preconditionFailure(text) }
  return node
}

private let goodScript = json(
  #"{"scriptId":"s","messages":[{"id":"k","triggerSpec":{"type":"distance","everyMeters":1000},"text":"A kilometre."}]}"#
)
private let badScript = json(
  #"{"scriptId":"s","messages":[{"id":"k","triggerSpec":{"type":"moon"},"text":""}]}"#)
private let goodReply = json(#"{"replyText":"Nine to go."}"#)

extension AIEffect {
  fileprivate var word: String {
    switch self {
    case .ask(let request, let old): old == nil ? "ask\(request.attempt)" : "again\(request.attempt)"
    case .wait: "wait"
    case .askAgain: "resend"
    case .cached: "cached"
    case .answered: "answered"
    case .fellBack: "fellBack"
    case .late: "late"
    case .failed(_, _, let settled): settled ? "refused" : "failed"
    case .needsScript: "needsScript"
    case .dropped: "dropped"
    case .forget: "forget"
    }
  }
}

@Suite struct AIClientTests {
  @Test func `a reply is in time until 8 s, that instant included`() {
    var desk = Desk()
    var request = desk.askReply(100)
    #expect(desk.client.nextDeadline == .start + .seconds(108))
    #expect(desk.at(108, .answered(request.id, status: 200, body: goodReply)).map(\.word) == ["answered"])
    #expect(desk.client.nextDeadline == nil)

    request = desk.askReply(200, "{\"a\":1}")
    #expect(desk.pass(until: 207.999_999_999) == [])
    #expect(desk.pass(until: 208) == [.forget(request.id), .fellBack(request)])
    #expect(desk.now == .start + .seconds(208))
    let late = desk.at(212, .answered(request.id, status: 200, body: goodReply))
    #expect(late.map(\.word) == ["late"])
    #expect(desk.at(213, .answered(request.id, status: 200, body: goodReply)) == [], "once")
  }

  @Test(arguments: [
    (502, nil, "status 502"), (200, nil, "the answer is no JSON"),
    (200, "{}", "the key \"replyText\" is missing"), (200, "{\"replyText\":\" \"}", "empty text"),
    (500, "{\"replyText\":\"x\"}", "status 500"),
  ])
  func `a failed reply falls back at 8 s and is not asked again`(status: Int, body: String?, why: String) {
    var desk = Desk()
    let request = desk.askReply(10)
    let effects = desk.at(11, .answered(request.id, status: status, body: body.map { json($0) }))
    guard case .failed(let failed, let found, settled: false)? = effects.first, effects.count == 1 else {
      return #expect(Bool(false), "\(effects)")
    }
    #expect(found.contains(why) && failed.retryAt == nil, "\(found)")
    #expect(desk.at(12, .answered(request.id, status: 200, body: goodReply)) == [], "a second answer is none")
    #expect(desk.pass(until: 17.999) == [])
    #expect(desk.pass(until: 1_000) == [.forget(request.id), .fellBack(request)])
  }

  @Test func `the same question is answered from the cache, also after a restart`() throws {
    var desk = Desk()
    let request = desk.askReply(10)
    desk.at(11, .answered(request.id, status: 200, body: goodReply))
    let again = desk.at(20, .asked(.chatReply, runId: Desk.run, noteId: Desk.note, body: "{}"))
    #expect(again.map(\.word) == ["cached"])
    var other = Desk(restoring: desk.client.record)
    #expect(other.at(30, .asked(.chatReply, runId: Desk.run, noteId: nil, body: "{}")).map(\.word) == ["cached"])
    #expect(other.at(30, .asked(.chatReply, runId: Desk.run, noteId: nil, body: "{ }")).map(\.word) == ["ask1"])
    // Another call with the same body is another question.
    #expect(other.at(31, .asked(.postRunSummary, runId: Desk.run, noteId: nil, body: "{}")).map(\.word) == ["ask1"])
  }

  @Test func `a failed script is asked for again, each time later, and three failures call for the phone's own`() {
    var desk = Desk()
    var request = desk.askScript()
    var waits: [Double] = []
    var words: [String] = []
    for attempt in 1...12 {
      let answer = desk.at(desk.now.seconds + 0.5, .answered(request.id, status: 502, body: nil))
      words += answer.map(\.word)
      guard case .failed(let failed, _, _)? = answer.first, let retryAt = failed.retryAt else {
        return #expect(Bool(false), "\(answer)")
      }
      #expect(failed.attempt == attempt)
      waits.append((retryAt - desk.now).seconds)
      let next = desk.pass(until: retryAt.seconds)
      guard case .ask(let again, replacing: request.id)? = next.first else { return #expect(Bool(false), "\(next)") }
      #expect(again.id != request.id && again.body == request.body && again.requestedAt == retryAt)
      request = again
    }
    #expect(words.prefix(5) == ["failed", "failed", "failed", "needsScript", "failed"])
    for (place, wait) in waits.enumerated() {
      let base = min(Double(1 << place), 300)
      #expect(wait >= base && wait <= min(base * 1.25, 300), "\(waits)")
    }
    #expect(waits.contains { $0 != $0.rounded() }, "there is jitter")
    #expect(
      desk.at(desk.now.seconds + 1, .answered(request.id, status: 200, body: goodScript)).map(\.word) == ["answered"])
  }

  @Test func `jitter comes from the seed`() {
    func wait(_ seed: UInt64) -> VirtualTime? {
      var desk = Desk(seed: seed)
      let request = desk.askScript()
      desk.at(1, .answered(request.id, status: 500, body: nil))
      return desk.client.nextDeadline
    }
    #expect(wait(5) == wait(5))
    #expect(wait(5) != wait(6))
  }

  @Test func `calls give up at 30, 8 and 60 s`() {
    for (call, seconds) in [(EdgeCall.generateScript, 30.0), (.chatReply, 8), (.postRunSummary, 60)] {
      var desk = Desk()
      desk.at(5, .asked(call, runId: Desk.run, noteId: call == .chatReply ? Desk.note : nil, body: Desk.script()))
      #expect(desk.client.nextDeadline == VirtualTime(nanoseconds: Int64((5 + seconds) * 1e9)))
      #expect(desk.pass(until: 5 + seconds - 0.001) == [])
      #expect(desk.pass(until: 5 + seconds).map(\.word) == ["forget", call == .chatReply ? "fellBack" : "failed"])
    }
  }

  @Test func `a refused script is requested once more with the reasons, and then never again`() throws {
    var desk = Desk()
    let request = desk.askScript()
    let effects = desk.at(1, .answered(request.id, status: 200, body: badScript))
    #expect(effects.map(\.word) == ["refused", "ask1"])
    guard case .ask(let again, replacing: nil)? = effects.last else { return #expect(Bool(false), "\(effects)") }
    let asked = try GenerateScriptRequest.reading(Array(again.body.utf8))
    #expect(asked.settings.refusals.contains { $0.contains("messages[0].triggerSpec") })
    #expect(asked.settings.refusals.contains { $0.contains("messages[0].text") })
    #expect(desk.at(2, .answered(again.id, status: 200, body: badScript)).map(\.word) == ["refused", "needsScript"])
    #expect(desk.client.record.requests == [] && desk.client.record.cache == [])
  }

  @Test func `a third attempt that is refused calls for the phone's own script, and is asked for once more`() {
    var desk = Desk()
    var request = desk.askScript()
    var at = 1.0
    for _ in 1...2 {
      desk.at(at, .answered(request.id, status: 500, body: nil))
      at += 10
      guard case .ask(let next, _)? = desk.pass(until: at).first else {
        Issue.record("it is asked again")
        return
      }
      request = next
    }
    #expect(request.attempt == 3)
    let effects = desk.at(at, .answered(request.id, status: 200, body: badScript))
    #expect(effects.map(\.word) == ["refused", "needsScript", "ask1"])
  }

  @Test func `an empty script is refused`() {
    var desk = Desk()
    let request = desk.askScript()
    let empty = json("{\"scriptId\":\"s\",\"messages\":[]}")
    #expect(desk.at(1, .answered(request.id, status: 200, body: empty)).map(\.word) == ["refused", "ask1"])
  }

  @Test func `branch keys make a script branched`() throws {
    let branched = json(
      """
      {"scriptId":"s","messages":[{"id":"k","triggerSpec":{"type":"condition","expression":"hr > 1","branchKey":"b"},
      "text":"A"},{"id":"l","triggerSpec":{"type":"halfway"},"text":"B","branchKey":"b"}]}
      """)
    var desk = Desk()
    let request = desk.askScript()
    guard
      case .answered(_, .script(let script), _)? = desk.at(1, .answered(request.id, status: 200, body: branched)).first
    else { return #expect(Bool(false), "no script") }
    #expect(script.branchPolicy == .branched && script.runId == Desk.run.text && script.messages.count == 2)
    #expect(script.inputDigest == String(request.digest.prefix(16)))
  }

  @Test func `nothing leaves the queue while the uplink is down, and all of it at once when it returns`() {
    var desk = Desk()
    let script = desk.askScript()
    desk.at(1, .asked(.postRunSummary, runId: Desk.run, noteId: nil, body: "{}"))
    desk.at(2, .uplink(isUp: false))
    // With the uplink known to be down one failure is enough.
    #expect(desk.pass(until: 30).map(\.word) == ["forget", "failed", "needsScript"])
    #expect(desk.pass(until: 61).map(\.word) == ["forget", "failed"])
    #expect(desk.client.nextDeadline == nil)
    desk.at(900, .uplink(isUp: true))
    let drained = desk.pass(until: 900)
    #expect(drained.map(\.word) == ["again2", "again2"])
    // The answer to the first attempt is still recognized, and counts for the second.
    #expect(desk.at(901, .answered(script.id, status: 200, body: goodScript)).map(\.word) == ["late"])
  }

  @Test func `a late script answers the next attempt from the cache`() {
    var desk = Desk()
    let request = desk.askScript()
    _ = desk.pass(until: 30)
    #expect(desk.at(30.5, .answered(request.id, status: 200, body: goodScript)).map(\.word) == ["late"])
    let cached = desk.pass(until: 30.5)
    #expect(cached.map(\.word) == ["cached"])
    // Nothing was sent: the line has the id of the attempt before.
    guard case .cached(let settled, _)? = cached.first else { return }
    #expect(settled.id == request.id)
    #expect(desk.client.record.requests == [])
  }

  @Test func `a restart sends again what was awaited, and falls back when its time has passed meanwhile`() {
    var desk = Desk()
    let request = desk.askReply(10)
    var other = Desk(restoring: desk.client.record)
    #expect(other.at(15, .began) == [.askAgain(request)])
    #expect(other.client.nextDeadline == .start + .seconds(18))
    var late = Desk(restoring: desk.client.record)
    #expect(late.at(20, .began) == [])
    #expect(late.at(20, nil).map(\.word) == ["forget", "fellBack"])
  }

  @Test func `a retry survives a restart with its attempt and its time`() {
    var desk = Desk()
    let request = desk.askScript()
    desk.at(1, .answered(request.id, status: 502, body: nil))
    let due = desk.client.nextDeadline
    var other = Desk(restoring: desk.client.record)
    #expect(other.client.nextDeadline == due)
    #expect(other.pass(until: 60).first?.word == "again2")
  }

  @Test func `nothing is asked again in a race, and the script of a run that is over not at all`() {
    var desk = Desk()
    let script = desk.askScript()
    desk.at(1, .answered(script.id, status: 502, body: nil))
    desk.at(1, .paused(true))
    #expect(desk.client.nextDeadline == nil)
    desk.at(500, .paused(false))
    #expect(desk.pass(until: 500).map(\.word) == ["again2"])
    #expect(desk.at(501, .runEnded(Desk.run)).map(\.word) == ["forget", "dropped"])
    #expect(desk.client.nextDeadline == nil)
  }

  @Test func `what waits and what is kept is bounded`() {
    var desk = Desk()
    for number in 0..<300 {
      let body = "{\"n\":\(number)}"
      guard
        case .ask(let request, _)? = desk.at(
          Double(number), .asked(.postRunSummary, runId: Desk.run, noteId: nil, body: body)
        ).last
      else { return #expect(Bool(false), "nothing was asked") }
      desk.at(Double(number), .answered(request.id, status: 500, body: nil))
      desk.at(Double(number), .uplink(isUp: false))
    }
    #expect(desk.client.record.requests.count == AIClient.requestCountMax)
    for number in 0..<100 {
      let request = desk.askReply(1_000 + Double(number), "{\"m\":\(number)}")
      desk.at(1_000 + Double(number), .answered(request.id, status: 200, body: goodReply))
    }
    #expect(desk.client.record.cache.count == CachedAnswer.countMax)
  }
}

extension VirtualTime {
  fileprivate var seconds: Double { (self - .start).seconds }
}
