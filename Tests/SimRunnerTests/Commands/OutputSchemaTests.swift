import Foundation
import Link
import Testing

@testable import Console

/// `docs/output.schema.json` against what `--json` prints: a program that reads a key finds it there.
@Suite struct OutputSchemaTests {
  private static let scenarios = [
    "good.json5": "{ scenario: \"good\", duration: \"20s\", link: { profile: \"ble-running\" } }",
    "bad.json5":
      "{ scenario: \"bad\", duration: \"20s\",\n  expect: [{ event: \"run.finished\", between: [\"1s\", \"2s\"] }] }",
    "weather.json5": """
    { scenario: "weather", duration: "40s", workout: { source: { model: { distance: 100 } } },
      nemesis: { kinds: ["disconnect"], meanInterval: "5s", meanDuration: "8s" },
      sometimes: [{ event: "link.down" }], expect: [{ never: "liveness.disconnected" }] }
    """,
    "broken.json5": "{ scenario: }",
  ]

  private static func schema() throws -> JSONNode {
    let bytes = try Data(contentsOf: CommandChild.packageRoot.appending(path: "docs/output.schema.json"))
    return try #require(try? JSONParser.parse(Array(bytes), dialect: .json))
  }

  /// What a value breaks of a schema, each with its path; only what the file uses of JSON Schema.
  private static func faults(_ value: JSONNode, _ schema: JSONNode, _ path: String) -> [String] {
    if let constant = schema["const"], constant.value != value.value { return ["\(path): not \(constant.value)"] }
    if case .array(let words)? = schema["enum"]?.value, !words.map(\.value).contains(value.value) {
      return ["\(path): \(value.value) is not listed"]
    }
    let types: [String] =
      switch schema["type"]?.value {
      case .string(let type)?: [type]
      case .array(let types)?: types.compactMap { if case .string(let type) = $0.value { type } else { nil } }
      default: []
      }
    let type: [String] =
      switch value.value {
      case .null: ["null"]
      case .bool: ["boolean"]
      case .integer: ["integer", "number"]
      case .number: ["number"]
      case .string: ["string"]
      case .array: ["array"]
      case .object: ["object"]
      }
    guard types.isEmpty || !Set(types).isDisjoint(with: type) else { return ["\(path): \(type[0]), not \(types)"] }
    switch value.value {
    case .array(let elements):
      guard let items = schema["items"] else { return [] }
      return elements.enumerated().flatMap { faults($1, items, "\(path)[\($0)]") }
    case .object(let members):
      var found: [String] = []
      if case .array(let keys)? = schema["required"]?.value {
        for case .string(let key) in keys.map(\.value) where !members.contains(where: { $0.key == key }) {
          found.append("\(path).\(key): missing")
        }
      }
      for member in members {
        let inner = "\(path).\(member.key)"
        if let known = schema["properties"]?[member.key] {
          found += faults(member.node, known, inner)
        } else if let others = schema["additionalProperties"] {
          if case .bool(let isAllowed) = others.value {
            if !isAllowed { found.append("\(inner): not listed") }
          } else {
            found += faults(member.node, others, inner)
          }
        }
      }
      return found
    default: return []
    }
  }

  @Test func `what run, test, sweep and inspect print is what the schema says`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in Self.scenarios { try Data(text.utf8).write(to: folder.appending(path: name)) }
    let schema = try Self.schema()
    var seen: [String: Set<String>] = [:]
    for (command, words) in [
      ("run", ["good.json5", "--trace", "t.jsonl", "--state-dir", "state"]),
      ("run", ["bad.json5", "--mode", "in-process"]),
      ("test", ["good.json5", "bad.json5", "broken.json5", "--traces", "t"]),
      ("sweep", ["weather.json5", "--seeds", "20", "--keep-going", "--out", "r.jsonl"]),
      ("sweep", ["bad.json5", "--seeds", "1", "--nemesis", "--out", "q.jsonl"]), ("inspect", ["state"]),
    ] {
      let result = try Tool([command] + words + ["--json"], in: folder).finish()
      let object = try #require(try? JSONParser.parse(Array(result.output.utf8), dialect: .json), "\(result.errors)")
      let part = try #require(schema["$defs"]?[command])
      #expect(Self.faults(object, part, command) == [], "\(command) \(words)")
      if case .object(let members) = object.value { seen[command, default: []].formUnion(members.map(\.key)) }
    }
    // The page lists the keys that a reader looks for.
    let page = try String(
      contentsOf: CommandChild.packageRoot.appending(path: "docs/command-line.md"), encoding: .utf8)
    for (command, keys) in seen {
      let row = try #require(page.split(separator: "\n").first { $0.hasPrefix("| `\(command)` | `") })
      for key in keys where key != "version" { #expect(row.contains("`\(key)`"), "\(command): \(key)") }
    }
  }

  @Test func `a key that is missing, of another type or not listed is found`() throws {
    let part = try #require(try Self.schema()["$defs"]?["test"])
    let text = #"{"version":2,"passed":"1","failed":0,"stopped":0,"wallSeconds":1,"more":1}"#
    let object = try #require(try? JSONParser.parse(text, dialect: .json))
    #expect(
      Set(Self.faults(object, part, "test").map { $0.split(separator: ":")[0] }) == [
        "test.version", "test.passed", "test.more", "test.scenarios",
      ])
  }
}
