@testable import LinkCheckers
import Testing

@testable import Link
import LinkTestSupport

private let message = #""to":"phone","kind":"data","channel":"message","epoch":1"#

private func sent(_ seq: Int, t: Int = 0, node: String = "watch", more: String = "") -> String {
  #"{"t":\#(t),"node":"\#(node)","event":"frame.sent","id":\#(seq),\#(message),"seq":\#(seq),"bytes":1,"#
    + #""digest":"00000000000000d\#(seq)"\#(more)}"# + "\n"
}

private func refused(_ seq: Int, epoch: Int = 1) -> String {
  #"{"t":1,"node":"watch","event":"message.refused","kind":"k","epoch":\#(epoch),"seq":\#(seq),"error":"notReachable"}"#
    + "\n"
}

private func node(_ event: String, _ target: String, t: Int) -> String {
  #"{"t":\#(t),"node":"runner","event":"node.\#(event)","target":"\#(target)"}"# + "\n"
}

@Suite struct `messages, judged` {
  // MARK: no-silent-refusal

  private func passedOver(_ lines: String) throws -> [String] {
    try broken(lines, checkers: [SilentRefusalChecker.self])
  }

  @Test func `every number is sent or refused, from wherever an epoch begins`() throws {
    #expect(try passedOver(sent(5) + refused(6) + refused(7) + sent(8) + refused(3, epoch: 2)) == [])
  }

  @Test func `a number that is passed over was refused in silence`() throws {
    #expect(try passedOver(sent(1) + sent(3)) == ["no-silent-refusal"])
    #expect(try passedOver(refused(1) + refused(4)) == ["no-silent-refusal"])
    #expect(try passedOver(sent(1) + sent(3, node: "phone")) == [])
  }

  // MARK: reply-in-time

  private let asked = #","wantsReply":true"#
  private let reply =
    #"{"t":7000,"node":"phone","event":"frame.sent","id":9,"to":"watch","kind":"reply","channel":"message","epoch":1,"#
    + #""seq":1,"bytes":1,"digest":"00000000000000d9"}"# + "\n"
  private let replyArrives = #"{"t":7005,"node":"link","event":"frame.delivered","id":9,"copy":0}"# + "\n"
  private let failed =
    #"{"t":10000,"node":"watch","event":"message.failed","epoch":1,"seq":1,"error":"messageReplyTimedOut"}"# + "\n"
  private func late(_ t: Int) -> String { sent(2, t: t) }

  private func unanswered(_ lines: String) throws -> [String] {
    try broken(lines, checkers: [ReplyInTimeChecker.self])
  }

  @Test func `a message gets its reply, or fails at its deadline`() throws {
    #expect(try unanswered(sent(1, more: asked) + reply + replyArrives + late(20_000)) == [])
    #expect(try unanswered(sent(1, more: asked) + failed + late(20_000)) == [])
    #expect(try unanswered(sent(1) + late(20_000)) == [])
  }

  @Test func `one that waits on is hung`() throws {
    #expect(try unanswered(sent(1, more: asked) + late(20_000)) == ["reply-in-time"])
    #expect(try unanswered(sent(1, more: asked) + reply + late(20_000)) == ["reply-in-time"])
    // What the trace does not show yet may still come.
    #expect(try unanswered(sent(1, more: asked) + late(10_000)) == [])
  }

  @Test func `an app that died waits for nothing, and one that sleeps waits longer`() throws {
    #expect(try unanswered(sent(1, more: asked) + node("killed", "watch", t: 5_000) + late(20_000)) == [])
    let asleep = sent(1, more: asked) + node("suspended", "watch", t: 5_000)
    #expect(try unanswered(asleep + late(20_000)) == [])
    #expect(try unanswered(asleep + node("resumed", "watch", t: 30_000) + late(40_000)) == ["reply-in-time"])
  }

