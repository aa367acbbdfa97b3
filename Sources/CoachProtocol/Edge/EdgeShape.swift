public import Link

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
