import Link
import Testing

@Suite struct `Hostile property lists` {
  /// Builds a property list from objects, with any header and trailer.
  private func list(
    _ objects: [[UInt8]], offsets: [Int]? = nil, top: Int = 0, count: Int? = nil, sizes: (Int, Int) = (2, 1)
  ) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var starts: [Int] = []
    for object in objects {
      starts.append(bytes.count)
      bytes += object
    }
    let table = bytes.count
    for offset in offsets ?? starts { bytes += [UInt8(offset >> 8 & 0xFF), UInt8(offset & 0xFF)] }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(sizes.0), UInt8(sizes.1)]
    for number in [count ?? objects.count, top, table] {
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
    return bytes
  }

  private func failure(_ bytes: [UInt8]) -> String {
    do throws(PropertyListError) {
      _ = try PropertyListReader.read(bytes)
      return "accepted"
    } catch {
      return error.description
    }
  }

  @Test func `the list builder of these tests writes a valid list`() {
    #expect(failure(list([[0xA1, 1], [0x09]])) == "accepted")
  }

  @Test func `a wrong header or trailer is refused`() {
    #expect(failure([]).contains("found 0 bytes"))
    #expect(failure([UInt8](repeating: 0, count: 60)).contains("expected \"bplist00\""))
    #expect(failure(list([[0x09]], sizes: (0, 1))).contains("1 to 8"))
    #expect(failure(list([[0x09]], sizes: (2, 9))).contains("1 to 8"))
    #expect(failure(list([[0x09]], top: 1)).contains("the top object 1"))
    #expect(failure(list([[0x09]], count: 0)).contains("0 objects"))
    #expect(failure(list([[0x09]], count: 2)).contains("2 objects"))
    #expect(failure(list([[0x09]], count: .max)).contains("objects"))
    #expect(failure(list([[0x09]], count: -1)).contains("objects"))
    #expect(failure(list([])).contains("found 40 bytes"))
    #expect(failure(list([[0x09]], offsets: [7])).contains("the offset 7"))
    #expect(failure(list([[0x09]], offsets: [9])).contains("the offset 9"))
    #expect(failure(list([[0x09]], offsets: [60_000])).contains("the offset 60000"))
  }

  @Test(
    arguments: [
      ([[0xA1, 1]], "object 1, expected one below 1"), ([[0xA2, 1], [0x09]], "the control"),
      ([[0x5F]], "count as an integer"),
      ([[0x55, 0x41]], "a count of 5"),
      ([[0x4F, 0x13, 0x7F, 255, 255, 255, 255, 255, 255, 255]], "a count of 9223372036854775807"),
      ([[0x4F, 0x13, 255, 255, 255, 255, 255, 255, 255, 255]], "a count of 18446744073709551615"),
      ([[0xAF, 0x12, 255, 255, 255, 255]], "a count of 4294967295"), ([[0xDF, 0x11, 0x40, 0]], "a count of 16384"),
      ([[0x4F, 0x14]], "count as an integer"), ([[0x4F, 0x13, 0]], "a count of 8"),
      ([[0x13, 0, 0]], "an integer of 2^3 bytes"), ([[0x1F]], "an integer of 2^15 bytes"),
      ([[0x23, 0]], "4 or 8 bytes"),
      ([[0x21, 0]], "4 or 8 bytes"), ([[0x33]], "4 or 8 bytes"), ([[0x51, 0x80]], "expected ASCII"),
      ([[0x61, 0xD8, 0x00]], "a lone surrogate"), ([[0x80, 0]], "another kind (128)"), ([[0x00]], "another kind (0)"),
      ([[0xD1, 1, 1], [0x09]], "a string as key"),
      ([[0xD2, 1, 1, 2, 2], [0x51, 0x41], [0x09]], "the key \"A\" again"),
      ([[0x14, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]], "an integer past 64 bits"),
      ([[0x14, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0]], "an integer past 64 bits"),
      ([[0xA1, 0]], "a container that contains itself"),
      ([[0xA1, 1], [0xD1, 2, 0], [0x51, 0x41]], "a container that contains itself"),
    ] as [([[UInt8]], String)])
  func `a wrong object is refused`(objects: [[UInt8]], expected: String) {
    // An array that claims one element too many reads the next object's byte as a reference.
    let expected = expected == "the control" ? "object 9, expected one below 2" : expected
    let failure = failure(list(objects))
    #expect(failure.contains(expected), "\(failure)")
  }

  @Test func `16-byte integers that fit are read`() throws {
    let minusTwo: [UInt8] = [0x14] + [UInt8](repeating: 255, count: 15) + [254]
    #expect(try PropertyListReader.read(list([minusTwo])) == .integer(-2))
    #expect(try PropertyListReader.read(list([[0x22, 0x3F, 0x80, 0, 0]])) == .real(1))
  }

  // Thirty arrays, each twice in the one before: 2^30 values from 200 bytes.
  @Test func `shared objects that multiply are refused`() {
    let laughs = (1...30).map { [0xA2, UInt8($0), UInt8($0)] } + [[0x09]]
    #expect(failure(list(laughs)).contains("shared objects without end"))
    // A long string shared by many references.
    let long: [UInt8] = [0x5F, 0x11, 0x40, 0x00] + [UInt8](repeating: 0x41, count: 0x4000)
    let many: [UInt8] = [0xAF, 0x11, 0x40, 0x00] + [UInt8](repeating: 1, count: 0x4000)
    #expect(failure(list([many, long])).contains("shared objects without end"))
  }

  @Test func `every reader gives a value or an error for mutated and truncated lists`() throws {
    let value = PropertyListValue.dictionary([
      .init("kind", .string("x")), .init("a long key of twenty", .array([.integer(1), .real(2), .date(3)])),
      .init("é", .string("日本")), .init("data", .data(Array(0..<18))),
      .init("n", .dictionary([.init("b", .bool(true))])),
    ])
    let bytes = try PropertyListWriter.bytes(of: value)
    for end in 0..<bytes.count { #expect(failure(Array(bytes[..<end])) != "accepted") }
    let random = RandomStream(seed: 3, name: "mutation")
    for round in 0..<30_000 as Range<UInt64> {
      var mutated = bytes
      for draw in 0...random.number(below: 3, for: round) {
        let place = Int(random.number(below: UInt64(bytes.count), for: round, draw: 10 + draw))
        mutated[place] = UInt8(truncatingIfNeeded: random.bits(for: round, draw: 20 + draw))
      }
      let read = try? PropertyListReader.read(mutated)
      if let read { #expect(try PropertyListWriter.bytes(of: read).count < 1 << 20) }
    }
  }
}
