extension EventFieldShape {
  /// Why no field of this shape can equal a scenario's value; nil if one can.
  func refusal(of value: JSONValue) -> String? {
    guard !admits(value) else { return nil }
    guard case .string(let text) = value else { return "found \(Self.name(of: value)), expected \(expected)" }
    var hint = ""
    if case .words(let words) = self, let nearest = Spelling.nearest(to: text, among: words) {
      hint = "; did you mean \"\(nearest)\"?"
    }
    return "found \(quoted(text)), expected \(expected)\(hint)"
  }

  private func admits(_ value: JSONValue) -> Bool {
    switch (self, value) {
    case (.anything, _), (.integer, .integer), (.number, .integer), (.number, .number), (.boolean, .bool),
      (.text, .string), (.json, .array), (.json, .object):
      true
    case (.integer, .number(let number)): number.rounded() == number
    case (.words(let words), .string(let text)): words.contains(text)
    case (.identifier, .string(let text)): Identifier(text: text)?.text == text
    case (.digest, .string(let text)):
      [16, 64].contains(text.utf8.count)
        && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    default: false
    }
  }

  private var expected: String {
    switch self {
    case .integer: "a whole number"
    case .number: "a number"
    case .boolean: "true or false"
    case .text: "a text"
    case .identifier: "a UUID in lower case"
    case .digest: "the 16 or 64 hexadecimal digits of a digest, in lower case"
    case .json: "an array or an object"
    case .anything: "a value"
    case .words(let words): JSONValueReader.list(words)
    }
  }

  private static func name(of value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let truth): truth ? "true" : "false"
    case .integer(let number): String(number)
    case .number(let number): "\(number)"
    case .string(let text): quoted(text)
    case .array: "an array"
    case .object: "an object"
    }
  }
}
