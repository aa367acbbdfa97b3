/// Reads one value as the expected type, and reports an error if it has another.
///
/// Getters return nil after reporting an error, so the caller continues and finds further errors.
public struct JSONValueReader {
  /// The value.
  public let node: JSONNode
  /// The value's name in messages: `faults[3].loss`; empty for the whole text.
  public let path: String
  /// Receives the errors.
  public let collector: DiagnosticsCollector

  public init(_ node: JSONNode, path: String = "", into collector: DiagnosticsCollector) {
    self.node = node
    self.path = path
    self.collector = collector
  }

  /// Reports an error at this value: the path, then the message.
  public func error(_ message: String) {
    collector.error(path.isEmpty ? message : "\(path): \(message)", at: node.position)
  }

  /// Reports what was found and what was expected.
  public func refuse(expected: String) { error("found \(node.value.kindAndText), expected \(expected)") }

  /// A string within a number of bytes in UTF-8.
  public func string(bytes: ClosedRange<Int> = 0 ... .max) -> String? {
    guard case .string(let text) = node.value else { return refused("a string") }
    guard bytes.contains(text.utf8.count) else {
      error("found \(text.utf8.count) bytes, expected \(Self.range(bytes, isOpen: (0, .max), of: ""))")
      return nil
    }
    return text
  }

  /// `true` or `false`.
  public func bool() -> Bool? {
    guard case .bool(let flag) = node.value else { return refused("true or false") }
    return flag
  }

  /// An integer within bounds; `5.0` and `1e3` are integers too.
  public func integer(in bounds: ClosedRange<Int64> = .min ... .max) -> Int64? {
    let number: Int64
    switch node.value {
    case .integer(let exact): number = exact
    case .number(let double):
      // 2^63 is the first Double out of range on both sides; within the range, the conversion truncates.
      guard abs(double) < 9_223_372_036_854_775_808, Double(Int64(double)) == double else {
        return refused("a whole number of at most 64 bits")
      }
      number = Int64(double)
    default: return refused("a whole number")
    }
    guard bounds.contains(number) else {
      return refused("a whole number \(Self.range(bounds, isOpen: (.min, .max)))")
    }
    return number
  }

  /// An unsigned integer of 64 bits, as a number or as a string of decimal digits.
  ///
  /// A seed has 64 bits, and other JSON tools keep only 53 of a number; hence the string.
  public func unsigned() -> UInt64? {
    switch node.value {
    case .integer(let exact) where exact >= 0: return UInt64(exact)
    case .string(let text):
      let isDecimal = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      if isDecimal, let number = UInt64(text) { return number }
      return refused("a whole number from 0 to \(UInt64.max)")
    case .number(let double) where double >= 9.2e18:
      return refused("a string of digits, since a number this large loses some")
    default: return refused("a whole number from 0, or a string of digits")
    }
  }

  /// A number within bounds.
  public func number(in bounds: ClosedRange<Double> = -.infinity ... .infinity) -> Double? {
    let number: Double
    switch node.value {
    case .integer(let exact): number = Double(exact)
    case .number(let double): number = double
    default: return refused("a number")
    }
    guard bounds.contains(number) else {
      return refused("a number \(Self.range(bounds, isOpen: (-.infinity, .infinity)))")
    }
    return number
  }

  /// A duration within bounds: a string such as `"12m30s"`, or a number of seconds.
  public func duration(
    in bounds: ClosedRange<VirtualTime.Span> = ValueDescription.anyDuration
  ) -> VirtualTime.Span? {
    do {
      let span: VirtualTime.Span
      switch node.value {
      case .string(let text): span = try DurationText.parse(text)
      case .integer(let seconds): span = try DurationText.seconds(String(seconds))
      case .number(let seconds): span = try DurationText.seconds(seconds.description)
      default: return refused("a duration such as \"90s\", or a number of seconds")
      }
      if bounds.contains(span) { return span }
      if bounds.lowerBound == .zero {
        return refused(
          span < .zero ? "a duration of at least 0" : "a duration of at most \(DurationText.text(bounds.upperBound))")
      }
      return refused(
        "a duration from \(DurationText.text(bounds.lowerBound)) to \(DurationText.text(bounds.upperBound))")
    } catch {
      return refused(error.expected)
    }
  }

  /// One of several words, converted to its meaning.
  public func oneOf<Choice>(_ choices: [(word: String, choice: Choice)]) -> Choice? {
    guard case .string(let text) = node.value else { return refused(Self.list(choices.map(\.word))) }
    if let match = choices.first(where: { $0.word == text }) { return match.choice }
    let hint = Spelling.nearest(to: text, among: choices.map(\.word)).map { "; did you mean \"\($0)\"?" } ?? ""
    error("found \(quoted(text)), expected \(Self.list(choices.map(\.word)))\(hint)")
    return nil
  }

  /// One of several words.
  public func oneOf(_ words: [String]) -> String? { oneOf(words.map { ($0, $0) }) }

  /// One of the words of an enumeration.
  public func oneOf<Choice: CaseIterable & RawRepresentable>(
    _ type: Choice.Type = Choice.self
  ) -> Choice? where Choice.RawValue == String {
    oneOf(Choice.allCases.map { ($0.rawValue, $0) })
  }

  /// The elements of an array with an allowed number of them, with the paths `path[index]`.
  public func array(count: ClosedRange<Int> = 0 ... .max) -> [JSONValueReader]? {
    guard case .array(let elements) = node.value else { return refused("an array") }
    guard count.contains(elements.count) else {
      let least = count.lowerBound == 1 ? "one" : "\(count.lowerBound)"
      return refused(elements.count < count.lowerBound ? "at least \(least)" : "at most \(count.upperBound)")
    }
    return elements.enumerated().map { index, element in
      JSONValueReader(element, path: "\(path)[\(index)]", into: collector)
    }
  }

  /// A reader of an object's members; call its `finish()` after reading all keys.
  public func object() -> JSONObjectReader? { JSONObjectReader(self) }

  private func refused<Value>(_ expected: String) -> Value? {
    refuse(expected: expected)
    return nil
  }

  private static func range<Bound>(
    _ bounds: ClosedRange<Bound>, isOpen: (Bound, Bound), of: String = "of "
  ) -> String {
    let (least, most) = (text(bounds.lowerBound), text(bounds.upperBound))
    if bounds.lowerBound == isOpen.0 { return "\(of)at most \(most)" }
    if bounds.upperBound == isOpen.1 { return "\(of)at least \(least)" }
    return of.isEmpty ? "\(least) to \(most)" : "from \(least) to \(most)"
  }

  /// A number in words, without a fraction of zero.
  static func text<Number>(_ number: Number) -> String {
    guard let double = number as? Double, let whole = Int64(exactly: double) else { return "\(number)" }
    return "\(whole)"
  }

  /// Returns `"a", "b" or "c"`.
  static func list(_ words: [String]) -> String {
    let all = words.map { "\"\($0)\"" }
    guard let last = all.last, all.count > 1 else { return all.first ?? "nothing" }
    return all.dropLast().joined(separator: ", ") + " or " + last
  }
}

extension JSONValue {
  /// The type of the value, and its text if that is short: `number 5`, `string "x"`, `an object`.
  public var kindAndText: String {
    switch self {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .integer(let number): "number \(number)"
    case .number(let number): "number \(number)"
    case .string(let text): "string \(quoted(text))"
    case .array(let elements): elements.isEmpty ? "an empty array" : "an array of \(elements.count)"
    case .object: "an object"
    }
  }
}
