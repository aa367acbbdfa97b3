/// A place in a text.
public struct TextPosition: Sendable, Hashable {
  /// Counts from 1.
  public var line: Int
  /// Counts from 1, in Unicode scalars.
  public var column: Int

  /// Creates a place.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// A JSON value that remembers where it stood, so that an error can point at it.
public struct JSONNode: Sendable, Equatable {
  /// What was written.
  public var value: JSONValue
  /// Where its first character stood.
  public var position: TextPosition

  /// Creates a node.
  public init(_ value: JSONValue, at position: TextPosition) {
    self.value = value
    self.position = position
  }
}

/// What a JSON text can say; members keep their order.
public enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  /// A number without fraction and exponent that fits 64 bits.
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
  /// Where the key stood.
  public var position: TextPosition
  /// What it is set to.
  public var node: JSONNode

  /// Creates a member.
  public init(key: String, at position: TextPosition, _ node: JSONNode) {
    self.key = key
    self.position = position
    self.node = node
  }
}

/// Why a text was refused: where, what stood there, what was expected.
public struct JSONError: Error, Sendable, Equatable {
  /// Where.
  public var position: TextPosition
  /// What stood there.
  public var found: String
  /// What would have been right.
  public var expected: String

  /// Creates an error.
  public init(at position: TextPosition, found: String, expected: String) {
    self.position = position
    self.found = found
    self.expected = expected
  }
}
