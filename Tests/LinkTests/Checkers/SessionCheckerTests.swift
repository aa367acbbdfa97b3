import Link
import LinkTestSupport
import Testing

private let transfer = "00000000-0000-0000-0000-00000000000"

private func sent(
  _ id: Int, t: Int, node: String = "watch", kind: String = "data", channel: String = "userInfo", epoch: Int = 1,
  seq: Int,
  bytes: Int = 1, more: String = ""
) -> String {
  let named = channel == "userInfo" || channel == "file" ? ",\"transfer\":\"\(transfer)\(seq)\"" : ""
  return
    #"{"t":\#(t),"node":"\#(node)","event":"frame.sent","id":\#(id),"to":"\#(node == "watch" ? "phone" : "watch")","#
    + #""kind":"\#(kind)","channel":"\#(channel)","epoch":\#(epoch),"seq":\#(seq),"bytes":\#(bytes),"#
    + #""digest":"00000000000000d\#(seq)"\#(named)\#(more)}"# + "\n"
}

private func arrived(_ id: Int, t: Int) -> String {
  #"{"t":\#(t),"node":"link","event":"frame.delivered","id":\#(id),"copy":0}"# + "\n"
}

private func line(_ event: String, t: Int, node: String = "watch", _ fields: String = "") -> String {
  #"{"t":\#(t),"node":"\#(node)","event":"\#(event)"\#(fields.isEmpty ? "" : ",")\#(fields)}"# + "\n"
}

