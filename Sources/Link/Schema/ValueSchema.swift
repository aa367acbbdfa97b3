/// How numbers and durations are written.
public enum JSONStyle: Sendable {
  /// Durations as numbers of seconds, as traces have them.
  case plain
  /// Durations as text, as people write them.
  case readable
  /// As people write them, and without what has its default.
  case brief
}

/// How a JSON value is read with its position, written back and described.
public struct ValueSchema<Value: Sendable>: Sendable {
  /// What it may be.
  public var description: ValueDescription
  /// Reads a value; nil after reporting an error.
  public var read: @Sendable (JSONValueReader) -> Value?
  /// Writes a value, so that reading gives the same.
  public var write: @Sendable (Value, JSONStyle) -> JSONValue

  public init(
    _ description: ValueDescription, read: @escaping @Sendable (JSONValueReader) -> Value?,
    write: @escaping @Sendable (Value, JSONStyle) -> JSONValue
  ) {
    self.description = description
    self.read = read
    self.write = write
  }

  /// The same values, under a name on the reference page.
  public func named(_ name: String) -> Self {
    var named = self
    named.description = .named(name, description)
    return named
  }

  /// The same values, never written in the plain style.
  public var readable: Self {
    var readable = self
    let write = write
    readable.write = { write($0, $1 == .plain ? .readable : $1) }
    return readable
  }

  /// The values that satisfy a condition.
  ///
  /// - Parameters:
  ///   - expected: What is expected, for messages.
  ///   - isGood: The condition.
  public func satisfying(_ expected: String, _ isGood: @escaping @Sendable (Value) -> Bool) -> Self {
    map(
      reading: { value, reader in
        if isGood(value) { return value }
        reader.refuse(expected: expected)
        return nil
      }, writing: { $0 })
  }

  /// Another type with the same JSON values.
  ///
  /// - Parameters:
  ///   - read: Returns nil after reporting an error.
  ///   - write: Returns the value to write.
  public func map<Other: Sendable>(
    reading read: @escaping @Sendable (Value, JSONValueReader) -> Other?,
    writing write: @escaping @Sendable (Other) -> Value
  ) -> ValueSchema<Other> {
    let own = self
    return ValueSchema<Other>(
      description, read: { reader in own.read(reader).flatMap { read($0, reader) } },
      write: { own.write(write($0), $1) })
  }
}

extension ValueSchema where Value == Bool {
  public static var bool: Self { Self(.bool, read: { $0.bool() }, write: { flag, _ in .bool(flag) }) }
}

extension ValueSchema where Value == String {
  /// A string within a number of bytes in UTF-8.
  public static func string(bytes: ClosedRange<Int> = 0 ... .max) -> Self {
    Self(.string(bytes: bytes), read: { $0.string(bytes: bytes) }, write: { text, _ in .string(text) })
  }

  public static var string: Self { string() }

  /// One of several words.
  public static func words(_ words: [String]) -> Self {
    Self(.words(words), read: { $0.oneOf(words) }, write: { word, _ in .string(word) })
  }
}

extension ValueSchema where Value == UInt64 {
  /// An unsigned integer of 64 bits; a string of digits if not every JSON reader keeps them.
  public static var seed: Self {
    Self(
      .named("whole number, or a string of digits", .either([.integer(0 ... .max), .string(bytes: 1...20)])),
      read: { $0.unsigned() },
      write: { seed, _ in seed < 1 << 53 ? .integer(Int64(seed)) : .string(String(seed)) })
  }
}

extension ValueSchema where Value == [JSONMember] {
  /// An object of any keys, as it was written.
  public static var anyMembers: Self {
    Self(
      .object(ObjectDescription(name: "", about: "", fields: [], allowsOthers: true)),
      read: { $0.object()?.members }, write: { members, _ in .object(members) })
  }
}

extension ValueSchema where Value == Int64 {
  /// An integer within bounds.
  public static func integer(_ range: ClosedRange<Int64>) -> Self {
    Self(.integer(range), read: { $0.integer(in: range) }, write: { number, _ in .integer(number) })
  }
}

extension ValueSchema where Value == Int64 {
  /// A duration from 0 to a maximum, kept as a number of nanoseconds.
  public static func nanoseconds(max: VirtualTime.Span) -> Self {
    ValueSchema<VirtualTime.Span>.duration(max: max).map(
      reading: { span, _ in span.nanoseconds }, writing: { VirtualTime.Span(nanoseconds: $0) })
  }
}

