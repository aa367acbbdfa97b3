public import Link

public enum MemoryKind: String, Sendable, CaseIterable {
  case preference, goal, fact, dislike, personalReference
}

/// The origin of a fact.
public enum MemorySource: String, Sendable, CaseIterable {
  /// The athlete stated it.
  case user
  /// The coach inferred it from runs.
  case aiInferred = "ai_inferred"
  /// A default.
  case systemDefault = "system_default"
}

/// A fact about the athlete, as requests carry it.
public struct MemoryFact: Sendable, Equatable, JSONConvertible {
  public var kind: MemoryKind
  /// The subject: `hr.max`.
  public var key: String
  public var value: JSONValue
  /// 0...1.
  public var confidence: Double
  public var source: MemorySource

  public static let countMax = 1000

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
    let value = reader.value("value", required: true)?.node.value.withoutPositions
    let confidence = reader.number("confidence", in: 0...1, required: true)
    let source = reader.oneOf("source", MemorySource.self, required: true)
    guard let kind, let key, let value, let confidence, let source else { return nil }
    self.init(kind: kind, key: key, value: value, confidence: confidence, source: source)
  }

  package var json: JSONValue {
    .object(of: [
      "kind": kind.rawValue, "key": key, "value": value, "confidence": confidence, "source": source.rawValue,
    ])
  }
}

/// A fact about the athlete that a summary extracted.
public struct ExtractedFact: Sendable, Equatable, JSONConvertible {
  public var kind: MemoryKind
  /// An object of one key and its value, as in `{ "hr.max": 191 }`, or a sentence.
  public var value: JSONValue
  /// 0...1.
  public var confidence: Double

  public static let countMax = 100

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
    self.init(kind: kind, value: value.node.value.withoutPositions, confidence: confidence)
  }

  package var json: JSONValue {
    .object(of: ["kind": kind.rawValue, "value": value, "confidence": confidence])
  }
}
