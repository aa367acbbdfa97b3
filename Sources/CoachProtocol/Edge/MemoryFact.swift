public import Link

/// What kind of thing is known of the runner.
public enum MemoryKind: String, Sendable, CaseIterable {
  case preference, goal, fact, dislike, personalReference
}

/// Where the knowledge comes from.
public enum MemorySource: String, Sendable, CaseIterable {
  /// The runner said so.
  case user
  /// The coach concluded it from runs.
  case aiInferred = "ai_inferred"
  /// Nobody said anything else.
  case systemDefault = "system_default"
}

/// One thing that is known of the runner, as requests carry it.
public struct MemoryFact: Sendable, Equatable {
  /// What kind of thing.
  public var kind: MemoryKind
  /// What it is about: `hr.max`.
  public var key: String
  /// What is known.
  public var value: JSONValue
  /// How sure it is, 0...1.
  public var confidence: Double
  /// Where it comes from.
  public var source: MemorySource

  /// Facts of one request, at most.
  public static let countMax = 1000

  /// Creates a fact.
  public init(kind: MemoryKind, key: String, value: JSONValue, confidence: Double, source: MemorySource) {
    self.kind = kind
    self.key = key
    self.value = value
    self.confidence = confidence
    self.source = source
  }

  init?(_ reader: JSONObjectReader) {
    let kind = reader.oneOf("kind", MemoryKind.self, required: true)
    let key = reader.string("key", required: true)
    let value = reader.value("value", required: true)?.node.value.placeless
    let confidence = reader.number("confidence", in: 0...1, required: true)
    let source = reader.oneOf("source", MemorySource.self, required: true)
    guard let kind, let key, let value, let confidence, let source else { return nil }
    self.init(kind: kind, key: key, value: value, confidence: confidence, source: source)
  }

  var json: JSONValue {
    var members = EdgeMembers()
    members.add("kind", kind.rawValue)
    members.add("key", key)
    members.add("value", value)
    members.add("confidence", confidence)
    members.add("source", source.rawValue)
    return members.json
  }
}

/// What a summary's maker learnt of the runner.
public struct ExtractedFact: Sendable, Equatable {
  /// What kind of thing.
  public var kind: MemoryKind
  /// What was learnt: an object of one key and its value, as in `{ "hr.max": 191 }`, or a sentence.
  public var value: JSONValue
  /// How sure it is, 0...1.
  public var confidence: Double

  /// Facts of one response, at most.
  public static let countMax = 100

  /// Creates a fact.
  public init(kind: MemoryKind, value: JSONValue, confidence: Double) {
    self.kind = kind
    self.value = value
    self.confidence = confidence
  }

  init?(_ reader: JSONObjectReader) {
    let kind = reader.oneOf("kind", MemoryKind.self, required: true)
    let value = reader.value("value", required: true)
    let confidence = reader.number("confidence", in: 0...1, required: true)
    switch value?.node.value {
    case .string, nil: break
    case .object(let members) where members.count == 1: break
    default: value?.refuse(expected: "a sentence, or an object of one key")
    }
    guard let kind, let value, let confidence else { return nil }
    self.init(kind: kind, value: value.node.value.placeless, confidence: confidence)
  }

  var json: JSONValue {
    var members = EdgeMembers()
    members.add("kind", kind.rawValue)
    members.add("value", value)
    members.add("confidence", confidence)
    return members.json
  }
}

extension JSONValue {
  /// The same without the places at which it was read, so that equal texts are equal values.
  package var placeless: JSONValue {
    switch self {
    case .null, .bool, .integer, .number, .string: self
    case .array(let elements): .array(elements.map { JSONNode($0.value.placeless) })
    case .object(let members): .object(members.map { JSONMember($0.key, $0.node.value.placeless) })
    }
  }
}
