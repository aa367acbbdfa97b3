public import Link

/// The body of a request or response: one JSON object with the documented keys, and no others.
///
/// Written compactly with keys in a fixed order, so that equal values have equal bytes and digests.
public protocol EdgeShape: Sendable, Equatable {
  /// Reads a body and reports all errors, each with its path; nil if too little is left.
  ///
  /// With errors among the diagnostics the value must not be used.
  init?(_ value: JSONValueReader)
  /// The body as JSON: keys in the documented order, without nil values.
  var json: JSONValue { get }
}

extension EdgeShape {
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
    let shape = Self(JSONValueReader(node, into: collector))
    guard let shape, !collector.diagnostics.hasErrors else { throw collector.diagnostics }
    return shape
  }
}

extension JSONObjectReader {
  /// The strings of an array; other elements are reported and skipped.
  func strings(_ key: String, countMax: Int, required: Bool = false) -> [String]? {
    array(key, countMax: countMax, required: required)?.compactMap { $0.string() }
  }

  /// The objects of an array; unreadable ones are reported and skipped.
  func list<Element>(
    _ key: String, countMax: Int, required: Bool = false, _ read: (JSONObjectReader) -> Element?
  ) -> [Element]? {
    array(key, countMax: countMax, required: required)?.compactMap { value in
      guard let reader = value.object() else { return nil }
      let element = read(reader)
      reader.finish()
      return element
    }
  }

  /// A required UUID.
  func identifier(_ key: String) -> Identifier? {
    guard let value = value(key, required: true), let text = value.string() else { return nil }
    guard let identifier = Identifier(text: text) else {
      value.refuse(expected: "a UUID")
      return nil
    }
    return identifier
  }
}
