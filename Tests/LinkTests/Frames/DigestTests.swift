import Link
import Testing

@Suite struct `Digests` {
  // FIPS 180-4 and NIST's example values for SHA-256.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
    (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ])
  func `SHA-256 gives the published values`(text: String, digest: String) throws {
    let bytes = Array(text.utf8)
    #expect(Digest.text(Digest.sha256(bytes)) == digest)
    #expect(Digest.text(Digest.prefix(bytes)) == digest.prefix(16))
    var portable = SHA256Stream(isPortable: true)
    portable.append(bytes)
    #expect(Digest.text(portable.finish()) == digest)
  }

  @Test func `a digest's prefix keeps its leading zeros`() {
    #expect(Digest.text(UInt64(0xAB)) == "00000000000000ab")
  }

  // RFC 3720, appendix B.4, and the check value of the CRC catalogue.
  @Test(
    arguments: [
      (Array("123456789".utf8), 0xE306_9283), ([], 0), ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
      ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43), (Array(0...31), 0x46DD_794E),
      (Array((0...31).reversed()), 0x113F_DB5C),
    ] as [([UInt8], UInt32)])
  func `CRC-32C gives the published values`(bytes: [UInt8], checksum: UInt32) {
    #expect(Checksum.crc32c(bytes) == checksum)
    #expect(Checksum.portable(bytes) == checksum)
  }

  @Test func `digests are the same with and without processor support, in any pieces`() {
    let random = RandomStream(seed: 7, name: "digest")
    for round in 0..<500 as Range<UInt64> {
      let length = Int(random.number(below: 700, for: round, draw: 1))
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: random.bits(for: round, draw: 100 + UInt64($0))) }
      let cut = Int(random.number(below: UInt64(length + 1), for: round, draw: 2))
      var portable = SHA256Stream(isPortable: true)
      portable.append(bytes)
      var pieces = SHA256Stream()
      pieces.append(bytes[..<cut])
      let before = pieces.finish()
      pieces.append(bytes[cut...])
      #expect(pieces.finish() == portable.finish())
      #expect(before == Digest.sha256(Array(bytes[..<cut])))
      #expect(Checksum.crc32c(bytes) == Checksum.portable(bytes))
      #expect(Checksum.crc32c(bytes[cut...], continuing: Checksum.crc32c(bytes[..<cut])) == Checksum.portable(bytes))
    }
  }

  @Test func `a saved and restored digest gives the same result`() throws {
    let random = RandomStream(seed: 8, name: "digest")
    for length in 0..<200 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: random.bits(for: UInt64($0))) }
      for isPortable in [false, true] {
        var stream = SHA256Stream(isPortable: isPortable)
        // Longer data first, so that old bytes remain in the block, which must not be saved.
        stream.append([UInt8](repeating: 0xA5, count: 64))
        stream.append(bytes)
        let saved = stream.saved
        #expect(saved.count == SHA256Stream.savedBytes && SHA256Stream.savedBytes == 104)
        var restored = try #require(SHA256Stream(saved: saved))
        #expect(restored.byteCount == UInt64(64 + length) && restored == stream)
        #expect(restored.saved == saved)
        restored.append([1, 2, 3])
        stream.append([1, 2, 3])
        #expect(restored.finish() == stream.finish())
        #expect(restored.finish() == Digest.sha256([UInt8](repeating: 0xA5, count: 64) + bytes + [1, 2, 3]))
      }
    }
  }

  @Test func `a saved digest has the same bytes on every machine`() {
    var stream = SHA256Stream()
    stream.append(Array("abc".utf8))
    #expect(
      Digest.text(stream.saved)
        == "67e6096a85ae67bb72f36e3c3af54fa57f520e518c68059babd9831f19cde05b0300000000000000616263"
        + String(repeating: "0", count: 122))
  }

  @Test(arguments: [0, 1, 103, 105]) func `bytes of another length are not a saved digest`(count: Int) {
    #expect(SHA256Stream(saved: [UInt8](repeating: 0, count: count)) == nil)
  }
}
