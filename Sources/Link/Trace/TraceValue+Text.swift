extension TraceValue {
  /// Appends the value as JSON text, as ``TraceWriter`` does, for callers to whom speed does not matter.
  public func append(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .int(let value): text += String(value)
    case .decimal(let mantissa, let scale):
      let digits = String(mantissa.magnitude)
      let padding = String(repeating: "0", count: max(0, Int(scale) + 1 - digits.utf8.count))
      let padded = padding + digits
      if mantissa < 0 { text += "-" }
      text += padded.dropLast(Int(scale)) + "." + padded.suffix(Int(scale))
    case .string, .hex, .digest, .uuid:
      appendQuoted(self.text ?? "", to: &text)
    case .json(let json): text += json
    }
  }
}

/// Appends `value` as a JSON string; escapes only quotes, backslashes and control characters.
public func appendQuoted(_ value: String, to text: inout String) {
  text += "\""
  for scalar in value.unicodeScalars {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    case _ where scalar.value < 0x20: text += "\\u00" + hexText(UInt64(scalar.value), digits: 2)
    default: text.unicodeScalars.append(scalar)
    }
  }
  text += "\""
}

extension TraceValue {
  /// A JSON value; numbers with at most six decimals, one of 10^12 or more as text.
  init(_ value: JSONValue) {
    switch value {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .integer(let number): self = .int(number)
    case .number(let number):
      self = abs(number) < EventFieldWriter.magnitudeMax ? .number(number, places: 6) : .string("\(number)")
    case .string(let text): self = .string(text)
    case .array, .object:
      var bytes: [UInt8] = []
      JSONWriter.append(value, to: &bytes)
      self = .json(String(decoding: bytes, as: UTF8.self))
    }
  }
}

extension [TraceEvent.Field] {
  /// The members of a JSON object; nil for another text.
  public init?(object text: String) {
    guard let node = try? JSONParser.parse(text, dialect: .json), case .object(let members) = node.value else {
      return nil
    }
    self = members.map { TraceEvent.Field($0.key, TraceValue($0.node.value)) }
  }

  /// The fields as a JSON object.
  public var objectText: String {
    var text = "{"
    for (index, field) in enumerated() {
      text += index == 0 ? "\"\(field.key)\":" : ",\"\(field.key)\":"
      field.value.append(to: &text)
    }
    return text + "}"
  }
}
