/// Formats values for people: see ``JSONWriter/pretty(_:width:dialect:)``.
struct PrettyJSON {
  let width: Int
  let dialect: JSONDialect

  func text(of value: JSONValue, indent: Int, used: Int) -> String {
    let line = oneLine(value)
    let isNested =
      switch value {
      case .array(let elements): !elements.isEmpty
      case .object(let members): !members.isEmpty
      default: false
      }
    // The top level is always on several lines, since it is meant to be edited.
    if !isNested || (indent > 0 && used + line.unicodeScalars.count < width) { return line }
    let inner = String(repeating: " ", count: indent + 2)
    let outer = String(repeating: " ", count: indent)
    switch value {
    case .array(let elements):
      let lines = elements.map { element in
        inner + text(of: element.value, indent: indent + 2, used: indent + 2)
      }
      return "[\n" + joined(lines) + outer + "]"
    case .object(let members):
      let lines = members.map { member in
        let start = "\(inner)\(key(member.key)): "
        let used = start.unicodeScalars.count
        return start + text(of: member.node.value, indent: indent + 2, used: used)
      }
      return "{\n" + joined(lines) + outer + "}"
    default: return line
    }
  }

  private func oneLine(_ value: JSONValue) -> String {
    switch value {
    case .array(let elements): return "[" + elements.map { oneLine($0.value) }.joined(separator: ", ") + "]"
    case .object(let members):
      if members.isEmpty { return "{}" }
      return "{ " + members.map { "\(key($0.key)): \(oneLine($0.node.value))" }.joined(separator: ", ") + " }"
    default:
      var bytes: [UInt8] = []
      JSONWriter.append(value, to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Returns the elements of several lines, with their commas.
  private func joined(_ lines: [String]) -> String {
    lines.joined(separator: ",\n") + (dialect == .json5 ? ",\n" : "\n")
  }

  /// Returns a key, bare if JSON5 allows it.
  private func key(_ key: String) -> String {
    guard dialect == .json5 else { return oneLine(.string(key)) }
    let isBare = key.utf8.allSatisfy(JSONTextReader.isWordByte)
    if isBare, let first = key.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) { return key }
    return oneLine(.string(key))
  }
}
