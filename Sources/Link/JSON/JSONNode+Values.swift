// What code asks of a JSON value that was read before; `JSONObjectReader` reads input of people and reports errors.
//
// Not inlined, because the optimizer of Swift 6.3.1 fails with an ownership error otherwise.
extension JSONNode {
  /// The value of a key; nil unless this is an object that has the key with a value other than null.
  @inline(never)
  package subscript(key: String) -> JSONNode? {
    guard case .object(let members) = value, let node = members.first(where: { $0.key == key })?.node,
      node.value != .null
    else { return nil }
    return node
  }

  /// The value at a path of keys; nil if there is none.
  package func node(at path: some Sequence<String>) -> JSONNode? {
    path.reduce(self as JSONNode?) { node, key in node?[key] }
  }

  /// The elements of an array; none for anything else.
  package var elements: [JSONNode] { if case .array(let elements) = value { elements } else { [] } }

  @inline(never)
  package var text: String? { if case .string(let text) = value { text } else { nil } }

  @inline(never)
  package var boolean: Bool? { if case .bool(let flag) = value { flag } else { nil } }

  @inline(never)
  package var integer: Int64? { if case .integer(let number) = value { number } else { nil } }

  @inline(never)
  package var double: Double? {
    switch value {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  /// A duration in seconds, from a number or a text such as `"27m30s"`.
  package var seconds: Double? {
    if let double { return double }
    guard let text, let span = try? DurationText.parse(text) else { return nil }
    return span.seconds
  }

  /// A number of seconds as a span; nil for anything else, and for spans longer than any run.
  package var span: VirtualTime.Span? {
    guard let double, abs(double) < 1e9 else { return nil }
    return VirtualTime.Span(nanoseconds: Int64((double * 1e9).rounded()))
  }

  /// Whether a JSON text contains this string as a key or a value.
  package static func names(_ word: String, in json: String) -> Bool {
    json.utf8.split(separator: UInt8(ascii: "\"")).contains { $0.elementsEqual(word.utf8) }
  }
}
