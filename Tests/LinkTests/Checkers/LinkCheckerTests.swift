@testable import LinkCheckers
import Testing

@testable import Link

private let a = "00000000-0000-4000-8000-00000000000a"
private let b = "00000000-0000-4000-8000-00000000000b"

private func sent(_ id: Int, t: Int = 0, seq: Int = 1, digest: String = "00000000000000d1") -> String {
  """
  {"t":\(t),"node":"watch","event":"frame.sent","id":\(id),"to":"phone","kind":"data","channel":"message","epoch":1,\
  "seq":\(seq),"bytes":10,"digest":"\(digest)"}

  """
}

private func delivered(_ id: Int, t: Int = 5, copy: Int = 0) -> String {
  "{\"t\":\(t),\"node\":\"link\",\"event\":\"frame.delivered\",\"id\":\(id),\"copy\":\(copy)}\n"
}

private func received(t: Int = 5, seq: Int = 1, digest: String = "00000000000000d1") -> String {
  """
  {"t":\(t),"node":"phone","event":"message.received","from":"watch","kind":"k","epoch":1,"seq":\(seq),\
  "digest":"\(digest)"}

  """
}

private func transfer(
  _ event: String, _ id: String, t: Int = 0, node: String = "watch", seq: Int = 1, complication: Bool = false,
  channel: String = "userInfo", digest: String = "00000000000000d1"
) -> String {
  """
  {"t":\(t),"node":"\(node)","event":"transfer.\(event)","transfer":"\(id)","channel":"\(channel)"\
  \(complication ? ",\"complication\":true" : ""),"seq":\(seq),"bytes":10,"digest":"\(digest)","kind":"k"}

  """
}

private func runner(_ event: String, _ fields: String = "", t: Int = 100) -> String {
  "{\"t\":\(t),\"node\":\"runner\",\"event\":\"\(event)\"\(fields)}\n"
}

private func context(_ event: String, node: String, t: Int = 0, digest: String) -> String {
  "{\"t\":\(t),\"node\":\"\(node)\",\"event\":\"context.\(event)\",\"seq\":1,\"digest\":\"\(digest)\"}\n"
}

private let one = "0000000000000001"
private let two = "0000000000000002"

@Suite struct `the link's invariants` {
  @Test func `a quiet run holds them all`() throws {
    let lines =
      sent(1) + delivered(1) + received() + transfer("queued", a, t: 6) + transfer("delivered", a, t: 8, node: "phone")
      + transfer("finished", a, t: 9) + context("set", node: "phone", t: 10, digest: one)
      + context("received", node: "watch", t: 11, digest: one) + runner("healed")
    let judgement = try judge(lines)
    #expect(judgement.violations == [])
    #expect(judgement.verdict == .pass)
  }

  @Test func `a trace without an end line does not pass`() throws {
    #expect(try judge(sent(1) + transfer("queued", a), ends: false).verdict == .unknown)
  }

  // MARK: - Frames

  @Test func `a frame without a fate is reported at the end`() throws {
    #expect(try broken(sent(1)) == ["every-frame-one-fate"])
    #expect(try broken(sent(1), ends: false) == [])
  }

  @Test func `two fates for one copy, and a fate for a copy never made`() throws {
    #expect(try broken(sent(1) + delivered(1) + delivered(1)) == ["every-frame-one-fate"])
    #expect(try broken(sent(1) + delivered(1, copy: 1) + delivered(1, t: 6)) == ["every-frame-one-fate"])
  }

  @Test func `each copy of a duplicated frame has its own fate`() throws {
    let duplicated = "{\"t\":1,\"node\":\"link\",\"event\":\"frame.duplicated\",\"id\":1,\"copies\":2}\n"
    let dropped = "{\"t\":9,\"node\":\"link\",\"event\":\"frame.dropped\",\"id\":1,\"copy\":2,\"cause\":\"loss\"}\n"
    let all = sent(1) + duplicated + delivered(1, copy: 1) + delivered(1, t: 6) + dropped
    #expect(try broken(all) == [])
    #expect(try broken(sent(1) + duplicated + delivered(1) + dropped) == ["every-frame-one-fate"])
  }

  @Test func `the count of the end is the count of frames`() throws {
    #expect(try broken(sent(1) + delivered(1) + runner("end", ",\"frames\":2")) == ["every-frame-one-fate"])
    #expect(try broken(sent(1) + delivered(1) + runner("end", ",\"frames\":1")) == [])
  }