extension ValueSchema where Value == Int {
  /// An integer within bounds.
  public static func integer(_ range: ClosedRange<Int64>) -> Self {
    ValueSchema<Int64>.integer(range).map(reading: { number, _ in Int(number) }, writing: { Int64($0) })
  }
}

extension ValueSchema where Value == Double {
  /// A number within bounds.
  ///
  /// - Parameters:
  ///   - range: The bounds, both allowed.
  ///   - unit: Its unit in words, for the reference page.
  public static func number(_ range: ClosedRange<Double>, unit: String = "") -> Self {
    Self(.number(range, unit: unit), read: { $0.number(in: range) }, write: { number, _ in .plain(number) })
  }

  /// A duration, kept as a number of seconds.
  public static func seconds(_ range: ClosedRange<VirtualTime.Span> = ValueDescription.anyDuration) -> Self {
    ValueSchema<VirtualTime.Span>.duration(range).map(
      reading: { span, _ in span.seconds },
      writing: { VirtualTime.Span(nanoseconds: Int64(($0 * 1e9).rounded())) })
  }
}

extension ValueSchema where Value == Probability {
  /// A number from 0 to 1.
  public static var probability: Self {
    ValueSchema<Double>.number(0...1).map(reading: { number, _ in Probability(number) }, writing: { $0.value })
  }
}

extension ValueSchema where Value == VirtualTime.Span {
  /// A duration within bounds.
  public static func duration(_ range: ClosedRange<VirtualTime.Span> = ValueDescription.anyDuration) -> Self {
    Self(
      .duration(range), read: { $0.duration(in: range) },
      write: { span, style in style == .plain ? .seconds(span) : .string(DurationText.text(span)) })
  }

  /// A duration from 0 to a maximum.
  public static func duration(max: VirtualTime.Span) -> Self { duration(.zero...max) }
}

extension ValueSchema where Value == VirtualTime {
  /// An instant, as the duration from the start to it.
  public static var instant: Self {
    ValueSchema<VirtualTime.Span>.duration().map(reading: { span, _ in .start + span }, writing: { $0 - .start })
  }
}

extension ValueSchema where Value: Equatable {
  /// One of several words, each with its meaning.
  public static func choice(_ choices: [(word: String, choice: Value)]) -> Self {
    Self(.words(choices.map(\.word)), read: { $0.oneOf(choices) }) { value, _ in
      guard let match = choices.first(where: { $0.choice == value }) else {
        preconditionFailure("\(value) is none of \(choices.map(\.word))")
      }
      return .string(match.word)
    }
  }
}

extension ValueSchema where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// One of the words of an enumeration.
  public static var word: Self {
    Self(.words(Value.allCases.map(\.rawValue)), read: { $0.oneOf() }, write: { value, _ in .string(value.rawValue) })
  }
}

extension ValueSchema where Value == NodeRole {
  /// A device: the watch or the phone.
  public static var device: Self { choice([NodeRole.watch, .phone].map { ($0.text, $0) }) }
}

extension ValueSchema {
  /// An array; every element that is wrong is reported.
  ///
  /// - Parameters:
  ///   - element: The schema of each element.
  ///   - count: The allowed number of elements.
  public static func array<Element: Sendable>(
    of element: ValueSchema<Element>, count: ClosedRange<Int> = 0 ... .max
  ) -> Self where Value == [Element] {
    Self(
      .array(of: element.description, count: count),
      read: { reader in
        guard let readers = reader.array(count: count) else { return nil }
        let elements = readers.map { element.read($0) }
        return elements.contains { $0 == nil } ? nil : elements.compactMap(\.self)
      },
      write: { elements, style in .array(elements.map { JSONNode(element.write($0, style)) }) })
  }

  /// An object.
  public static func object(_ schema: ObjectSchema<Value>) -> Self {
    Self(
      .object(schema.description),
      read: { reader in reader.object().flatMap { schema.readWhole($0) } },
      write: { value, style in .object(schema.members(of: value, style)) })
  }
}

extension ValueSchema where Value == CrashPoint {
  /// The name of one of several crash points.
  static func crashPoint(_ points: [CrashPoint]) -> Self {
    Self(
      .named("a crash point", .words(points.map(\.name))), read: { $0.oneOf(points.map { ($0.name, $0) }) },
      write: { point, _ in .string(point.name) })
  }
}
