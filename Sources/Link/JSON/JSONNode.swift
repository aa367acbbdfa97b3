/// A position in a text.
public struct TextPosition: Sendable, Hashable {
  /// The line, from 1.
  public var line: Int
  /// The column in Unicode scalars, from 1.
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// A JSON value with its position, so that an error can point to it.
public struct JSONNode: Sendable, Equatable {
  public var value: JSONValue
  /// The position of its first character.
  public var position: TextPosition

  public init(_ value: JSONValue, at position: TextPosition) {
    self.value = value
    self.position = position
  }
}

/// A JSON value; members keep their order.
public enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  /// A number without fraction and exponent that fits in 64 bits.
  case integer(Int64)
  /// Any other number; finite.
  case number(Double)
  case string(String)
  case array([JSONNode])
  case object([JSONMember])
}

/// One key with its value.
public struct JSONMember: Sendable, Equatable {
  /// The key, unescaped.
  public var key: String
  /// The position of the key.
  public var position: TextPosition
  /// Its value.
  public var node: JSONNode

  public init(key: String, at position: TextPosition, _ node: JSONNode) {
    self.key = key
    self.position = position
    self.node = node
  }
}

/// Why a text was refused: position, what was found, what was expected.
public struct JSONError: Error, Sendable, Equatable {
  public var position: TextPosition
  /// What was found.
  public var found: String
  /// What was expected.
  public var expected: String

  public init(at position: TextPosition, found: String, expected: String) {
    self.position = position
    self.found = found
    self.expected = expected
  }
}

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
