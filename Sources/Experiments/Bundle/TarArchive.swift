import Link

/// Regular files as an uncompressed tar archive (POSIX.1-1988 `ustar`), which every system unpacks.
///
/// Only what a bundle needs: no folders, no links, no names above 100 bytes, and no times, so that the same files give the
/// same bytes.
enum TarArchive {
  /// One file.
  struct Member: Equatable {
    var name: String
    var bytes: [UInt8]
  }

  /// Names are at most this long, in bytes of UTF-8.
  static let nameBytesMax = 100
  /// The size field has eleven octal digits.
  private static let memberBytesMax = (1 << 33) - 1
  private static let blockBytes = 512

  /// The archive of some files, in their order.
  static func bytes(of members: [Member]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(members.reduce(1_024) { $0 + $1.bytes.count + 2 * blockBytes })
    for member in members {
      precondition(member.name.utf8.count <= nameBytesMax && member.bytes.count <= memberBytesMax)
      bytes += header(of: member)
      bytes += member.bytes
      bytes += [UInt8](repeating: 0, count: padding(of: member.bytes.count))
    }
    return bytes + [UInt8](repeating: 0, count: 2 * blockBytes)
  }

  private static func padding(of count: Int) -> Int { (blockBytes - count % blockBytes) % blockBytes }

  private static func header(of member: Member) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: blockBytes)
    func put(_ text: String, at offset: Int) {
      for (index, byte) in text.utf8.enumerated() { block[offset + index] = byte }
    }
    put(member.name, at: 0)
    put("0000644", at: 100)
    put("0000000", at: 108)
    put("0000000", at: 116)
    put(octal(member.bytes.count, digits: 11), at: 124)
    put(octal(0, digits: 11), at: 136)
    put("        ", at: Self.checksum.lowerBound)
    put("0", at: 156)
    put("ustar", at: 257)
    put("00", at: 263)
    put(octal(block.reduce(0) { $0 + Int($1) }, digits: 6) + "\0 ", at: Self.checksum.lowerBound)
    return block
  }

  private static let checksum = 148..<156

  private static func octal(_ number: Int, digits: Int) -> String {
    let text = String(number, radix: 8)
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }

  /// What is wrong with an archive, and where.
  struct Problem: Error, Equatable {
    /// Counted from 0.
    var byte: Int
    var found: String
    var expected: String

    var text: String { "byte \(byte): error: found \(found), expected \(expected)" }
  }

  /// Reads an archive.
  ///
  /// - Parameter membersMax: How many files it may hold.
  /// - Throws: For a damaged or truncated archive, for anything but regular files, and for a name that occurs twice.
  static func read(_ bytes: [UInt8], membersMax: Int) throws(Problem) -> [Member] {
    var members: [Member] = []
    var offset = 0
    while true {
      guard bytes.count - offset >= blockBytes else {
        throw Problem(byte: bytes.count, found: "the end of the file", expected: "a block of \(blockBytes) bytes")
      }
      let block = Array(bytes[offset..<(offset + blockBytes)])
      if block.allSatisfy({ $0 == 0 }) { return members }
      let (name, size) = try entry(block, at: offset)
      guard members.count < membersMax else {
        throw Problem(byte: offset, found: "more than \(membersMax) files", expected: "at most as many")
      }
      guard !members.contains(where: { $0.name == name }) else {
        throw Problem(byte: offset, found: "a second \"\(name)\"", expected: "each name once")
      }
      offset += blockBytes
      guard size <= bytes.count - offset else {
        throw Problem(
          byte: offset, found: "\(bytes.count - offset) bytes of \"\(name)\"", expected: "\(size), as its header says")
      }
      members.append(Member(name: name, bytes: Array(bytes[offset..<(offset + size)])))
      offset += size
      // A missing padding is noticed at the next block.
      offset += min(padding(of: size), bytes.count - offset)
    }
  }

  private static func entry(_ block: [UInt8], at offset: Int) throws(Problem) -> (name: String, size: Int) {
    guard Array(block[257..<262]) == Array("ustar".utf8) else {
      throw Problem(
        byte: offset + 257, found: "another format", expected: "\"ustar\", as in an uncompressed tar archive")
    }
    var sum = 0
    for index in block.indices { sum += checksum.contains(index) ? 32 : Int(block[index]) }
    guard number(block[checksum]) == sum else {
      throw Problem(byte: offset + checksum.lowerBound, found: "a wrong checksum", expected: "that of the header")
    }
    guard block[156] == UInt8(ascii: "0") || block[156] == 0 else {
      throw Problem(byte: offset + 156, found: "a link, folder or special file", expected: "regular files only")
    }
    guard block[345] == 0 else {
      throw Problem(byte: offset + 345, found: "a name above \(nameBytesMax) bytes", expected: "a shorter one")
    }
    let nameBytes = block[0..<nameBytesMax].prefix { $0 != 0 }
    guard !nameBytes.isEmpty, let name = String(validating: nameBytes, as: UTF8.self) else {
      throw Problem(byte: offset, found: "a name that is empty or not UTF-8", expected: "a file's name")
    }
    guard let size = number(block[124..<136]) else {
      throw Problem(byte: offset + 124, found: "no octal number", expected: "the size of \"\(name)\"")
    }
    return (name, size)
  }

  /// Octal digits up to a blank or a zero byte; nil for anything else.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    let digits = bytes.drop { $0 == UInt8(ascii: " ") }.prefix { $0 != 0 && $0 != UInt8(ascii: " ") }
    guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }) else {
      return nil
    }
    return digits.reduce(0) { $0 << 3 | Int($1 - UInt8(ascii: "0")) }
  }
}
