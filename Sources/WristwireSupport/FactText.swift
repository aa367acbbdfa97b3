import Foundation

/// Writes the fields of a fact as JSON: the same fields give the same text.
enum FactText {
  /// The limit of nested arrays and dictionaries; deeper ones are written as null.
  private static let depthMax = 16

  /// An object with its keys in order.
  static func object(_ fields: [String: Any?]) -> String {
    var text = ""
    appendObject(fields, depth: 0, to: &text)
    return text
  }

  private static func appendObject(_ fields: [String: Any?], depth: Int, to text: inout String) {
    text += "{"
    for (index, key) in fields.keys.sorted().enumerated() {
      if index > 0 { text += "," }
      append(key, to: &text)
      text += ":"
      append(fields[key] ?? nil, depth: depth + 1, to: &text)
    }
    text += "}"
  }

  private static func append(_ value: Any?, depth: Int, to text: inout String) {
    guard let value, depth <= depthMax else { return text += "null" }
    // First: a cast of a number object to Bool succeeds for each that is 0 or 1.
    if type(of: value) is NSNumber.Type, let number = value as? NSNumber { return append(number, to: &text) }
    switch value {
    case let value as String: append(value, to: &text)
    case let value as Bool: text += value ? "true" : "false"
    case let value as any BinaryInteger: text += value.description
    case let value as Double: append(value, to: &text)
    case let value as Float: append(Double(value), to: &text)
    case let value as UUID: append(value.uuidString, to: &text)
    case let value as URL: append(value.absoluteString, to: &text)
    case let value as Date: append(iso(value), to: &text)
    case is NSNull: text += "null"
    case let value as [String: Any]: appendObject(value, depth: depth, to: &text)
    case let value as [Any]:
      text += "["
      for (index, element) in value.enumerated() {
        if index > 0 { text += "," }
        append(element, depth: depth + 1, to: &text)
      }
      text += "]"
    default: appendUnwrapped(value, depth: depth, to: &text)
    }
  }

  /// Writes the value of an optional, or else a description.
  private static func appendUnwrapped(_ value: Any, depth: Int, to text: inout String) {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return append(String(describing: value), to: &text) }
    append(mirror.children.first?.value, depth: depth + 1, to: &text)
  }

  private static func append(_ number: NSNumber, to text: inout String) {
    switch String(cString: number.objCType) {
    case "c": text += number.boolValue ? "true" : "false"
    case "d", "f": append(number.doubleValue, to: &text)
    default: text += number.stringValue
    }
  }

  private static func append(_ number: Double, to text: inout String) {
    // JSON has neither; the trace keeps numbers up to 10^12.
    guard number.isFinite, abs(number) < 1e12 else { return append("\(number)", to: &text) }
    let rounded = (number * 1e6).rounded() / 1e6
    text += rounded == rounded.rounded() ? "\(Int64(rounded))" : String(format: "%.6f", rounded)
  }

  private static func append(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: text += String(format: "\\u%04x", scalar.value)
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }

  private static func iso(_ date: Date) -> String {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    return formatter.string(from: date)
  }
}
