import Link
import Testing

@Suite struct FrameCodecTests {
  static let example = Frame(
    kind: .data, channel: .userInfo, flags: [.dictionary, .complication], attempt: 3, epoch: Epoch(7),
    peerEpoch: Epoch(5), seq: SequenceNumber(0x0102_0304_0506_0708), offset: 9,
    transfer: Identifier(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF), payload: Array("hello".utf8))

  /// Made by a program in another language from the table in `docs/protocol.md`.
  static let exampleText =
    "57570100020503000700000005000000080706050403020109000000000000000011223344556677"
    + "8899aabbccddeeff050000008917377a68656c6c6f"

  static func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex.utf8).map { $0 < 58 ? $0 - 48 : $0 - 87 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  static func error(_ bytes: [UInt8]) -> FrameError? {
    do throws(FrameError) {
      _ = try FrameCodec.decode(bytes)
      return nil
    } catch { return error }
  }

  @Test func `a frame has the bytes that the document says`() throws {
    #expect(FrameCodec.encode(Self.example) == Self.bytes(Self.exampleText))
    #expect(try FrameCodec.decode(Self.bytes(Self.exampleText)) == Self.example)
  }

  @Test(arguments: Frame.Kind.allCases, Channel.allCases)
  func `every kind and channel comes back`(kind: Frame.Kind, channel: Channel) throws {
    for size in [0, 1, 255, 4096, Frame.payloadBytesMax] {
      let frame = Frame(
        kind: kind, channel: channel, flags: .wantsReply, attempt: .max, epoch: Epoch(.max), peerEpoch: Epoch(.max),
        seq: SequenceNumber(.max), offset: .max, transfer: Identifier(high: .max, low: .max),
        payload: (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      let bytes = FrameCodec.encode(frame)
      #expect(bytes.count == frame.wireBytes)
      #expect(try FrameCodec.decode(bytes) == frame)
    }
  }

  @Test func `frames are appended one behind the other`() throws {
    var bytes: [UInt8] = [1, 2, 3]
    FrameCodec.append(Self.example, to: &bytes)
    #expect(bytes == [1, 2, 3] + FrameCodec.encode(Self.example))
  }

  @Test func `every flipped bit is found`() {
    let good = FrameCodec.encode(Self.example)
    for index in good.indices {
      for bit in 0..<8 {
        var bad = good
        bad[index] ^= 1 << UInt8(bit)
        #expect(Self.error(bad) != nil, "bit \(bit) of byte \(index)")
      }
    }
  }

  @Test func `each error names what was found`() {
    let good = FrameCodec.encode(Self.example)
    func changed(_ index: Int, to value: UInt8) -> FrameError? {
      var bad = good
      bad[index] = value
      return Self.error(bad)
    }
    #expect(changed(0, to: 0x58) == .badMagic(found: 0x5758))
    #expect(changed(2, to: 9) == .badVersion(found: 9))
    #expect(changed(15, to: 1) == .oversized(bytes: 0x0100_0005, max: Frame.payloadBytesMax))
    #expect(changed(12, to: 4) == .trailing(bytes: 1))
    #expect(changed(12, to: 6) == .truncated(found: 61, expected: 62))
    #expect(Self.error([]) == .truncated(found: 0, expected: 56))
    if case .badChecksum? = changed(60, to: 0) {} else { Issue.record("a wrong payload passed") }
    // A wrong kind with a right checksum comes from a sender of another mind, not from noise.
    #expect(Self.error(Self.sealed(good, 3, 5)) == .unknownKind(5))
    #expect(Self.error(Self.sealed(good, 4, 6)) == .unknownChannel(6))
  }

  /// A frame with one byte changed and the checksum made right again.
  static func sealed(_ bytes: [UInt8], _ index: Int, _ value: UInt8) -> [UInt8] {
    var bytes = bytes
    bytes[index] = value
    let checksum = Checksum.crc32c(bytes[56...], continuing: Checksum.crc32c(bytes[..<52]))
    for byte in 0..<4 { bytes[52 + byte] = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * byte)) }
    return bytes
  }

  @Test func `every beginning of a frame is truncated and nothing else`() {
    let good = FrameCodec.encode(Self.example)
    for count in good.indices {
      guard case .truncated? = Self.error(Array(good[..<count])) else {
        Issue.record("the first \(count) bytes")
        continue
      }
    }
  }

  @Test func `random bytes never crash and never pass`() {
    var random = SplitMix(state: 1)
    for round in 0..<3000 {
      var bytes = (0..<Int(random.next() % 200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      // Half of them pass the first checks, so that the later ones are met too.
      if round % 2 == 0, bytes.count > 16 { bytes.replaceSubrange(0..<3, with: [0x57, 0x57, 1]) }
      if round % 4 == 0, bytes.count > 56 { bytes.replaceSubrange(12..<16, with: [UInt8(bytes.count - 56), 0, 0, 0]) }
      #expect(Self.error(bytes) != nil)
    }
  }
}

/// A stream of numbers that is the same in every run of the tests.
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
