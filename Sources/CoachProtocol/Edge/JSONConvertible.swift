public import Link

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
