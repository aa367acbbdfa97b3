import Foundation
import Link
import Testing

@Suite struct `Property lists` {
  private let identifier = Identifier(high: 0x0123_4567_89AB_4DEF, low: 0x8FED_CBA9_8765_4321)

  /// Every kind of entry, a nested dictionary and an array.
  private func sample(splits: Int = 2) throws -> [UInt8] { try PropertyListWriter.bytes(of: expected(splits: splits)) }

  private func expected(splits: Int = 2) -> PropertyListValue {
    .dictionary([
      .init("kind", .string("liveMetrics")), .init("v", .integer(1)), .init("workoutId", .string(identifier.text)),
      .init("sentAt", .integer(1_775_975_400_000_000_000)), .init("distance", .real(2701.25)), .init("on", .bool(true)),
      .init("bytes", .data(Array(0..<20))), .init("start", .date(796_000_000.5)),
      .init("a key of more than fifteen characters", .string("naïve 🏃")),
      .init("lastSplit", .dictionary([.init("kmIndex", .integer(-3)), .init("off", .bool(false))])),
      .init("splits", .array((0..<splits).map { .dictionary([.init("i", .integer(Int64($0)))]) })),
    ])
  }

  /// What Foundation reads from bytes, written by Foundation again, and read by us.
  private func throughFoundation(_ bytes: [UInt8]) throws -> PropertyListValue {
    let object = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    let again = try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0)
    return try PropertyListReader.read(Array(again))
  }

  /// Foundation's dictionaries have no order.
  private func sorted(_ value: PropertyListValue) -> PropertyListValue {
    switch value {
    case .dictionary(let entries):
      .dictionary(entries.map { .init($0.key, sorted($0.value)) }.sorted { $0.key < $1.key })
    case .array(let elements): .array(elements.map(sorted))
    default: value
    }
  }

  @Test(arguments: [0, 2, 14, 15, 114, 115, 300, 22_000])
  func `a written list reads the same here and in Foundation`(splits: Int) throws {
    let bytes = try sample(splits: splits)
    #expect(try PropertyListReader.read(bytes) == expected(splits: splits))
    #expect(sorted(try throughFoundation(bytes)) == sorted(expected(splits: splits)))
  }

  @Test func `a small list has the bytes that Apple documents`() throws {
    #expect(
      try PropertyListWriter.bytes(of: .dictionary([.init("k", .string("v"))])) == Array("bplist00".utf8)
        + [0xD1, 1, 2, 0x51, 0x6B, 0x51, 0x76, 8, 11, 13] + [0, 0, 0, 0, 0, 0, 1, 1]
        + [0, 0, 0, 0, 0, 0, 0, 3] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 15])
  }

  @Test func `random values survive a round trip through Foundation in both directions`() throws {
    for seed in 0..<300 as Range<UInt64> {
      var source = RandomValues(random: RandomStream(seed: seed, name: "plist"))
      let value = PropertyListValue.dictionary([
        .init("top", source.value(depth: 0)), .init("ü", source.value(depth: 0)),
      ])
      let bytes = try PropertyListWriter.bytes(of: value)
      #expect(try PropertyListReader.read(bytes) == value)
      #expect(sorted(try throughFoundation(bytes)) == sorted(value))
    }
  }

  @Test func `the top can be any value, and many objects widen the references`() throws {
    let values: [PropertyListValue] = [
      .bool(true), .string(""), .string("é"), .integer(.min), .real(-0.5), .data([]), .array([]), .dictionary([]),
      .array([PropertyListValue](repeating: .bool(false), count: 254)),
      .array([PropertyListValue](repeating: .bool(false), count: 255)),
      .array([PropertyListValue](repeating: .bool(false), count: 256)),
      .array([PropertyListValue](repeating: .array([.integer(7)]), count: 33_000)),
      .data([UInt8](repeating: 5, count: 70_000)),
    ]
    for value in values {
      let bytes = try PropertyListWriter.bytes(of: value)
      #expect(try PropertyListReader.read(bytes) == value)
      #expect(try throughFoundation(bytes) == value)
    }
  }

  @Test func `depth is bounded when writing and when reading`() throws {
    var value = PropertyListValue.integer(1)
    for _ in 0..<128 { value = .array([value]) }
    #expect(try PropertyListReader.read(try PropertyListWriter.bytes(of: value)) == value)
    let deeper = PropertyListValue.array([value])
    #expect(throws: PropertyListError.self) { try PropertyListWriter.bytes(of: deeper) }
  }

  @Test func `a duplicate key is refused when writing and when reading`() throws {
    let twice = PropertyListValue.dictionary([.init("a", .bool(true)), .init("a", .bool(true))])
    #expect(throws: PropertyListError.self) { try PropertyListWriter.bytes(of: twice) }
    var bytes = try PropertyListWriter.bytes(of: .dictionary([.init("a", .bool(true)), .init("b", .bool(true))]))
    #expect(throws: Never.self) { try PropertyListReader.read(bytes) }
    for index in bytes.indices where bytes[index] == UInt8(ascii: "b") && index > 8 { bytes[index] = UInt8(ascii: "a") }
    #expect(throws: PropertyListError.self) { try PropertyListReader.read(bytes) }
  }
}

/// Property list values from a stream.
private struct RandomValues {
  let random: RandomStream
  var turn: UInt64 = 0

  mutating func number(below bound: UInt64) -> UInt64 {
    turn += 1
    return random.number(below: bound, for: turn)
  }

  mutating func value(depth: Int) -> PropertyListValue {
    switch number(below: depth < 4 ? 9 : 7) {
    case 0: return .string(text())
    case 1: return .integer(Int64(bitPattern: random.bits(for: turn, draw: 1)) >> Int64(number(below: 64)))
    case 2: return .real(Double(Int64(bitPattern: random.bits(for: turn, draw: 2))) / 1024)
    case 3: return .bool(number(below: 2) == 0)
    case 4: return .data((0..<number(below: 40)).map { UInt8(truncatingIfNeeded: $0 &* 37) })
    case 5: return .date(Double(number(below: 1 << 40)) / 256)
    case 6: return .integer(Int64(number(below: 70_000)))
    case 7: return .array((0..<number(below: 20)).map { _ in value(depth: depth + 1) })
    default: return .dictionary((0..<number(below: 20)).map { .init("\(text())\($0)", value(depth: depth + 1)) })
    }
  }

  mutating func text() -> String {
    let letters: [String] = ["a", "Z", " ", "é", "🏃", "日", "\n"]
    let kinds = number(below: 2) == 0 ? 3 : UInt64(letters.count)
    return (0..<number(below: 20)).map { _ in letters[Int(number(below: kinds))] }.joined()
  }
}
