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
