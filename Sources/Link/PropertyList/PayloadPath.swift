/// A path into a payload: `$.kind`, `$.event['run id'].steps[0]`.
public struct PayloadPath: Sendable, Equatable {
  /// One step of a path.
  enum Step: Sendable, Equatable {
    case key(String)
    case index(Int)
  }

  /// The path as it was written.
  public let text: String
  let steps: [Step]

  /// The limit of a path, in bytes.
  public static let bytesMax = 200
  /// The expected form of a path, for messages.
  public static let expected = "a path such as $.kind, $.event.name, $['a key'] or $.list[0], at most \(bytesMax) bytes"

  /// Reads a path; nil for anything else.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.bytesMax, text.first == "$" else { return nil }
    var rest = text.dropFirst()
    var steps: [Step] = []
    while let first = rest.first {
      guard let step = first == "." ? Self.takeKey(&rest) : first == "[" ? Self.takeBracket(&rest) : nil else {
        return nil
      }
      steps.append(step)
    }
    guard !steps.isEmpty else { return nil }
    self.text = text
    self.steps = steps
  }

  private static func takeKey(_ rest: inout Substring) -> Step? {
    let key = rest.dropFirst().prefix { $0 != "." && $0 != "[" }
    rest = rest[key.endIndex...]
    return key.isEmpty ? nil : .key(String(key))
  }

  private static func takeBracket(_ rest: inout Substring) -> Step? {
    let inside = rest.dropFirst()
    guard let quote = inside.first, quote == "'" || quote == "\"" else {
      guard let end = inside.firstIndex(of: "]"), let index = Int(inside[..<end]), index >= 0 else { return nil }
      rest = inside[inside.index(after: end)...]
      return .index(index)
    }
    let key = inside.dropFirst().prefix { $0 != quote }
    let end = inside[key.endIndex...]
    guard end.dropFirst().first == "]", !key.isEmpty else { return nil }
    rest = end.dropFirst(2)
    return .key(String(key))
  }
}

extension PayloadPath {
  /// The most bytes of JSON inside a payload that are read.
  private static let jsonBytesMax = 65_536

  /// The text at the path in a payload: a string, a number or a Boolean.
  ///
  /// Bytes, of the payload or within it, are read as JSON.
  ///
  /// - Parameters:
  ///   - payload: The bytes of the payload.
  ///   - isDictionary: Whether the payload is a property list.
  /// - Returns: Nil if there is none.
  public func name(in payload: [UInt8], isDictionary: Bool) -> String? {
    guard isDictionary else { return Self.name(inJSON: payload, steps[...]) }
    guard let value = try? PropertyListReader.read(payload) else { return nil }
    return Self.name(in: value, steps[...])
  }

  private static func name(in value: PropertyListValue, _ steps: ArraySlice<Step>) -> String? {
    if case .data(let bytes) = value { return name(inJSON: bytes, steps) }
    guard let step = steps.first else {
      switch value {
      case .string(let text): return text
      case .integer(let number): return "\(number)"
      case .real(let number): return "\(number)"
      case .bool(let flag): return "\(flag)"
      case .data, .date, .array, .dictionary: return nil
      }
    }
    switch (step, value) {
    case (.key(let key), .dictionary(let entries)):
      return entries.last { $0.key == key }.flatMap { name(in: $0.value, steps.dropFirst()) }
    case (.index(let index), .array(let elements)):
      return elements.indices.contains(index) ? name(in: elements[index], steps.dropFirst()) : nil
    default: return nil
    }
  }

  private static func name(inJSON bytes: [UInt8], _ steps: ArraySlice<Step>) -> String? {
    guard bytes.count <= jsonBytesMax, let node = try? JSONParser.parse(bytes, dialect: .json) else { return nil }
    return name(in: node.value, steps)
  }

