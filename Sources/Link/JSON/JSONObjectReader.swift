/// Reads the members of one object by key, then reports the keys that were not read.
///
/// ```swift
/// let loss = reader.object("loss", required: true)
/// let good = loss?.number("lossGood", in: 0...1)
/// loss?.finish()
/// ```
///
/// Copies share the set of keys read, so a function that reads some of the keys can take a copy.
public struct JSONObjectReader {
  /// The members in their order.
  public let members: [JSONMember]
  /// The position of the object.
  public let position: TextPosition
  /// The object's name in messages; empty for the whole text.
  public let path: String
  /// Receives the errors.
  public let collector: DiagnosticsCollector

  private let asked = AskedKeys()

  /// Creates a reader of an object's members; reports an error and returns nil if the node is not an object.
  public init?(_ node: JSONNode, path: String = "", into collector: DiagnosticsCollector) {
    self.init(JSONValueReader(node, path: path, into: collector))
  }

  init?(_ value: JSONValueReader) {
    guard case .object(let members) = value.node.value else {
      value.refuse(expected: "an object")
      return nil
    }
    self.members = members
    position = value.node.position
    path = value.path
    collector = value.collector
  }

  /// Reports an error about the object: its path, then the message.
  public func error(_ message: String) {
    collector.error(path.isEmpty ? message : "\(path): \(message)", at: position)
  }

  /// Reports a warning about the object.
  public func warning(_ message: String) {
    collector.warning(path.isEmpty ? message : "\(path): \(message)", at: position)
  }

  /// Whether a key is present; does not count as reading it.
  public func has(_ key: String) -> Bool { members.contains { $0.key == key } }

  /// Marks keys as known without reading them.
  public func allow(_ keys: [String]) {
    for key in keys where !asked.keys.contains(key) { asked.keys.append(key) }
  }

  /// The value of a key; nil if it is absent, which is an error for a required key.
  public func value(_ key: String, required: Bool = false) -> JSONValueReader? {
    allow([key])
    if let member = members.first(where: { $0.key == key }) {
      return JSONValueReader(member.node, path: path(of: key), into: collector)
    }
    if required { error("the key \"\(key)\" is missing") }
    return nil
  }

  /// Whether a key has the value `null`; counts as reading it.
  public func isNull(_ key: String) -> Bool { value(key)?.node.value == .null }

  /// A string; see ``JSONValueReader``.
  public func string(_ key: String, required: Bool = false) -> String? {
    value(key, required: required)?.string()
  }

  /// `true` or `false`; see ``JSONValueReader/bool()``.
  public func bool(_ key: String, required: Bool = false) -> Bool? {
    value(key, required: required)?.bool()
  }

  /// A whole number; see ``JSONValueReader/integer(in:)``.
  public func integer(
    _ key: String, in bounds: ClosedRange<Int64> = .min ... .max, required: Bool = false
  ) -> Int64? {
    value(key, required: required)?.integer(in: bounds)
  }

  /// An unsigned integer of 64 bits; see ``JSONValueReader/unsigned()``.
  public func unsigned(_ key: String, required: Bool = false) -> UInt64? {
    value(key, required: required)?.unsigned()
  }

  /// A number; see ``JSONValueReader/number(in:)``.
  public func number(
    _ key: String, in bounds: ClosedRange<Double> = -.infinity ... .infinity, required: Bool = false
  ) -> Double? {
    value(key, required: required)?.number(in: bounds)
  }

  /// A duration; see ``JSONValueReader/duration(in:)``.
  public func duration(
    _ key: String, in bounds: ClosedRange<VirtualTime.Span> = ValueDescription.anyDuration, required: Bool = false
  ) -> VirtualTime.Span? {
    value(key, required: required)?.duration(in: bounds)
  }

  /// One of several words, converted to its meaning.
  public func oneOf<Choice>(
    _ key: String, _ choices: [(word: String, choice: Choice)], required: Bool = false
  ) -> Choice? {
    value(key, required: required)?.oneOf(choices)
  }

  /// One of several words.
  public func oneOf(_ key: String, _ words: [String], required: Bool = false) -> String? {
    value(key, required: required)?.oneOf(words)
  }

  /// One of the words of an enumeration.
  public func oneOf<Choice: CaseIterable & RawRepresentable>(
    _ key: String, _ type: Choice.Type = Choice.self, required: Bool = false
  ) -> Choice? where Choice.RawValue == String {
    value(key, required: required)?.oneOf(type)
  }

  /// The elements of an array; see ``JSONValueReader/array(count:)``.
  public func array(
    _ key: String, countMax: Int = .max, required: Bool = false
  ) -> [JSONValueReader]? {
    value(key, required: required)?.array(count: 0...countMax)
  }

  /// A reader of a nested object; call its ``finish()`` too.
  public func object(_ key: String, required: Bool = false) -> JSONObjectReader? {
    value(key, required: required)?.object()
  }

  /// Reads a nested object and reports its unknown keys.
  public func object<Result>(
    _ key: String, required: Bool = false, _ read: (JSONObjectReader) -> Result?
  ) -> Result? {
    guard let nested = object(key, required: required) else { return nil }
    let result = read(nested)
    nested.finish()
    return result
  }

  /// Reports every key that was not read, with the nearest known one.
  public func finish() {
    let known = asked.keys
    for member in members where !known.contains(member.key) {
      let hint: String
      if let nearest = Spelling.nearest(to: member.key, among: known) {
        hint = "; did you mean \"\(nearest)\"?"
      } else if known.isEmpty {
        hint = ", expected none"
      } else {
        hint = ", expected \(JSONValueReader.list(known))"
      }
      let message = "unknown key \(quoted(member.key))\(hint)"
      collector.error(path.isEmpty ? message : "\(path): \(message)", at: member.position)
    }
  }

  private func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}

/// The keys read so far, in order; a reference shared by copies of a reader.
private final class AskedKeys {
  var keys: [String] = []
}