private func queued(_ seq: Int, t: Int, more: String = "") -> String {
  line("transfer.queued", t: t, #""transfer":"\#(transfer)\#(seq)","channel":"userInfo","seq":\#(seq)\#(more)"#)
}

private func reachable(_ isReachable: Bool, t: Int, node: String = "watch", cause: String = "hello") -> String {
  line("reachability", t: t, node: node, #""reachable":\#(isReachable),"cause":"\#(cause)""#)
}

private func started(_ target: String, t: Int = 0, epoch: Int = 1) -> String {
  line("node.started", t: t, node: "runner", #""target":"\#(target)","epoch":\#(epoch),"cause":"launch""#)
}

private func fault(_ word: String, _ kind: String, t: Int) -> String {
  let params = word == "begin" ? #","params":{"node":"watch"}"# : ""
  return line("fault.\(word)", t: t, node: "runner", #""fault":"f","kind":"\#(kind)"\#(params)"#)
}

@Suite struct `sessions, judged by their frames` {
  // MARK: confirmed-in-return

  private func confirmed(_ lines: String) throws -> [String] {
    try broken(lines, checkers: [ConfirmedInReturnChecker.self])
  }

  private let hello = sent(1, t: 0, kind: "hello", channel: "message", seq: 0) + arrived(1, t: 5)
  private let answer = sent(2, t: 5, node: "phone", kind: "ack", channel: "message", seq: 0)

  @Test func `what arrives is confirmed at that instant`() throws {
    let event = sent(3, t: 10, seq: 1) + arrived(3, t: 15)
    let confirmation = sent(4, t: 15, node: "phone", kind: "ack", seq: 1)
    #expect(try confirmed(hello + answer + event + confirmation) == [])
    #expect(try confirmed(hello + answer + event) == ["confirmed-in-return"])
    #expect(try confirmed(hello) == ["confirmed-in-return"])
    // A receiver that dies confirms nothing.
    let dead = line("node.killed", t: 15, node: "runner", #""target":"phone""#)
    #expect(try confirmed(hello + answer + event + dead) == [])
  }

  @Test func `nothing else is confirmed, and nothing of an unknown epoch`() throws {
    #expect(try confirmed(sent(4, t: 15, node: "phone", kind: "ack", seq: 1)) == ["confirmed-in-return"])
    let stranger = sent(3, t: 10, epoch: 2, seq: 1) + arrived(3, t: 15)
    let confirmation = sent(4, t: 15, node: "phone", kind: "ack", seq: 1)
    #expect(try confirmed(hello + answer + stranger + confirmation) == ["confirmed-in-return"])
    let refused = line(
      "frame.refused", t: 15, node: "phone",
      #""kind":"data","channel":"userInfo","epoch":2,"seq":1,"why":"of an epoch that no hello announced""#)
    #expect(try confirmed(hello + answer + stranger + refused) == [])
    let known = sent(3, t: 10, seq: 1) + arrived(3, t: 15)
    #expect(
      try confirmed(hello + answer + known + refused.replacing(#""epoch":2"#, with: #""epoch":1"#))
        == ["confirmed-in-return"])
  }

  @Test func `a full disk confirms only what it had stored before`() throws {
    let full = line(
      "fault.begin", t: 8, node: "runner", #""fault":"f","kind":"diskFull","params":{"node":"phone"}"#)
    let event = sent(3, t: 10, seq: 1) + arrived(3, t: 15)
    let confirmation = sent(4, t: 15, node: "phone", kind: "ack", seq: 1)
    #expect(try confirmed(hello + answer + full + event) == [])
    #expect(try confirmed(hello + answer + full + event + confirmation) == ["confirmed-in-return"])
    let again = arrived(3, t: 20) + sent(5, t: 20, node: "phone", kind: "ack", seq: 1)
    let late = full.replacing(#""t":8"#, with: #""t":16"#)
    #expect(try confirmed(hello + answer + event + confirmation + late + again) == [])
  }

  // MARK: resends-back-off

  private func resent(_ lines: String) throws -> [String] {
    try broken(lines, checkers: [ResendsBackOffChecker.self])
  }

  private let up = started("watch") + reachable(true, t: 5)

  @Test func `waits double from half a second on, and are up to a quarter longer`() throws {
    let first = up + queued(1, t: 10) + sent(1, t: 10, seq: 1)
    #expect(try resent(first + sent(2, t: 520, seq: 1) + sent(3, t: 1_600, seq: 1) + sent(4, t: 3_700, seq: 1)) == [])
    #expect(try resent(first + sent(2, t: 400, seq: 1)) == ["resends-back-off"])
    #expect(try resent(first + sent(2, t: 520, seq: 1) + sent(3, t: 1_040, seq: 1)) == ["resends-back-off"])
    #expect(try resent(first + sent(2, t: 520, seq: 1) + line("end", t: 9_000, node: "runner")) == ["resends-back-off"])
  }

  @Test func `what is confirmed is not sent again`() throws {
    let lines =
      up + queued(1, t: 10) + sent(1, t: 10, seq: 1) + sent(2, t: 20, node: "phone", kind: "ack", seq: 1)
      + arrived(2, t: 30)
    #expect(try resent(lines) == [])
    #expect(try resent(lines + sent(3, t: 520, seq: 1)) == ["resends-back-off"])
  }

  @Test func `a peer that becomes reachable gets everything that is owed at once`() throws {
    let lines = up + queued(1, t: 10) + sent(1, t: 10, seq: 1) + reachable(false, t: 100) + reachable(true, t: 300)
    #expect(try resent(lines + sent(2, t: 300, seq: 1)) == [])
    #expect(try resent(lines) == ["resends-back-off"])
    #expect(try resent(lines + sent(2, t: 350, seq: 1)) == ["resends-back-off"])
  }

  @Test func `a window of 32 is in flight, in order`() throws {
    #expect(try resent(up + sent(1, t: 10, seq: 1) + sent(2, t: 10, seq: 2)) == [])
    #expect(try resent(up + sent(1, t: 10, seq: 2) + sent(2, t: 10, seq: 1)) == ["resends-back-off"])
    #expect(
      try resent(up + sent(1, t: 10, seq: 33).replacing("\(transfer)33", with: "\(transfer)3")) == ["resends-back-off"])
  }

  @Test func `a context is sent when it is set, if the peer is reachable`() throws {
    let set = line("context.set", t: 10, #""seq":1,"digest":"00000000000000d1""#)
    let first = sent(1, t: 10, channel: "applicationContext", seq: 1)
    #expect(try resent(up + set + first) == [])
    #expect(try resent(up + set) == ["resends-back-off"])
    #expect(try resent(set) == [])
  }

  // MARK: silent-while-unreachable

  private func silent(_ lines: String) throws -> [String] {
    try broken(lines, checkers: [SilentUnreachableChecker.self])
  }

  private let asked = #","wantsReply":true"#

  @Test func `nothing but hellos before the peer is reachable, and not even those over a cut`() throws {
    let start = started("watch")
    #expect(try silent(start + sent(1, t: 1, kind: "hello", channel: "message", seq: 0)) == [])
    #expect(try silent(start + sent(1, t: 1, seq: 1)) == ["silent-while-unreachable"])
    let cut = start + reachable(false, t: 5, cause: "supervision")
    #expect(try silent(cut + sent(1, t: 6, kind: "hello", channel: "message", seq: 0)) == ["silent-while-unreachable"])
    let back = cut + line("link.up", t: 6, node: "link", #""cause":"x""#)
    #expect(try silent(back + sent(1, t: 7, kind: "hello", channel: "message", seq: 0)) == [])
  }

  @Test func `messages fail when their sender learns that the peer is gone, in order`() throws {
    let lines =
      sent(1, t: 1, channel: "message", seq: 1, more: asked) + sent(2, t: 2, channel: "message", seq: 2, more: asked)
      + reachable(false, t: 5, cause: "supervision")
    func failed(_ seq: Int) -> String {
      line("message.failed", t: 5, #""epoch":1,"seq":\#(seq),"error":"notReachable""#)
    }
    let later = line("link.up", t: 9, node: "link", #""cause":"x""#)
    #expect(try silent(lines + failed(1) + failed(2) + later) == [])
    #expect(try silent(lines + failed(1) + later) == ["silent-while-unreachable"])
    #expect(try silent(lines + failed(2) + failed(1) + later) == ["silent-while-unreachable"])
  }

  @Test func `reachable is news, and needs both hellos`() throws {
    #expect(try silent(reachable(true, t: 5) + reachable(true, t: 6)) == ["silent-while-unreachable"])
    let both =
      started("watch") + started("phone") + sent(1, t: 0, kind: "hello", channel: "message", seq: 0)
      + sent(2, t: 0, node: "phone", kind: "hello", channel: "message", seq: 0) + arrived(1, t: 5)
      + sent(3, t: 5, node: "phone", kind: "ack", channel: "message", seq: 0) + arrived(2, t: 6)
    #expect(try silent(both + arrived(3, t: 10) + reachable(true, t: 10)) == [])
    #expect(try silent(both + reachable(true, t: 6)) == ["silent-while-unreachable"])
  }
}
