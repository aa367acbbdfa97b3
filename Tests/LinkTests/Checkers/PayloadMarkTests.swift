@testable import LinkCheckers
import LinkTestSupport
import Testing

@testable import Link

@Suite struct `Marks of payloads` {
  private static func mark(_ payload: [UInt8]) throws -> PayloadMark {
    try #require(PayloadMark(.digest(of: payload)))
  }

  private static func payload(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) } }

  @Test(arguments: [0, 1, 7, 8, 31, 32, 33, 63, 64, 65, 200, 226])
  func `a payload in which one bit is another is another payload`(count: Int) throws {
    let whole = Self.payload(count)
    let mark = try Self.mark(whole)
    #expect(try !mark.differs(from: Self.mark(Self.payload(count))))
    for place in whole.indices {
      for bit in 0..<8 as Range<UInt8> {
        var other = whole
        other[place] ^= 1 << bit
        #expect(try mark.differs(from: Self.mark(other)), "bit \(bit) of byte \(place) of \(count)")
      }
    }
  }

  @Test func `a payload that is longer, shorter or turned around is another one`() throws {
    for count in 1..<130 {
      let whole = Self.payload(count)
      #expect(try Self.mark(whole).differs(from: Self.mark(whole + [0])))
      #expect(try Self.mark(whole).differs(from: Self.mark(whole.dropLast())))
      let lanes = Array(whole.suffix(count / 2) + whole.prefix(count - count / 2))
      if lanes != whole { #expect(try Self.mark(whole).differs(from: Self.mark(lanes))) }
    }
  }

  @Test func `digests are compared as digests`() throws {
    let (one, other) = (try #require(PayloadMark(.hex(1))), try #require(PayloadMark(.hex(2))))
    #expect(one.differs(from: other) && !one.differs(from: one))
    #expect(PayloadMark(.string("one")) == nil)
  }

  @Test func `a digest and a mark tell nothing of each other`() throws {
    let digest = try #require(PayloadMark(.hex(Digest.prefix([1]))))
    #expect(try !digest.differs(from: Self.mark([1])) && !digest.differs(from: Self.mark([2])))
  }
}

@Suite struct `Digests that are left open` {
  private static let payload: [UInt8] = Array("wrist".utf8)
  private static let header = TraceHeader(scenario: "s", seed: 1, duration: .seconds(60))

  private static func event(_ digest: TraceValue) -> TraceEvent {
    TraceEvent("context.set", at: .start, on: .watch, [.init("seq", .int(1)), .init("digest", digest)])
  }

  @Test func `a mark equals its computed value`() {
    let (open, known) = (TraceValue.digest(of: Self.payload), TraceValue.hex(Digest.prefix(Self.payload)))
    #expect(open == known && known == open && open == .digest(of: Self.payload))
    #expect(open != .digest(of: [1]) && open != .hex(1) && open != .string(known.text ?? ""))
    #expect(open.text == known.text && open.digestBits == known.digestBits)
    #expect(open.integer == nil && open.double == nil && open.boolean == nil)
  }

  @Test func `a line is written the same`() {
    let (open, known) = (
      Self.event(.digest(of: Self.payload)), Self.event(.hex(Digest.prefix(Self.payload)))
    )
    #expect(TraceWriter.text(of: open) == TraceWriter.text(of: known))
    var (ours, theirs) = ([UInt8](), [UInt8]())
    var writer = TraceWriter()
    writer.append(open, to: &ours)
    writer.append(known, to: &theirs)
    #expect(ours == theirs && !ours.isEmpty)
  }

  @Test func `a message with another payload than it was sent with is a phantom`() {
    func violations(_ received: [UInt8]) -> [Violation] {
      var judge = Judge(header: Self.header, checkers: [PhantomChecker.self])
      judge.observe(
        TraceEvent(
          "frame.sent", at: .start, on: .watch,
          [
            .init("id", .int(1)), .init("to", .string("phone")), .init("kind", .string("data")),
            .init("channel", .string("message")), .init("epoch", .int(1)), .init("seq", .int(1)),
            .init("bytes", .int(5)), .init("digest", .digest(of: Self.payload)),
          ]), line: 2)
      judge.observe(
        TraceEvent(
          "message.received", at: .start, on: .phone,
          [
            .init("from", .string("watch")), .init("kind", .string("liveMetrics")), .init("epoch", .int(1)),
            .init("seq", .int(1)), .init("digest", .digest(of: received)),
          ]), line: 3)
      return judge.finish().violations
    }
    #expect(violations(Self.payload).isEmpty)
    #expect(violations(Self.payload.reversed()).map(\.lines) == [[2, 3]])
  }

  @Test func `a copy of a judge goes its own way`() {
    var judge = Judge(header: Self.header, checkers: [InstantOrderChecker.self, FrameFateChecker.self])
    func sent(_ id: Int64) -> TraceEvent {
      TraceEvent("frame.sent", at: .start, on: .watch, [.init("id", .int(id))]).completed
    }
    judge.observe(sent(1), line: 2)
    var copy = judge
    copy.observe(sent(7), line: 3)
    judge.observe(sent(2), line: 3)
    #expect(copy.finish().violations.map(\.invariant) == ["order-at-an-instant"])
    #expect(judge.finish().violations.isEmpty)
  }
}