  private static func name(in value: JSONValue, _ steps: ArraySlice<Step>) -> String? {
    guard let step = steps.first else {
      switch value {
      case .string(let text): return text
      case .integer(let number): return "\(number)"
      case .number(let number): return "\(number)"
      case .bool(let flag): return "\(flag)"
      case .null, .array, .object: return nil
      }
    }
    switch (step, value) {
    case (.key(let key), .object(let members)):
      return members.last { $0.key == key }.flatMap { name(in: $0.node.value, steps.dropFirst()) }
    case (.index(let index), .array(let elements)):
      return elements.indices.contains(index) ? name(in: elements[index].value, steps.dropFirst()) : nil
    default: return nil
    }
  }
}

/// The name that a payload has by itself: what apps usually tell messages apart by.
///
/// That is the word under a key such as `kind` or `type`; the case of an enumeration that Swift has encoded, which is the
/// only key of an object; or a raw value alone. `Data` on the way is read as JSON.
public struct PayloadName: Sendable, Equatable {
  /// Nil if it has none.
  public private(set) var text: String?
  /// The bytes that no form was found in, which an app's own decoder may read; nil for none.
  public private(set) var undecoded: [UInt8]?

  /// The keys that usually have a message's kind, in the order in which they are looked for.
  public static let keys = [
    "kind", "type", "event", "action", "command", "cmd", "messageType", "msgType", "msg", "message",
  ]
  /// The limit of a name, in bytes.
  public static let bytesMax = 40
  /// The most bytes of JSON that are read.
  private static let jsonBytesMax = 65_536

  /// - Parameters:
  ///   - payload: The bytes of the payload.
  ///   - isDictionary: Whether it is a property list.
  public init(of payload: [UInt8], isDictionary: Bool) {
    if !isDictionary { read(payload) }
    guard isDictionary, case .dictionary(let entries)? = try? PropertyListReader.read(payload) else { return }
    for key in Self.keys {
      guard let value = entries.last(where: { $0.key == key })?.value, take(value, under: key) else { continue }
      return
    }
    // One that is nothing but bytes is named by them.
    let data = entries.sorted { $0.key < $1.key }.compactMap { entry -> [UInt8]? in
      guard case .data(let bytes) = entry.value else { return nil }
      return bytes
    }
    if let first = data.first {
      read(first)
      if text != nil { return }
    }
    if entries.count == 1, let only = entries.first, Self.isWord(only.key) { text = only.key }
  }

  private mutating func read(_ bytes: [UInt8]) {
    guard bytes.count <= Self.jsonBytesMax, let node = try? JSONParser.parse(bytes, dialect: .json) else {
      undecoded = bytes
      return
    }
    switch node.value {
    case .string(let word) where Self.isWord(word): text = word
    case .object(let members):
      for key in Self.keys {
        guard let value = members.last(where: { $0.key == key })?.node.value, let name = Self.name(value, under: key)
        else { continue }
        text = name
        return
      }
      if members.count == 1, Self.isWord(members[0].key) { text = members[0].key }
    default: break
    }
  }

  /// Whether a value of a property list is a name.
  private mutating func take(_ value: PropertyListValue, under key: String) -> Bool {
    switch value {
    case .string(let word) where Self.isWord(word): text = word
    case .integer(let number): text = "\(key) \(number)"
    case .dictionary(let entries) where entries.count == 1 && Self.isWord(entries[0].key): text = entries[0].key
    case .data(let bytes): read(bytes)
    default: break
    }
    return text != nil
  }

  private static func name(_ value: JSONValue, under key: String) -> String? {
    switch value {
    case .string(let word) where isWord(word): word
    case .integer(let number): "\(key) \(number)"
    case .object(let members) where members.count == 1 && isWord(members[0].key): members[0].key
    default: nil
    }
  }

  /// Whether a text tells kinds apart, and is no text of a user's.
  private static func isWord(_ text: String) -> Bool {
    (1...bytesMax).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
          UInt8(ascii: ":"), 0x80...:
          true
        default: false
        }
      }
  }
}
