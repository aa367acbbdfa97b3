import Link
import LinkCheckers
import Testing

@Suite struct `events that come as values` {
  private let header = TraceHeader(scenario: "values", seed: 1, duration: .seconds(60))

  @Test func `are written as the same events in a box`() {
    var received = MessageReceived()
    expectSameLine(received)
    received.kind = "with \"quotes\""
    received.appKind = Nullable(nil)
    received.digest = EventDigest(of: [1, 2, 3])
    received.workoutId = Identifier(high: 1, low: 2)
    received.sentAt = .min
    expectSameLine(received)
    var sent = FrameSent()
    expectSameLine(sent)
    sent.attempt = 2
    sent.offset = .max
    sent.tSend = 7
    sent.payload = String(repeating: "ab", count: 9_000)
    expectSameLine(sent)
    var delivered = FrameDelivered()
    delivered.id = -5
    expectSameLine(delivered)
    for decimal in [0, 0.1, -0.05, 12.5, 123.456, -99_999_999.99, 0.999, 7.005] {
      var fresh = SnapshotFresh()
      fresh.metrics.elapsed = decimal
      fresh.metrics.distance = decimal
      fresh.metrics.energyKcal = decimal
      fresh.metrics.avgPaceSecPerKm = decimal
      fresh.metrics.cadence = 170
      fresh.metrics.lastSplit = Split(kmIndex: 1, durationSeconds: 300.5, paceSecPerKm: 300.25)
      expectSameLine(fresh)
      var published = SnapshotPublished()
      published.metrics = fresh.metrics
      expectSameLine(published)
    }
  }

  @Test func `are judged as the same events in a box`() {
    var (values, boxes) = (judge(), judge())
    var line = 1
    func observe(_ event: some FrequentKind, at second: Int64, on place: TraceEvent.Place) {
      line += 1
      let time = VirtualTime.start + .seconds(second)
      values.observe(value: event, at: time, on: place, line: line)
      boxes.observe(TraceEvent(event, at: time, on: place), line: line)
    }
    var (sent, delivered) = (FrameSent(), FrameDelivered())
    (sent.id, sent.to) = (1, .phone)
    delivered.id = 1
    observe(sent, at: 1, on: .watch)
    observe(delivered, at: 2, on: .link)
    // Arrives again, was never sent, is written by a node, and is earlier than a line before it.
    observe(delivered, at: 3, on: .link)
    delivered.id = 2
    observe(delivered, at: 4, on: .link)
    observe(delivered, at: 5, on: .phone)
    sent.id = 3
    observe(sent, at: 4, on: .watch)
    observe(MessageReceived(), at: 6, on: .phone)
    let (found, expected) = (values.finish(), boxes.finish())
    #expect(found == expected)
    #expect(found.violations.count >= 4)
  }

  private func judge() -> Judge { Judge(header: header, parts: [CheckerCatalog.self]) }

  private func expectSameLine<Kind: FrequentKind>(_ event: Kind) {
    let time = VirtualTime(nanoseconds: 12_345_678_901)
    let boxed = TraceEvent(event, at: time, on: .watch)
    var writer = TraceWriter()
    var bytes: [UInt8] = []
    writer.append(value: event, at: time, on: .watch, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == TraceWriter.text(of: boxed) + "\n")
    #expect(Kind.kind == boxed.catalogIndex)
  }
}
