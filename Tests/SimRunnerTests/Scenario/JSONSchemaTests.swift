import Foundation
import Link
import Testing

@testable import Simulator
@testable import Console
@testable import Commands

/// The published JSON Schemas accept what the readers accept, and refuse misspelt keys and wrong types.
@Suite struct JSONSchemaTests {
  private static var scenarioSchema: Result<SchemaJudge, any Error> {
    Result { try SchemaJudge(ScenarioSchema.document) }
  }
  private static var scriptSchema: Result<SchemaJudge, any Error> {
    Result { try SchemaJudge(ScenarioSchema.scriptDocument) }
  }

  private static let scenarios: [String] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../scenarios").standardized
    let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (found?.allObjects as? [URL] ?? []).map(\.path).filter { $0.hasSuffix(".json5") }.sorted()
  }()

  @Test func `every shipped scenario fits its schema`() throws {
    let schema = try Self.scenarioSchema.get()
    #expect(Self.scenarios.count > 70)
    for path in Self.scenarios {
      let node = try JSONParser.parse(try FilePath.read(path), dialect: .json5)
      #expect(schema.problem(node) == nil, "\(path)")
    }
  }

  @Test func `the example of each fault fits the schema`() throws {
    let schema = try Self.scenarioSchema.get()
    for kind in FaultCatalog.all {
      let fault = JSONNode(.object(FaultReference.exampleMembers(kind)))
      let scenario = JSONNode(.object([JSONMember("scenario", .string("s")), JSONMember("faults", .array([fault]))]))
      #expect(schema.problem(scenario) == nil, "\(kind.kind)")
    }
  }

  @Test(arguments: [
    "{ about: 'no name' }",
    "{ scenario: 's', sede: 1 }",
    "{ scenario: 's', duration: '4 minutes' }",
    "{ scenario: 's', workout: { source: { model: { distance: 0 } } } }",
    "{ scenario: 's', workout: { mode: 'sprint' } }",
    "{ scenario: 's', workout: { events: [{ at: 5, do: 'jump' }] } }",
    "{ scenario: 's', faults: [{ at: 5, loss: { probability: 1.5 } }] }",
    "{ scenario: 's', faults: [{ at: 5, los: { probability: 0.5 } }] }",
    "{ scenario: 's', faults: [{ at: 5, for: 5, disconnect: {}, channel: ['message'] }] }",
    "{ scenario: 's', link: { latency: true } }",
    "{ scenario: 's', expect: [{ evnt: 'link.down' }] }",
    "{ scenario: 's', expect: [{ never: 'liveness.disconected' }] }",
    "{ scenario: 's', expect: [{ count: 'script.dispatch', where: { mesage: 'a' }, atLeast: 1 }] }",
    "{ scenario: 's', script: { messages: [{ id: 'a', text: 'b', triggerSpec: { type: 'distance' } }] } }",
  ])
  func `what the reader refuses does not fit`(text: String) throws {
    let schema = try Self.scenarioSchema.get()
    let (_, diagnostics) = Scenario.read(Array(text.utf8), file: "s", folder: "/")
    #expect(diagnostics.contains { $0.hasErrors })
    #expect(schema.problem(try JSONParser.parse(text, dialect: .json5)) != nil)
  }

  @Test func `a script fits its schema, and a scenario may name its own`() throws {
    let script = """
      { $schema: "script.schema.json", id: "a", grace: { meters: 10 }, messages: [
        { id: "km", triggerSpec: { type: "distance", everyMeters: 1000 }, text: "One more." },
        { id: "slow", triggerSpec: { type: "condition", expression: "hr > 150", cooldownSeconds: 60 }, text: "Slow." } ] }
      """
    #expect(try Self.scriptSchema.get().problem(try JSONParser.parse(script, dialect: .json5)) == nil)
    let text = "{ $schema: '../docs/scenario.schema.json', scenario: 's', script: \(script) }"
    let (scenario, diagnostics) = Scenario.read(Array(text.utf8), file: "s", folder: "/")
    #expect(!diagnostics.contains { $0.hasErrors })
    #expect(!scenario.nodeMembers.contains { $0.key == "$schema" })
    #expect(try Self.scenarioSchema.get().problem(try JSONParser.parse(text, dialect: .json5)) == nil)
  }

  @Test func `the lines of a trace fit, and one that lacks a field or has text for a number does not`() throws {
    let schema = try SchemaJudge(EventReference.schema)
    let trace = try FilePath.read(CommandChild.packageRoot.appending(path: "traces/asked-coach.jsonl").path)
    let lines = try trace.split(separator: UInt8(ascii: "\n")).map { try JSONParser.parse(Array($0), dialect: .json) }
    #expect(lines.count > 100)
    for (index, line) in lines.enumerated() { #expect(schema.problem(line) == nil, "line \(index + 1)") }
    for wrong in [
      #"{"t":1,"node":"link","event":"link.down"}"#,
      #"{"t":1,"node":"link","event":"frame.delivered","id":"4","copy":0}"#, #"{"t":1,"node":"link"}"#,
    ] {
      #expect(schema.problem(try JSONParser.parse(wrong, dialect: .json)) != nil, "\(wrong)")
    }
    let unknown = #"{"t":1,"node":"phone","event":"app.lap","number":3}"#
    #expect(schema.problem(try JSONParser.parse(unknown, dialect: .json)) == nil)
  }
}

