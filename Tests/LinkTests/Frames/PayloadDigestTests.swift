import Link
import LinkTestSupport
import Testing

@Suite struct `Digests of payloads` {
  private static func message(_ payload: [UInt8]) -> Frame {
    Frame(kind: .data, channel: .message, epoch: Epoch(1), seq: SequenceNumber(1), payload: payload)
  }

  @Test func `a changed payload gets a new digest`() {
    var frame = Self.message([1, 2, 3])
    #expect(frame.payloadDigest() == Digest.prefix([1, 2, 3]))
    frame.payload[1] = 9
    #expect(frame.payloadDigest() == Digest.prefix([1, 9, 3]))
    frame.payload = [4]
    #expect(frame.payloadDigest() == Digest.prefix([4]))
  }

  @Test func `a cached digest does not affect equality`() {
    var frame = Self.message([1, 2, 3])
    _ = frame.payloadDigest()
    #expect(frame == Self.message([1, 2, 3]))
    #expect(frame != Self.message([1, 2, 4]))
  }

  @Test func `a receiver's line has the digest of the delivered payload, not of the sent one`() throws {
    var pair = Pair()
    try pair.drive()
    var session = pair.session(.phone)
    var output = NodeOutput(isRecording: true)
    var deliveries: [SessionDelivery] = []
    var frame = Self.message([1, 2, 3])
    _ = frame.payloadDigest()
    session.receive(frame, clock: 0, at: .start + .seconds(60), into: &output, delivering: &deliveries)
    #expect(deliveries.count == 1)
    for payload: [UInt8] in [[1, 2, 3], [1, 2, 4]] {
      let line = session.receivedEvent(
        kind: nil, payload: payload, epoch: Epoch(1), seq: SequenceNumber(1), at: .start + .seconds(60))
      #expect(line["digest"] == .hex(Digest.prefix(payload)))
    }
  }

  @Test func `a reused line has the name of the current message`() throws {
    var pair = Pair()
    try pair.drive()
    var session = pair.session(.phone)
    let kinds = [
      "liveMetrics", "liveMetrics", "companionMessageDispatched", "probe", nil, nil, "haptic", "liveMetrics",
    ]
    let lines = kinds.enumerated().map { index, kind in
      session.receivedEvent(
        kind: kind, payload: [UInt8(index)], epoch: Epoch(2), seq: SequenceNumber(UInt64(index)), at: .start)
    }
    for (index, (kind, line)) in zip(kinds, lines).enumerated() {
      #expect(
        line.fields == [
          .init("from", .string("watch")), .init("kind", kind.map { .string($0) } ?? .null), .init("epoch", .int(2)),
          .init("seq", .int(Int64(index))), .init("digest", .digest(of: [UInt8(index)])),
        ])
    }
  }
}
