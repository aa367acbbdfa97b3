@testable import Link

enum PropertyListTarget: FuzzTarget {
  static let name = "property-lists"
  static let about = "binary property lists; a value that was read is read again from what is written of it"
  static let words = ["bplist00"]

  static func seeds(_ tree: SourceTree) -> [[UInt8]] {
    let values: [PropertyListValue] = [
      .string("text"), .string("Grüße, 世界"), .integer(-7), .integer(1 << 40), .real(1.5), .date(700_000_000),
      .bool(true),
      .data([1, 2, 3]), .array([.integer(1), .array([]), .string("a")]),
      .dictionary([
        PropertyListEntry("a", .integer(1)), PropertyListEntry("b", .array([.bool(false)])),
      ]),
      .array((0..<20).map { .integer($0) }),
    ]
    return MessageTarget.seeds(tree) + values.compactMap { try? PropertyListWriter.bytes(of: $0) }
  }

  static func run(_ bytes: [UInt8]) {
    guard let value = try? PropertyListReader.read(bytes) else { return }
    guard let written = try? PropertyListWriter.bytes(of: value) else { return }
    guard let again = try? PropertyListReader.read(written) else { preconditionFailure("cannot be read again") }
    // By text: a number that is none differs from itself.
    precondition("\(again)" == "\(value)", "another value")
  }
}