  @Test func `a duplicate id is reported`() throws {
    let twice = sent(1) + delivered(1) + sent(1, t: 6, seq: 2) + delivered(1, t: 7)
    #expect(try broken(twice) == ["every-frame-one-fate", "order-at-an-instant"])
  }

  @Test func `a line earlier than one before it breaks causality, whatever its event`() throws {
    func line(_ t: Int) -> String { "{\"t\":\(t),\"node\":\"watch\",\"event\":\"of.nobodys.interest\"}\n" }
    let judgement = try judge(
      line(3) + line(9) + line(9) + line(8) + line(8) + line(9), checkers: [CausalityChecker.self])
    #expect(judgement.violations.map(\.lines) == [[4, 5], [4, 6]])
    #expect(
      judgement.violations.first?.detail
        == "of.nobodys.interest at 0:00.008 follows an event at 0:00.009")
  }

  @Test func `an arrival before its sending breaks causality`() throws {
    #expect(try broken(delivered(1, t: 0) + sent(1), checkers: [CausalityChecker.self]) == ["causality"])
    #expect(try broken(sent(1, t: 9) + delivered(1, t: 8), checkers: [CausalityChecker.self]) == ["causality"])
    #expect(try broken(sent(1, t: 9) + delivered(1, t: 9), checkers: [CausalityChecker.self]) == [])
  }

  @Test func `decreasing time breaks causality`() throws {
    #expect(try broken(sent(1, t: 9) + sent(2, t: 8, seq: 2), checkers: [CausalityChecker.self]) == ["causality"])
  }

  // MARK: - Messages

  @Test func `a message that was never sent, or with another digest, is a phantom`() throws {
    #expect(try broken(received()) == ["no-phantom"])
    #expect(try broken(sent(1) + delivered(1) + received(digest: two)) == ["no-phantom"])
    #expect(try broken(sent(1) + delivered(1) + received(seq: 2)) == ["no-phantom"])
  }

  @Test func `a message received twice, at once or thousands later`() throws {
    let twice = sent(1) + delivered(1) + received() + received(t: 6)
    #expect(try broken(twice) == ["message-at-most-once"])
    var lines = ""
    for seq in 1...4000 { lines += received(t: seq, seq: seq) }
    #expect(try broken(lines, checkers: [MessageOnceChecker.self]) == [])
    #expect(
      try broken(lines + received(t: 5000, seq: 17), checkers: [MessageOnceChecker.self]) == ["message-at-most-once"])
  }

  @Test func `messages that come out of order are not duplicates`() throws {
    let lines = [5, 3, 4, 1, 200, 2, 150].map { received(seq: $0) }.joined()
    #expect(try broken(lines, checkers: [MessageOnceChecker.self]) == [])
    #expect(try broken(lines + received(seq: 150), checkers: [MessageOnceChecker.self]) == ["message-at-most-once"])
  }

  @Test func `numbers of several senders and epochs are distinguished, whichever sent last`() throws {
    func of(_ sender: String, _ seq: Int) -> String {
      let line = received(seq: seq)
      switch sender {
      case "phone":
        return line.replacing("\"node\":\"phone\"", with: "\"node\":\"watch\"")
          .replacing("\"from\":\"watch\"", with: "\"from\":\"phone\"")
      case "later": return line.replacing("\"epoch\":1", with: "\"epoch\":2")
      default: return line
      }
    }
    let spoken = [
      ("watch", 1), ("phone", 1), ("watch", 2), ("phone", 9), ("phone", 2), ("later", 1), ("watch", 9), ("later", 9),
      ("phone", 3), ("watch", 3),
    ]
    let lines = spoken.map { of($0.0, $0.1) }.joined()
    #expect(try broken(lines, checkers: [MessageOnceChecker.self]) == [])
    for (sender, seq) in spoken {
      #expect(try broken(lines + of(sender, seq), checkers: [MessageOnceChecker.self]) == ["message-at-most-once"])
    }
  }

  // MARK: - Transfers

  @Test func `a transfer that never arrives is lost, unless it is listed`() throws {
    #expect(try broken(transfer("queued", a)) == ["guaranteed-no-loss"])
    let listed = runner("end", ",\"frames\":0,\"outstanding\":[{\"transfer\":\"\(a)\"}]")
    #expect(try broken(transfer("queued", a) + listed) == [])
    for fate in ["cancelled", "failed"] { #expect(try broken(transfer("queued", a) + transfer(fate, a, t: 1)) == []) }
  }

  @Test func `a transfer that finished and was not delivered is lost`() throws {
    #expect(try broken(transfer("queued", a) + transfer("finished", a, t: 3)) == ["guaranteed-no-loss"])
  }

  @Test func `a transfer delivered again is a duplicate, before and after it is settled`() throws {
    let once = transfer("queued", a) + transfer("delivered", a, t: 2, node: "phone")
    let again = transfer("delivered", a, t: 5, node: "phone")
    #expect(try broken(once + again) == ["guaranteed-no-duplicate"])
    #expect(try broken(once + transfer("finished", a, t: 3) + again) == ["guaranteed-no-duplicate"])
  }

  @Test func `a delivery after a failure is not reported as a second delivery`() throws {
    let failed = transfer("queued", a, channel: "file") + transfer("failed", a, t: 2, channel: "file")
    let late = transfer("delivered", a, t: 5, node: "phone", channel: "file")
    let checkers: [any Checker.Type] = [GuaranteedNoDuplicateChecker.self]
    let violations = try judge(failed + late + late, checkers: checkers).violations
    let endings = ["was delivered after its sender got a failure for it", "was delivered again"]
    #expect(violations.count == 2 && zip(violations, endings).allSatisfy { $0.detail.hasSuffix($1) })
    #expect(violations.first?.lines.count == 2, "the failure and the delivery")
    #expect(try judge(late + failed, checkers: checkers).violations.isEmpty, "the sender did not know")
  }

  @Test func `a transfer that passes another breaks the order, and a complication does not`() throws {
    let queued = transfer("queued", a) + transfer("queued", b, t: 1, seq: 2)
    let wrong =
      transfer("delivered", b, t: 3, node: "phone", seq: 2) + transfer("delivered", a, t: 4, node: "phone")
    #expect(try broken(queued + wrong) == ["guaranteed-fifo"])
    let mixed = transfer("queued", a) + transfer("queued", b, t: 1, complication: true)
    let ahead =
      transfer("delivered", b, t: 3, node: "phone", complication: true) + transfer("delivered", a, t: 4, node: "phone")
    #expect(try broken(mixed + ahead) == [])
  }

  @Test func `a cancelled transfer blocks no other, and files have no order`() throws {
    let cancelled =
      transfer("queued", a) + transfer("queued", b, t: 1, seq: 2) + transfer("cancelled", a, t: 2)
      + transfer("delivered", b, t: 3, node: "phone", seq: 2)
    #expect(try broken(cancelled) == [])
    let files =
      transfer("queued", a, channel: "file") + transfer("queued", b, t: 1, seq: 2, channel: "file")
      + transfer("delivered", b, t: 3, node: "phone", seq: 2, channel: "file")
      + transfer("delivered", a, t: 4, node: "phone", channel: "file")
    #expect(try broken(files, checkers: [GuaranteedFIFOChecker.self]) == [])
  }

  @Test func `a transfer that was not queued, or with another digest, is a phantom`() throws {
    #expect(try broken(transfer("delivered", a, t: 2, node: "phone")) == ["no-phantom"])
    let other = transfer("queued", a) + transfer("delivered", a, t: 2, node: "phone", digest: two)
    #expect(try broken(other) == ["no-phantom"])
  }

  @Test func `after the heal a transfer finishes, or its receiver is down and it is listed`() throws {
    let delivered = transfer("queued", a) + transfer("delivered", a, t: 3, node: "phone")
    #expect(try broken(delivered + runner("healed")) == ["queues-drain"])
    #expect(try broken(delivered) == [])
    let listed = runner("end", ",\"frames\":0,\"outstanding\":[\"\(a)\"]")
    #expect(try broken(transfer("queued", a) + runner("healed") + listed) == ["queues-drain"])
    let dead = runner("node.killed", ",\"target\":\"phone\"", t: 50)
    #expect(try broken(transfer("queued", a) + dead + runner("healed") + listed) == [])
    let risen = dead + runner("node.started", ",\"target\":\"phone\",\"epoch\":2", t: 60)
    #expect(try broken(transfer("queued", a) + risen + runner("healed") + listed) == ["queues-drain"])
  }

  @Test func `a transfer that waits is named by its kind and number, with where it waits`() throws {
    let listed = runner("healed") + runner("end", ",\"frames\":0,\"outstanding\":[\"\(a)\"]")
    func details(_ lines: String) throws -> [String] {
      try judge(lines, checkers: [QueuesDrainChecker.self]).violations.map(\.detail)
    }
    let queued = transfer("queued", a, seq: 3)
    let delivered = queued + transfer("delivered", a, t: 3, node: "phone", seq: 3)
    let what = "the watch's \"k\" (userInfo 3)"
    #expect(try details(queued + listed) == ["\(what) still waits at the watch, though both are up"])
    #expect(
      try details(queued + transfer("finished", a, t: 4, seq: 3) + listed) == [
        "\(what) waits at the phone, which acknowledged it and never handled it"
      ])
    #expect(
      try details(delivered + listed) == [
        "the phone handled \(what), but the watch still waits for the acknowledgement, though both are up"
      ])
    #expect(
      try details(queued + runner("healed")) == ["\(what) still waits at the watch, and is not listed as outstanding"])
    let file = transfer("queued", a, node: "phone", seq: 2, channel: "file").replacing(",\"kind\":\"k\"", with: "")
    #expect(try details(file + listed) == ["the phone's file (file 2) still waits at the phone, though both are up"])
  }

  // MARK: - Contexts

  @Test func `the final context is the one set last`() throws {
    let set = context("set", node: "watch", digest: one) + context("set", node: "watch", t: 2, digest: two)
    let stale = context("received", node: "phone", t: 1, digest: one)
    let latest = context("received", node: "phone", t: 3, digest: two)
    #expect(try broken(set + latest + runner("healed")) == [])
    #expect(try broken(set + runner("healed")) == ["context-converges"])
    #expect(
      try broken(set + latest + stale + runner("healed"), checkers: [ContextConvergesChecker.self]) == [
        "context-converges"
      ])
    #expect(
      try broken(set + runner("node.killed", ",\"target\":\"phone\"", t: 50) + runner("healed")) == [])
  }

  @Test func `a context that was never set is a phantom`() throws {
    #expect(try broken(context("received", node: "phone", digest: one)) == ["no-phantom"])
  }
}

