public import Link

/// The edge's calls, which the phone uses over the uplink.
public enum EdgeCall: String, Sendable, CaseIterable {
  /// A script for a run.
  case generateScript
  /// A reply to the athlete.
  case chatReply
  /// A summary of a finished run, and facts learnt from it.
  case postRunSummary
  /// The words of a voice note that the phone's own recogniser could not read.
  case transcribe
  /// Daily aggregates for the server's store.
  case insightsSync

  public var path: String {
    switch self {
    case .generateScript: "/generate-script"
    case .chatReply: "/chat-reply"
    case .postRunSummary: "/post-run-summary"
    case .transcribe: "/transcribe"
    case .insightsSync: "/insights/sync"
    }
  }

  /// The longest time for an answer, counted from the request, inclusive.
  public var deadline: VirtualTime.Span {
    switch self {
    case .generateScript: .seconds(30)
    case .chatReply: .seconds(8)
    case .postRunSummary: .seconds(60)
    case .transcribe: .seconds(30)
    case .insightsSync: .seconds(30)
    }
  }

  /// The call of a path; nil if there is none.
  public init?(path: String) {
    guard let call = Self.allCases.first(where: { $0.path == path }) else { return nil }
    self = call
  }
}

/// The body of a request or response: one JSON object with the documented keys, and no others.
///
/// Written compactly with keys in a fixed order, so that equal values have equal bytes and digests.
public protocol EdgeShape: JSONConvertible, Sendable, Equatable {
  /// Its keys, each with its property, its bounds and its meaning, in the documented order.
  static var schema: ObjectSchema<Self> { get }
  /// Reads a body and reports all errors, each with its path; nil if too little is left.
  ///
  /// With errors among the diagnostics the value must not be used.
  init?(_ reader: JSONObjectReader)
}

extension EdgeShape {
  public init?(_ reader: JSONObjectReader) {
    guard let shape = Self.schema.read(reader) else { return nil }
    self = shape
  }

  /// The body as JSON: keys in the documented order, without nil values.
  public var json: JSONValue { .object(Self.schema.members(of: self)) }

  /// The keys in the documented order.
  public static var keys: [String] { schema.fields.map(\.name) }

  /// ``json`` as compact text.
  public var bytes: [UInt8] { JSONWriter.compact(JSONNode(json)) }

  /// Reads a body.
  ///
  /// - Throws: All errors: invalid JSON, a missing or unknown key, a value of another kind.
  public static func reading(_ bytes: [UInt8]) throws(Diagnostics) -> Self {
    let node: JSONNode
    do throws(JSONError) { node = try JSONParser.parse(bytes, dialect: .json) } catch {
      var diagnostics = Diagnostics(file: "body")
      diagnostics.add(error)
      throw diagnostics
    }
    return try reading(node)
  }

  /// Reads a body that is part of a larger text.
  ///
  /// - Throws: All errors: a missing or unknown key, a value of another kind.
  public static func reading(_ node: JSONNode) throws(Diagnostics) -> Self {
    let collector = DiagnosticsCollector(file: "body")
    let reader = JSONValueReader(node, into: collector).object()
    let shape = reader.flatMap { Self($0) }
    reader?.finish()
    guard let shape, !collector.diagnostics.hasErrors else { throw collector.diagnostics }
    return shape
  }
}

extension ValueSchema where Value: EdgeShape {
  /// The object of a part of a body.
  static var shape: Self { .object(Value.schema) }
}

extension ValueSchema where Value == Identifier {
  /// A UUID.
  public static var identifier: Self {
    ValueSchema<String>.string.map(
      reading: { text, reader in
        if let identifier = Identifier(text: text) { return identifier }
        reader.refuse(expected: "a UUID")
        return nil
      }, writing: \.text)
  }
}

extension ValueSchema where Value == JSONValue {
  /// Any value.
  static var any: Self { Self(.any, read: { $0.node.value.withoutPositions }, write: { value, _ in value }) }
}

extension ValueSchema where Value == [String] {
  static func strings(countMax: Int) -> Self { .array(of: .string, count: 0...countMax) }
}

/// What has a JSON value.
public protocol JSONConvertible {
  var json: JSONValue { get }
}

extension JSONMember {
  /// Those members that have a value.
  package static func list(_ members: KeyValuePairs<String, (any JSONConvertible)?>) -> [JSONMember] {
    var list: [JSONMember] = []
    list.reserveCapacity(members.count)
    for case (let key, let value?) in members { list.append(JSONMember(key, value.json)) }
    return list
  }
}

extension JSONValue: JSONConvertible {
  public var json: JSONValue { self }

  /// An object of those members that have a value.
  package static func object(of members: KeyValuePairs<String, (any JSONConvertible)?>) -> JSONValue {
    .object(JSONMember.list(members))
  }

  /// The value as JSON without spaces.
  package var compactText: String { String(decoding: JSONWriter.compact(JSONNode(self)), as: UTF8.self) }

  /// The value without source positions, so that equal texts are equal values.
  package var withoutPositions: JSONValue {
    switch self {
    case .null, .bool, .integer, .number, .string: self
    case .array(let elements): .array(elements.map { JSONNode($0.value.withoutPositions) })
    case .object(let members): .object(members.map { JSONMember($0.key, $0.node.value.withoutPositions) })
    }
  }
}

extension String: JSONConvertible {
  public var json: JSONValue { .string(self) }
}

extension Bool: JSONConvertible {
  public var json: JSONValue { .bool(self) }
}

extension Int: JSONConvertible {
  public var json: JSONValue { .integer(Int64(self)) }
}

extension Int64: JSONConvertible {
  public var json: JSONValue { .integer(self) }
}

/// Whole numbers are written without a fraction.
extension Double: JSONConvertible {
  public var json: JSONValue { .plain(self) }
}

extension Array: JSONConvertible where Element: JSONConvertible {
  public var json: JSONValue { .array(map { JSONNode($0.json) }) }
}
