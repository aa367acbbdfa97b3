/// Reads one line of a trace into an event.
///
/// Values have the types that the writer used, so that writing the event again gives the same bytes: 16 lowercase
/// hexadecimal digits are a digest, 36 characters in the form of a lowercase UUID are a UUID, a number with a point is
/// a decimal, and an object or array stays text. Other programs may spell a value differently (blanks, escapes,
/// exponents); it is read, and written in our spelling.
///
/// The parser caches keys and long words, within bounds, so that most lines allocate only their list of fields.
public struct TraceLineParser: Sendable {
  /// The limit of a line, in bytes.
  public static let bytesMax = 16 << 20
  /// The limit of fields of one event.
  public static let fieldsMax = 1024
  /// The limit of nested objects and arrays in a field.
  public static let depthMax = 64

  var words = WordMemory()

  /// Creates a parser.
  public init() {}

  /// Reads a line that is a slice of an array; see ``parse(_:line:)-(Span<UInt8>,_)``.
  public mutating func parse(_ bytes: ArraySlice<UInt8>, line: Int) throws(JSONError) -> TraceEvent {
    try parse(bytes.span, line: line)
  }

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - bytes: The line; its line feed may be missing.
  ///   - line: Its number, from 1, for messages.
  /// - Throws: The position, what was found, and what was expected.
  public mutating func parse(_ bytes: Span<UInt8>, line: Int) throws(JSONError) -> TraceEvent {
    guard bytes.count <= Self.bytesMax else {
      throw JSONError(
        at: TextPosition(line: line, column: 1), found: "a line of \(bytes.count) bytes",
        expected: "at most \(Self.bytesMax)")
    }
    var cursor = LineCursor(line: line)
    cursor.skipBlanks(bytes)
    try cursor.expect(UInt8(ascii: "{"), bytes)

    try cursor.expect(key: "t", bytes)
    let timeIndex = cursor.index
    guard case .int(let time) = try cursor.value(bytes, &words), time >= 0 else {
      throw cursor.error(at: timeIndex, bytes, expected: "\"t\" in nanoseconds, a whole number of at least 0")
    }
    try cursor.expect(UInt8(ascii: ","), bytes)

    try cursor.expect(key: "node", bytes)
    let placeIndex = cursor.index
    guard case .string(let placeText) = try cursor.value(bytes, &words), let place = Self.parsePlace(placeText) else {
      throw cursor.error(
        at: placeIndex, bytes, expected: "\"watch\", \"phone\", \"edge\", \"link\", \"uplink\" or \"runner\"")
    }
    try cursor.expect(UInt8(ascii: ","), bytes)

    try cursor.expect(key: "event", bytes)
    guard cursor.peek(bytes) == UInt8(ascii: "\"") else { throw cursor.error(bytes, expected: "the event's name") }
    let name = try cursor.name(bytes, &words)

    var fields: [TraceEvent.Field] = []
    fields.reserveCapacity(14)
    var seen = Self.seenAtFirst
    cursor.skipBlanks(bytes)
    while cursor.consume(UInt8(ascii: ","), bytes) {
      cursor.skipBlanks(bytes)
      let keyIndex = cursor.index
      guard cursor.peek(bytes) == UInt8(ascii: "\"") else { throw cursor.error(bytes, expected: "a key in quotes") }
      let key = try cursor.word(bytes, &words)
      guard fields.count < Self.fieldsMax else {
        throw cursor.error(at: keyIndex, bytes, expected: "at most \(Self.fieldsMax) fields")
      }
      let bit = Self.bit(of: key)
      if seen & bit != 0, Self.repeats(key, fields) {
        throw JSONError(
          at: cursor.position(of: keyIndex, bytes), found: "the key \"\(key)\" a second time",
          expected: "each key once")
      }
      seen |= bit
      cursor.skipBlanks(bytes)
      try cursor.expect(UInt8(ascii: ":"), bytes)
      cursor.skipBlanks(bytes)
      fields.append(TraceEvent.Field(key, try cursor.value(bytes, &words)))
      cursor.skipBlanks(bytes)
    }
    guard cursor.consume(UInt8(ascii: "}"), bytes) else { throw cursor.error(bytes, expected: "\",\" or \"}\"") }
    cursor.skipBlanks(bytes)
    if cursor.consume(UInt8(ascii: "\n"), bytes) {}
    guard cursor.index == bytes.count else { throw cursor.error(bytes, expected: "the end of the line") }
    return TraceEvent(name, at: VirtualTime(nanoseconds: time), on: place, fields)
  }

