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
public struct MemoryFact: EdgeShape {
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

  public static let schema = ObjectSchema<Self>(
    "MemoryFact", "A fact about the athlete.",
    Self(kind: .fact, key: "", value: .null, confidence: 0, source: .user),
    [
      Field("kind", \.kind, .word, "what it is", .required),
      Field("key", \.key, .string, "the subject", .required),
      Field("value", \.value, .any, "what is known of it", .required),
      Field("confidence", \.confidence, .number(0...1), "how certain it is", .required),
      Field("source", \.source, .word, "where it comes from", .required),
    ])
}

/// A fact about the athlete that a summary extracted.
public struct ExtractedFact: EdgeShape {
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

  public static let schema = ObjectSchema<Self>(
    "ExtractedFact", "A fact of a summary.", Self(kind: .fact, value: .null, confidence: 0),
    [
      Field("kind", \.kind, .word, "what it is", .required),
      Field("value", \.value, .any.satisfying("a sentence, or an object of one key", isFact), "the fact", .required),
      Field("confidence", \.confidence, .number(0...1), "how certain it is", .required),
    ])

  private static func isFact(_ value: JSONValue) -> Bool {
    switch value {
    case .string: true
    case .object(let members): members.count == 1
    default: false
    }
  }
}
