package import Link

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

  @inline(never)
  package var string: String? { if case .string(let text) = value { text } else { nil } }

  @inline(never)
  package var boolean: Bool? { if case .bool(let flag) = value { flag } else { nil } }

  @inline(never)
  package var double: Double? {
    switch value {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  /// Whether a JSON text contains this string as a key or a value.
  package static func names(_ word: String, in json: String) -> Bool {
    json.utf8.split(separator: UInt8(ascii: "\"")).contains { $0.elementsEqual(word.utf8) }
  }

  /// A duration in seconds, from a number or a text such as `"27m30s"`.
  package var seconds: Double? {
    if let double { return double }
    guard let text = string, let span = try? DurationText.parse(text) else { return nil }
    return span.seconds
  }
}
