@testable import Link

enum JSONTarget: FuzzTarget {
  static let name = "json5"
  static let about =
    "JSON and JSON5; a value that was read is read again from what is written of it, on one line or many"
  static let words = ["/*", "*/", "//", "\\u0041", "0x1F", "1e9", "null", "true", "'", "\\\n", "Infinity", "NaN"]

  static func seeds(_ tree: SourceTree) -> [[UInt8]] {
    tree.files(in: "scenarios", suffix: ".json5") + tree.files(in: "traces", suffix: ".json")
  }

  static func run(_ bytes: [UInt8]) {
    let strict = try? JSONParser.parse(bytes, dialect: .json)
    guard let node = try? JSONParser.parse(bytes, dialect: .json5) else {
      precondition(strict == nil, "JSON that is no JSON5")
      return
    }
    let compact = JSONWriter.compact(node)
    for (written, dialect) in [(compact, JSONDialect.json), (Array(JSONWriter.pretty(node).utf8), .json5)] {
      guard let again = try? JSONParser.parse(written, dialect: dialect) else {
        preconditionFailure("cannot be read again: \(String(decoding: written, as: UTF8.self))")
      }
      precondition(JSONWriter.compact(again) == compact, "another value")
    }
  }
}