/// Judges values by a JSON Schema, as far as ours go: draft 7 without what they do not use.
private struct SchemaJudge {
  private let root: [String: Any]

  init(_ text: String) throws {
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8))
    root = try #require(parsed as? [String: Any])
  }

  /// The first problem of a value; nil if it fits.
  func problem(_ node: JSONNode) -> String? {
    let bytes = Data(JSONWriter.compact(node))
    guard let value = try? JSONSerialization.jsonObject(with: bytes, options: .fragmentsAllowed) else {
      return "no JSON"
    }
    return problem(value, root, at: "$")
  }

  private func problem(_ value: Any, _ schema: [String: Any], at path: String) -> String? {
    if let name = (schema["$ref"] as? String)?.split(separator: "/").last.map(String.init) {
      guard let target = (root["definitions"] as? [String: Any])?[name] as? [String: Any] else { return "no \(name)" }
      return problem(value, target, at: path)
    }
    for part in schema["allOf"] as? [[String: Any]] ?? [] {
      if let found = problem(value, part, at: path) { return found }
    }
    if let condition = schema["if"] as? [String: Any], problem(value, condition, at: path) == nil,
      let rule = schema["then"] as? [String: Any], let found = problem(value, rule, at: path)
    {
      return found
    }
    if let kinds = schema["anyOf"] as? [[String: Any]] {
      let found = kinds.map { problem(value, $0, at: path) }
      if !found.contains(where: { $0 == nil }) { return "\(path): none of \(found.compactMap(\.self))" }
    }
    let types = schema["type"] as? [String] ?? (schema["type"] as? String).map { [$0] } ?? []
    if !types.isEmpty, !types.contains(where: { Self.has(value, $0) }) { return "\(path): is no \(types)" }
    if let constant = schema["const"] as? String, value as? String != constant { return "\(path): is not \(constant)" }
    if let words = schema["enum"] as? [String], !words.contains(value as? String ?? "") {
      return "\(path): not in enum"
    }
    if let number = value as? NSNumber, !(value is String) {
      if let least = schema["minimum"] as? Double, number.doubleValue < least { return "\(path): below \(least)" }
      if let most = schema["maximum"] as? Double, number.doubleValue > most { return "\(path): above \(most)" }
    }
    if let text = value as? String {
      if let pattern = schema["pattern"] as? String, text.range(of: pattern, options: .regularExpression) == nil {
        return "\(path): does not match"
      }
      if let least = schema["minLength"] as? Int, text.count < least { return "\(path): too short" }
      if let most = schema["maxLength"] as? Int, text.count > most { return "\(path): too long" }
    }
    if let elements = value as? [Any] {
      if let most = schema["maxItems"] as? Int, elements.count > most { return "\(path): too many" }
      if let least = schema["minItems"] as? Int, elements.count < least { return "\(path): too few" }
      for (index, element) in elements.enumerated() {
        if let items = schema["items"] as? [String: Any], let found = problem(element, items, at: "\(path)[\(index)]") {
          return found
        }
      }
    }
    guard let members = value as? [String: Any] else { return nil }
    for key in schema["required"] as? [String] ?? [] where members[key] == nil { return "\(path): no \(key)" }
    if let names = schema["propertyNames"] as? [String: Any] {
      for key in members.keys.sorted() {
        if let found = problem(key, names, at: "\(path) \(key)") { return found }
      }
    }
    let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
    for (key, member) in members.sorted(by: { $0.key < $1.key }) {
      if let property = properties[key] {
        if let found = problem(member, property, at: "\(path).\(key)") { return found }
      } else if schema["additionalProperties"] as? Bool == false {
        return "\(path): unknown \(key)"
      }
    }
    return nil
  }

  private static func has(_ value: Any, _ type: String) -> Bool {
    let isBoolean = (value as? NSNumber).map { CFBooleanLike.isBoolean($0) } ?? false
    return switch type {
    case "null": value is NSNull
    case "object": value is [String: Any]
    case "array": value is [Any]
    case "string": value is String
    case "boolean": isBoolean
    case "integer": !isBoolean && (value as? NSNumber).map { $0.doubleValue.rounded() == $0.doubleValue } ?? false
    case "number": !isBoolean && value is NSNumber
    default: false
    }
  }
}

private enum CFBooleanLike {
  static func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}
