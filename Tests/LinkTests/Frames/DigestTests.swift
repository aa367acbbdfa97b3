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

  @Test func `with and without the processor's help the digests are the same, in whatever pieces`() {
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
}