@Suite struct `the judge` {
  @Test func `twenty violations of an invariant are kept and the rest counted`() throws {
    let judgement = try judge((1...50).map { received(t: $0, seq: $0) }.joined())
    #expect(judgement.violations.count == 20)
    #expect(judgement.omitted == [Judgement.Omitted(invariant: "no-phantom", count: 30)])
    #expect(judgement.verdict == .fail)
  }

  @Test func `violations name the lines that show them and come in the order of time`() throws {
    let judgement = try judge(sent(1) + delivered(1) + received(digest: two) + received(t: 6, digest: two))
    #expect(judgement.violations.map(\.time.nanoseconds) == [5_000_000, 6_000_000, 6_000_000])
    #expect(judgement.violations[0].lines == [2, 4])
  }

  @Test func `every checker has a unique name and a sentence, and reads events`() {
    let catalog = CheckerCatalog.all
    #expect(Set(catalog.map { $0.invariant }).count == catalog.count)
    for kind in catalog {
      // Reserved events are refused by the judge itself, whatever a checker asks for.
      #expect(kind.about.hasSuffix(".") && (!kind.events.isEmpty || kind == ReservedEventsChecker.self))
    }
  }

  @Test func `a number table holds what a dictionary holds`() {
    let random = RandomStream(seed: 3, name: "table")
    var table = NumberTable<Int>()
    var dictionary: [UInt64: Int] = [:]
    for round in UInt64(0)..<20_000 {
      let key = random.bits(for: round, draw: 0) % 700
      if random.bits(for: round, draw: 1) % 3 == 0 {
        table[key] = nil
        dictionary[key] = nil
      } else {
        table[key] = Int(round)
        dictionary[key] = Int(round)
      }
      let probe = random.bits(for: round, draw: 2) % 700
      #expect(table[probe] == dictionary[probe])
    }
    #expect(table.count == dictionary.count)
    #expect(table.sorted.map(\.value) == dictionary.sorted { $0.key < $1.key }.map(\.value))
  }
}
