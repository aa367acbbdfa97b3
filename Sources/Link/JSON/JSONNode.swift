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
