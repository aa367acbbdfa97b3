@testable import LinkCheckers
import Testing

@testable import Link

private let file = "00000000-0000-4000-8000-00000000000f"
private let whole = String(repeating: "ab", count: 32)

private func transfer(
  _ event: String, _ t: Int, node: String = "watch", bytes: Int = 100, digest: String = whole, name: String = "n.m4a",
  seq: Int = 1
) -> String {
  """
  {"t":\(t),"node":"\(node)","event":"transfer.\(event)","transfer":"\(file)","channel":"file","seq":\(seq),\
  "bytes":\(bytes),"digest":"\(digest)","name":"\(name)"}

  """
}

private func chunk(_ t: Int, offset: Int, bytes: Int, seq: Int = 1) -> String {
  """
  {"t":\(t),"node":"watch","event":"frame.sent","id":1,"to":"phone","kind":"chunk","channel":"file","epoch":1,\
  "seq":\(seq),"bytes":\(bytes),"digest":"00000000000000d1","transfer":"\(file)","offset":\(offset)}

  """
}

private func progress(_ t: Int, received: Int) -> String {
  """
  {"t":\(t),"node":"watch","event":"transfer.progress","transfer":"\(file)","received":\(received),"bytes":100}

  """
}

@Suite struct `file-intact` {
  private func violations(_ lines: String) throws -> [String] {
    try judge(lines, checkers: [FileIntactChecker.self]).violations.map(\.detail)
  }

  private let sent = transfer("queued", 1) + chunk(2, offset: 0, bytes: 60) + chunk(2, offset: 60, bytes: 40)

  @Test func `a file that arrives unchanged keeps the invariant, sent again or not`() throws {
    let again = chunk(3, offset: 20, bytes: 80) + progress(3, received: 60)
    let end = transfer("delivered", 4, node: "phone") + transfer("finished", 5) + chunk(6, offset: 0, bytes: 60)
    #expect(try violations(sent + again + end) == [])
    // The finish may be reported before the app has handled the file.
    #expect(try violations(sent + transfer("finished", 3) + transfer("delivered", 4, node: "phone")) == [])
    // An empty file has no chunk.
    let empty = transfer("queued", 1, bytes: 0) + transfer("delivered", 2, node: "phone", bytes: 0)
    #expect(try violations(empty) == [])
  }

  @Test func `a size, a name or any of the 64 digits that differ break it`() throws {
    #expect(try violations(sent + transfer("delivered", 4, node: "phone", bytes: 99)).count == 1)
    #expect(try violations(sent + transfer("delivered", 4, node: "phone", name: "other")).count == 1)
    let other = String(whole.dropLast()) + "c"
    #expect(try violations(sent + transfer("delivered", 4, node: "phone", digest: other)).count == 1)
    #expect(try violations(transfer("queued", 1, digest: String(whole.prefix(16)))).count == 1)
    #expect(try violations(sent + transfer("setAside", 4, node: "phone", digest: other)).count == 1)
  }

  @Test func `delivered twice breaks it, also after a restart`() throws {
    let twice = transfer("delivered", 4, node: "phone") + transfer("delivered", 9, node: "phone")
    #expect(try violations(sent + twice).count == 1)
  }

  @Test func `a chunk outside the file, or without one, breaks it`() throws {
    #expect(try violations(sent + chunk(3, offset: 60, bytes: 41)).count == 1)
    #expect(try violations(sent + chunk(3, offset: 101, bytes: 0)).count == 1)
    #expect(try violations(chunk(3, offset: 0, bytes: 10)).count == 1)
  }

  @Test func `bytes that were not sent can neither arrive nor be reported`() throws {
    let half = transfer("queued", 1) + chunk(2, offset: 0, bytes: 60)
    #expect(try violations(half + transfer("delivered", 3, node: "phone")).count == 1)
    #expect(try violations(half + progress(3, received: 61)).count == 1)
    #expect(try violations(half + progress(3, received: 60)) == [])
  }

  @Test func `a cancelled file may still arrive, complete and once`() throws {
    let cancelled = sent + transfer("cancelled", 3)
    #expect(try violations(cancelled) == [])
    #expect(try violations(cancelled + transfer("delivered", 4, node: "phone")) == [])
    #expect(try violations(cancelled + transfer("delivered", 4, node: "phone", bytes: 7)).count == 1)
  }
}

@Suite struct `cancelled transfers` {
  private func line(_ event: String, _ t: Int, node: String = "watch", channel: String = "userInfo") -> String {
    """
    {"t":\(t),"node":"\(node)","event":"transfer.\(event)","transfer":"\(file)","channel":"\(channel)","seq":1,\
    "bytes":10,"digest":"00000000000000d1","kind":"k"}

    """
  }

  @Test func `may be delivered after the cancellation, and not twice`() throws {
    let cancelled = line("queued", 1) + line("cancelled", 2)
    let delivered = line("delivered", 3, node: "phone")
    #expect(try broken(cancelled) == [])
    #expect(try broken(cancelled + delivered) == [])
    #expect(try broken(cancelled + delivered + line("delivered", 4, node: "phone")) == ["guaranteed-no-duplicate"])
    #expect(
      try broken(line("queued", 1) + line("delivered", 2, node: "phone") + line("cancelled", 3) + delivered)
        == ["guaranteed-no-duplicate"])
  }

  @Test func `a dead app's inbox is outstanding, and a living one's must be handled`() throws {
    let taken = line("queued", 1) + line("finished", 2)
    let killed = #"{"t":3,"node":"runner","event":"node.killed","target":"phone"}"# + "\n"
    let end = """
      {"t":9,"node":"runner","event":"healed"}
      {"t":9,"node":"runner","event":"end","frames":0,"outstanding":["\(file)"]}

      """
    #expect(try broken(taken + killed + end) == [])
    #expect(try broken(taken + end) == ["queues-drain"])
  }

  @Test func `an entry behind one that never arrives is outstanding while its sender is dead`() throws {
    let other = "11111111-2222-3333-4444-555555555555"
    let second = (line("queued", 2) + line("finished", 3)).replacing("\"seq\":1", with: "\"seq\":2")
      .replacing(file, with: other)
    let killed = #"{"t":4,"node":"runner","event":"node.killed","target":"watch"}"# + "\n"
    let end = """
      {"t":9,"node":"runner","event":"healed"}
      {"t":9,"node":"runner","event":"end","frames":0,"outstanding":["\(file)","\(other)"]}

      """
    #expect(try broken(line("queued", 1) + second + killed + end) == [])
    #expect(try broken(line("queued", 1) + second + end) == ["queues-drain"])
    // Nothing is in front of it.
    #expect(try broken(second + killed + end.replacing("\"\(file)\",", with: "")) == ["queues-drain"])
  }

  @Test func `one that failed is not delivered`() throws {
    let failed = line("queued", 1) + line("failed", 2)
    #expect(try broken(failed) == [])
    #expect(try broken(failed + line("delivered", 3, node: "phone")) == ["guaranteed-no-duplicate"])
  }
}
