package import Link

/// The one JSON object that `--json` prints, and other objects on a line of their own.
package enum JSONOutput {
  /// The version of the objects that `docs/output.schema.json` describes.
  ///
  /// Keys are added without a new one.
  package static let version: JSONValue = .integer(1)

  package static func print(_ members: [JSONMember]) { Terminal.print(line(members)) }

  package static func print(_ fields: JSONFields) { print([JSONMember](fields)) }

  /// An object's text, without a line feed.
  package static func line(_ members: [JSONMember]) -> String {
    String(decoding: JSONWriter.compact(JSONNode(.object(members))), as: UTF8.self)
  }
}

/// The keys of an object with their values, in their order; a key without a value is left out.
package typealias JSONFields = KeyValuePairs<String, JSONValue?>

extension [JSONMember] {
  /// Members that were not parsed from a text, in their order.
  package init(_ fields: JSONFields) { self = fields.compactMap { key, value in value.map { JSONMember(key, $0) } } }
}

extension JSONValue {
  /// An object of members that were not parsed from a text, in their order.
  package static func fields(_ fields: JSONFields) -> JSONValue { .object([JSONMember](fields)) }

  /// An array of objects.
  package static func objects(_ objects: [[JSONMember]]) -> JSONValue { .array(objects.map { JSONNode(.object($0)) }) }

  /// An array with an object for each element.
  package static func objects<Element>(
    _ elements: some Sequence<Element>, _ fields: (Element) -> JSONFields
  ) -> JSONValue {
    .array(elements.map { JSONNode(.fields(fields($0))) })
  }

  package static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { JSONNode(.string($0)) }) }

  /// A string, or null.
  package static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// A whole number, at most what 64 bits hold; null if nil.
  package static func count(_ number: (some BinaryInteger)?) -> JSONValue {
    number.map { .integer(Int64(clamping: $0)) } ?? .null
  }

  /// An array of whole numbers.
  package static func counts(_ numbers: [Int]) -> JSONValue { .array(numbers.map { JSONNode(.count($0)) }) }

  /// A number to three decimals; null if nil or not finite.
  package static func decimal(_ number: Double?) -> JSONValue {
    guard let number, number.isFinite else { return .null }
    guard abs(number) < 1e12 else { return .plain(number) }
    return .plain((number * 1_000).rounded() / 1_000)
  }
}

extension TraceValue {
  /// The value as JSON text.
  package var jsonText: String {
    var text = ""
    append(to: &text)
    return text
  }
}
