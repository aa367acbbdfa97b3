// The checksum of FIT files: CRC-16/ARC, reflected polynomial 0xA001, initial value 0, no final XOR; four bits at a
// time.

enum FITChecksum {
  private static let table: [UInt16] = [
    0x0000, 0xCC01, 0xD801, 0x1400, 0xF001, 0x3C00, 0x2800, 0xE401,
    0xA001, 0x6C00, 0x7800, 0xB401, 0x5000, 0x9C01, 0x8801, 0x4400,
  ]

  static func compute(_ bytes: ArraySlice<UInt8>) -> UInt16 {
    var checksum: UInt16 = 0
    for byte in bytes {
      checksum = (checksum >> 4) ^ table[Int((checksum ^ UInt16(byte)) & 0x0F)]
      checksum = (checksum >> 4) ^ table[Int((checksum ^ UInt16(byte >> 4)) & 0x0F)]
    }
    return checksum
  }
}
