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
    var turn = Turn(at: .start + .seconds(60), isRecording: true)
    var frame = Self.message([1, 2, 3])
    _ = frame.payloadDigest()
    session.receive(frame, clock: 0, in: &turn)
    #expect(turn.deliveries.count == 1)
    for payload: [UInt8] in [[1, 2, 3], [1, 2, 4]] {
      let event = session.receivedEvent(kind: nil, payload: payload, epoch: Epoch(1), seq: SequenceNumber(1))
      #expect(event.digest.bits == Digest.prefix(payload))
    }
  }
}
