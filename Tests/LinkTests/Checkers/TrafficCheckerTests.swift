@testable import LinkCheckers
@testable import Link
import LinkTestSupport
import Testing

private let transfer = "00000000-0000-0000-0000-00000000000"

private func line(_ event: String, t: Int, node: String = "watch", _ fields: String) -> String {
  #"{"t":\#(t),"node":"\#(node)","event":"\#(event)",\#(fields)}"# + "\n"
}

private func sent(
  _ id: Int, t: Int, node: String = "watch", kind: String = "data", channel: String, seq: Int, bytes: Int = 1,
  more: String = ""
) -> String {
  line(
    "frame.sent", t: t, node: node,
    #""id":\#(id),"to":"\#(node == "watch" ? "phone" : "watch")","kind":"\#(kind)","channel":"\#(channel)","epoch":1,"#
      + #""seq":\#(seq),"bytes":\#(bytes),"digest":"00000000000000d\#(seq)"\#(more)"#)
}

private func arrived(_ id: Int, t: Int) -> String {
  line("frame.delivered", t: t, node: "link", #""id":\#(id),"copy":0"#)
}

private func fault(_ word: String, _ kind: String, t: Int, node: String = "watch") -> String {
  let params = word == "begin" ? #","params":{"node":"\#(node)"}"# : ""
  return line("fault.\(word)", t: t, node: "runner", #""fault":"f","kind":"\#(kind)"\#(params)"#)
}

private func queued(_ number: Int, t: Int, more: String = "") -> String {
  line(
    "transfer.queued", t: t, #""transfer":"\#(transfer)\#(number % 10)","channel":"userInfo","seq":\#(number)\#(more)"#)
}

@Suite struct `contexts, files and budgets, judged` {
  @Test func `only the newest context is sent, until it is confirmed`() throws {
    func judged(_ lines: String) throws -> [String] { try broken(lines, checkers: [NewestContextChecker.self]) }
    func set(_ seq: Int, t: Int) -> String {
      line("context.set", t: t, #""seq":\#(seq),"digest":"00000000000000d\#(seq)""#)
    }
    let first = set(1, t: 1) + sent(1, t: 1, channel: "applicationContext", seq: 1)
    #expect(try judged(first + set(2, t: 2) + sent(2, t: 2, channel: "applicationContext", seq: 2)) == [])
    #expect(
      try judged(first + set(2, t: 2) + sent(2, t: 2, channel: "applicationContext", seq: 1)) == ["newest-context-only"]
    )
    let confirmed =
      first + sent(3, t: 3, node: "phone", kind: "ack", channel: "applicationContext", seq: 1) + arrived(3, t: 4)
    #expect(try judged(confirmed) == [])
    #expect(try judged(confirmed + sent(4, t: 5, channel: "applicationContext", seq: 1)) == ["newest-context-only"])
    let again = set(2, t: 6).replacing("00000000000000d2", with: "00000000000000d1")
    #expect(try judged(confirmed + again) == ["newest-context-only"])
    func received(_ seq: Int) -> String {
      line("context.received", t: 9, node: "phone", #""seq":\#(seq),"digest":"00000000000000d1""#)
    }
    #expect(try judged(received(1) + received(2)) == [])
    #expect(try judged(received(2) + received(1)) == ["newest-context-only"])
  }

  @Test func `fifty complication transfers a day`() throws {
    func judged(_ count: Int, t: Int = 1) throws -> [String] {
      let lines = (1...count).map { queued($0, t: $0 > 50 ? t : 1, more: #","complication":true"#) }.joined()
      return try broken(lines, checkers: [ComplicationBudgetChecker.self])
    }
    #expect(try judged(50) == [])
    #expect(try judged(51) == ["complication-budget"])
    // The next day.
    #expect(try judged(60, t: 86_400_000) == [])
  }

  @Test func `a file leaves the link to events`() throws {
    func judged(_ lines: String) throws -> [String] { try broken(lines, checkers: [FilesYieldChecker.self]) }
    func chunk(_ id: Int, t: Int, bytes: Int = 4_096) -> String {
      sent(id, t: t, kind: "chunk", channel: "file", seq: 1, bytes: bytes)
    }
    let answer = sent(9, t: 5, node: "phone", kind: "ack", channel: "file", seq: 1) + arrived(9, t: 6)
    #expect(try judged(chunk(1, t: 1, bytes: 8_192) + chunk(2, t: 2)) == [])
    #expect(try judged(queued(1, t: 0) + chunk(1, t: 1, bytes: 8_192)) == ["files-yield"])
    #expect(try judged(queued(1, t: 0) + chunk(1, t: 1) + chunk(2, t: 2)) == ["files-yield"])
    #expect(try judged(queued(1, t: 0) + chunk(1, t: 1) + answer + chunk(2, t: 7)) == [])
    #expect(try judged(queued(1, t: 0) + chunk(1, t: 1) + chunk(2, t: 501)) == [])
    // A device that gets no reports of arrivals seems to owe what has arrived.
    func silent(_ node: String) -> String { fault("begin", "finishLost", t: 0, node: node) }
    #expect(try judged(silent("watch") + queued(1, t: 0) + chunk(1, t: 1) + chunk(2, t: 2)) == [])
    #expect(try judged(silent("phone") + queued(1, t: 0) + chunk(1, t: 1) + chunk(2, t: 2)) == ["files-yield"])
  }

  @Test func `bytes that the receiver has are not sent again`() throws {
    let named = #","transfer":"\#(transfer)1","offset":"#
    let progress = line("transfer.progress", t: 3, #""transfer":"\#(transfer)1","received":4096,"bytes":9000"#)
    func judged(_ offset: Int) throws -> [String] {
      try broken(
        progress + sent(1, t: 4, kind: "chunk", channel: "file", seq: 1, more: named + "\(offset)"),
        checkers: [FileResumesChecker.self])
    }
    #expect(try judged(4_096) == [])
    #expect(try judged(0) == ["file-resumes"])
  }

  @Test func `a full disk refuses`() throws {
    func judged(_ lines: String) throws -> [String] { try broken(lines, checkers: [FullDiskRefusesChecker.self]) }
    #expect(try judged(fault("begin", "diskFull", t: 1) + fault("end", "diskFull", t: 3) + queued(1, t: 3)) == [])
    #expect(try judged(fault("begin", "diskFull", t: 1) + queued(1, t: 2)) == ["full-disk-refuses"])
    // At the instant of the end, the app may know it before the line.
    #expect(try judged(fault("begin", "diskFull", t: 1) + queued(1, t: 2) + fault("end", "diskFull", t: 2)) == [])
    // Another one that begins at that instant is later; one that has been on is not.
    func second(t: Int) -> String { fault("begin", "diskFull", t: t).replacing(#""fault":"f""#, with: #""fault":"g""#) }
    let ended = queued(1, t: 2) + fault("end", "diskFull", t: 2)
    #expect(try judged(fault("begin", "diskFull", t: 1) + ended + second(t: 2)) == [])
    #expect(try judged(fault("begin", "diskFull", t: 1) + second(t: 1) + ended) == ["full-disk-refuses"])
  }

  @Test func `a suspended app gets nothing`() throws {
    func judged(_ lines: String) throws -> [String] { try broken(lines, checkers: [AsleepGetsNothingChecker.self]) }
    let asleep = line("node.suspended", t: 1, node: "runner", #""target":"watch","cause":"suspend""#)
    let awake = line("node.resumed", t: 2, node: "runner", #""target":"watch","cause":"suspend""#)
    #expect(try judged(asleep + awake + queued(1, t: 3)) == [])
    #expect(try judged(asleep + queued(1, t: 3)) == ["asleep-gets-nothing"])
  }

  @Test func `a transfer ends once`() throws {
    func judged(_ lines: String) throws -> [String] { try broken(lines, checkers: [OneOutcomeChecker.self]) }
    func ended(_ event: String) -> String {
      line(event, t: 1, #""transfer":"\#(transfer)1","channel":"userInfo","seq":1"#)
    }
    #expect(try judged(ended("transfer.finished")) == [])
    #expect(try judged(ended("transfer.cancelled") + ended("transfer.finished")) == ["one-outcome"])
    let failed = line("message.failed", t: 1, #""epoch":1,"seq":1,"error":"notReachable""#)
    #expect(try judged(failed + failed) == ["one-outcome"])
    #expect(try judged(failed + failed.replacing(#""epoch":1"#, with: #""epoch":2"#)) == [])
  }

  @Test func `frames neither overtake nor arrive before the link has carried them`() throws {
    func judged(_ lines: String) throws -> [String] { try broken(lines, checkers: [LinkNoFasterChecker.self]) }
    let both = sent(1, t: 1, channel: "message", seq: 1) + sent(2, t: 2, channel: "message", seq: 2)
    #expect(try judged(both + arrived(1, t: 5) + arrived(2, t: 5)) == [])
    #expect(try judged(both + arrived(2, t: 5) + arrived(1, t: 6)) == ["link-no-faster"])
    let reorder = line("fault.begin", t: 0, node: "link", #""fault":"f","kind":"reorder","params":{}"#)
    #expect(try judged(reorder + both + arrived(2, t: 5) + arrived(1, t: 6)) == [])
    var header = TraceHeader(scenario: "s", seed: 1, duration: .seconds(60))
    header.link = JSONNode(.object([JSONMember("bytesPerSecond", .integer(1_000))]))
    #expect(Self.carried(500, header) == 0)
    #expect(Self.carried(499, header) == 1)
  }

  /// The number of violations of a frame of 500 bytes that arrives after some milliseconds.
  private static func carried(_ milliseconds: Int64, _ header: TraceHeader) -> Int {
    var judge = Judge(header: header, checkers: [LinkNoFasterChecker.self])
    let frame = TraceEvent(
      "frame.sent", at: .start, on: .watch,
      [
        .init("id", .int(1)), .init("to", .string("phone")), .init("kind", .string("data")),
        .init("channel", .string("message")), .init("epoch", .int(1)), .init("seq", .int(1)), .init("bytes", .int(500)),
        .init("digest", .string("00000000000000d1")),
      ])
    let arrival = TraceEvent(
      "frame.delivered", at: .start + .milliseconds(milliseconds), on: .link,
      [.init("id", .int(1)), .init("copy", .int(0))])
    judge.observe(frame.completed, line: 2)
    judge.observe(arrival.completed, line: 3)
    return judge.finish().violations.count
  }
}