  @Test func `another deadline is in the header`() {
    var header = TraceHeader(scenario: "s", seed: 1, duration: .seconds(60))
    header.extras = [JSONMember("replyTimeout", .integer(2_000_000_000))]
    var judge = Judge(header: header, checkers: [ReplyInTimeChecker.self])
    func sent(_ seconds: Int64, _ fields: [TraceEvent.Field], line: Int) {
      let event = TraceEvent("frame.sent", at: .start + .seconds(seconds), on: .watch, fields)
      judge.observe(event.completed, line: line)
    }
    let fields: [TraceEvent.Field] = [
      .init("kind", .string("data")), .init("channel", .string("message")), .init("epoch", .int(1)),
      .init("seq", .int(1)), .init("wantsReply", .bool(true)),
    ]
    sent(0, fields, line: 2)
    sent(2, [], line: 3)
    var early = judge
    #expect(early.finish().violations == [])
    sent(3, [], line: 4)
    #expect(judge.finish().violations.map(\.time) == [.start + .seconds(2)])
  }

  // MARK: undecodable-is-reported

  private let foreign =
    #"{"t":0,"node":"watch","event":"payload.foreign","channel":"message","digest":"00000000000000d1"}"# + "\n"
  private func received(_ digest: String = "00000000000000d1", t: Int = 5) -> String {
    #"{"t":\#(t),"node":"phone","event":"message.received","from":"watch","kind":"k","epoch":1,"seq":1,"#
      + #""digest":"\#(digest)"}"# + "\n"
  }
  private let told =
    #"{"t":5,"node":"phone","event":"payload.undecodable","from":"watch","channel":"message","epoch":1,"seq":1,"#
    + #""digest":"00000000000000d1","error":"e"}"# + "\n"

  private func dropped(_ lines: String) throws -> [String] {
    try broken(lines, checkers: [UndecodableReportedChecker.self])
  }

  @Test func `what another build made is reported as undecodable, unless the app dies over it`() throws {
    #expect(try dropped(foreign + received() + told + received("00000000000000d2", t: 6)) == [])
    #expect(try dropped(foreign + received() + node("killed", "phone", t: 5)) == [])
    #expect(try dropped(received()) == [])
  }

  @Test func `a silent drop is a violation`() throws {
    #expect(try dropped(foreign + received() + received("00000000000000d2", t: 6)) == ["undecodable-is-reported"])
    #expect(try dropped(foreign + received()) == ["undecodable-is-reported"])
  }

  // MARK: session-reactivated

  private func session(_ event: String, t: Int) -> String {
    #"{"t":\#(t),"node":"phone","event":"session.\#(event)"}"# + "\n"
  }
  private func over(t: Int) -> String {
    #"{"t":\#(t),"node":"runner","event":"end","verdict":"pass","frames":0,"outstanding":[],"violations":[]}"# + "\n"
  }
  private func dead(_ lines: String) throws -> [VirtualTime] {
    try judge(lines, checkers: [SessionReactivatedChecker.self]).violations.map(\.time)
  }

  @Test func `a session is activated again within ten seconds of a switch of watches`() throws {
    let deactivated = session("deactivated", t: 1_000)
    let deadline = VirtualTime.start + .seconds(11)
    #expect(try dead(deactivated + session("activated", t: 11_000) + over(t: 60_000)) == [])
    #expect(try dead(deactivated + session("activated", t: 11_001) + over(t: 60_000)) == [deadline])
    #expect(try dead(deactivated + over(t: 60_000)) == [deadline])
    #expect(try dead(deactivated + over(t: 11_000)) == [])
    // Its next start begins with a session of its own.
    #expect(try dead(deactivated + node("killed", "phone", t: 5_000) + over(t: 60_000)) == [])
    #expect(try dead(deactivated + node("killed", "phone", t: 12_000) + over(t: 60_000)) == [deadline])
    #expect(try dead(deactivated + node("killed", "watch", t: 5_000) + over(t: 60_000)) == [deadline])
  }
}