  /// A bit for a key, from its length and its ends: keys with different bits differ, and few keys of a line share a
  /// bit.
  @inline(__always)
  private static func bit(of key: String) -> UInt64 {
    let bytes = key.utf8
    let ends = UInt64(bytes.first ?? 0) &* 5 &+ UInt64(bytes.last ?? 0)
    return 1 << ((ends &+ UInt64(truncatingIfNeeded: bytes.count) &* 11) & 63)
  }

  /// The bits of the keys that precede the fields.
  private static let seenAtFirst = bit(of: "t") | bit(of: "node") | bit(of: "event")

  @inline(never)
  private static func repeats(_ key: String, _ fields: [TraceEvent.Field]) -> Bool {
    key == "t" || key == "node" || key == "event" || fields.contains { $0.key == key }
  }

  private static func parsePlace(_ text: String) -> TraceEvent.Place? {
    switch text {
    case "watch": .watch
    case "phone": .phone
    case "edge": .edge
    case "link": .link
    case "uplink": .uplink
    case "runner": .runner
    default: nil
    }
  }
}

/// A bounded cache of words, for lookup only, never iterated.
struct WordMemory: Sendable {
  private static let places = 256
  private var texts = [String](repeating: "", count: places)
  private var names = [TraceEvent.Name?](repeating: nil, count: places)

  /// The bytes of a plain word as text; words of more than 15 bytes, which need an allocation, are cached.
  @inline(__always)
  mutating func text(_ bytes: Span<UInt8>) -> String {
    if bytes.count <= 15 { return Self.make(bytes) }
    guard bytes.count <= 32 else { return Self.make(bytes) }
    let slot = Self.hashSlot(bytes)
    if Self.equal(texts[slot], bytes) { return texts[slot] }
    let text = Self.make(bytes)
    texts[slot] = text
    return text
  }

  /// The event name of a plain word.
  @inline(__always)
  mutating func name(_ bytes: Span<UInt8>) -> TraceEvent.Name {
    guard bytes.count <= 32 else { return TraceEvent.Name(Self.make(bytes)) }
    let slot = Self.hashSlot(bytes)
    if let name = names[slot], Self.equal(name.text, bytes) { return name }
    let name = TraceEvent.Name(Self.make(bytes))
    names[slot] = name
    return name
  }

  /// Converts bytes that are known to be printable ASCII to text.
  @inline(__always)
  private static func make(_ bytes: Span<UInt8>) -> String {
    do { return String(copying: try UTF8Span(validating: bytes)) } catch { preconditionFailure("not ASCII: \(error)") }
  }

  @inline(__always)
  private static func equal(_ text: String, _ bytes: Span<UInt8>) -> Bool {
    let known = text.utf8.span
    guard known.count == bytes.count else { return false }
    for index in bytes.indices where known[index] != bytes[index] { return false }
    return true
  }

  /// Hashes length and bytes; a collision costs a cached word, never correctness.
  @inline(__always)
  private static func hashSlot(_ bytes: Span<UInt8>) -> Int {
    var hash = UInt32(truncatingIfNeeded: bytes.count)
    var index = 0
    while index < bytes.count {
      hash = (hash ^ UInt32(bytes[index])) &* 0x0100_0193
      index += 1
    }
    return Int((hash ^ hash >> 15) & UInt32(places - 1))
  }
}
