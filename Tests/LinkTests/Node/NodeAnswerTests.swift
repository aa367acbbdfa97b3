import Link
import Testing

@Suite struct NodeAnswerTests {
  private let instant = VirtualTime(nanoseconds: 5)
  private let good = "{\"t\":5,\"node\":\"watch\",\"event\":\"snapshot\"}"

  private func take(
    _ writer: RecordWriter, limits: NodeAnswer.Limits = .init()
  ) throws(WireError) -> (NodeAnswer, NodeAnswer.Progress) {
    var decoder = RecordDecoder()
    decoder.feed(writer.bytes)
    var answer = NodeAnswer()
    let progress = try answer.readAnswer(from: &decoder, of: .watch, at: instant, limits: limits)
    return (answer, progress)
  }

  private func line(_ text: String, to writer: inout RecordWriter) throws {
    try writer.line { $0.append(contentsOf: text.utf8) }
  }

  @Test func `frames and lines keep their order`() throws {
    var writer = RecordWriter()
    try line(good, to: &writer)
    writer.frame(FrameCodecTests.example)
    try line(good, to: &writer)
    writer.done(nextDeadline: VirtualTime(nanoseconds: 9))
    let (answer, progress) = try take(writer)
    #expect(progress == .complete)
    #expect(answer.nextDeadline == VirtualTime(nanoseconds: 9))
    let size = good.utf8.count
    #expect(answer.items == [.line(0..<size), .frame(FrameCodecTests.example), .line(size..<2 * size)])
    #expect(answer.line(size..<2 * size).elementsEqual(good.utf8))
  }

  @Test func `an answer in pieces is complete only with its last byte`() throws {
    var writer = RecordWriter()
    try line(good, to: &writer)
    writer.done(nextDeadline: nil)
    var decoder = RecordDecoder()
    var answer = NodeAnswer()
    for (index, byte) in writer.bytes.enumerated() {
      decoder.feed([byte])
      let progress = try answer.readAnswer(from: &decoder, of: .watch, at: instant)
      #expect((progress == .complete) == (index == writer.bytes.count - 1))
    }
    #expect(answer.items.count == 1)
  }

  @Test(arguments: [
    "{\"t\":5,\"node\":\"phone\",\"event\":\"snapshot\"}", "{\"t\":6,\"node\":\"watch\",\"event\":\"snapshot\"}",
    "{\"t\":50,\"node\":\"watch\",\"event\":\"snapshot\"}", "{}",
  ])
  func `a line of another node or instant is refused`(text: String) throws {
    var writer = RecordWriter()
    try line(text, to: &writer)
    #expect(throws: WireError.foreignLine(expected: "{\"t\":5,\"node\":\"watch\",\"event\":\"")) { try take(writer) }
  }

  @Test func `a deadline in the past is refused and one at the instant is not`() throws {
    var writer = RecordWriter()
    writer.done(nextDeadline: VirtualTime(nanoseconds: 4))
    #expect(throws: WireError.deadlineInThePast(found: 4, granted: 5)) { try take(writer) }
    writer.removeAll()
    writer.done(nextDeadline: instant)
    #expect(try take(writer).1 == .complete)
  }

  @Test func `an answer is bounded`() throws {
    var writer = RecordWriter()
    for _ in 0..<4 { try line(good, to: &writer) }
    #expect(throws: WireError.answerItems(max: 3)) { try take(writer, limits: .init(itemsMax: 3)) }
    #expect(throws: WireError.answerBytes(max: 100)) { try take(writer, limits: .init(bytesMax: 100)) }
    #expect(try take(writer).1 == .incomplete)
  }

  @Test func `bytes after an answer are refused`() throws {
    var writer = RecordWriter()
    writer.done(nextDeadline: nil)
    writer.done(nextDeadline: nil)
    #expect(throws: WireError.unasked(bytes: 13)) { try take(writer) }
  }

  @Test func `a node may give up with a reason`() throws {
    var writer = RecordWriter()
    writer.failed("no disk")
    #expect(try take(writer).1 == .failed("no disk"))
  }

  @Test func `an answer is reused`() throws {
    var writer = RecordWriter()
    try line(good, to: &writer)
    writer.done(nextDeadline: instant)
    var decoder = RecordDecoder()
    var answer = NodeAnswer()
    for _ in 0..<3 {
      decoder.feed(writer.bytes)
      answer.removeAll()
      #expect(answer.nextDeadline == nil)
      #expect(try answer.readAnswer(from: &decoder, of: .watch, at: instant) == .complete)
      #expect(answer.items == [.line(0..<good.utf8.count)])
    }
  }
}
