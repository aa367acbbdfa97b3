/// One line of a trace: time, place, and what happened.
///
/// Checkers judge the same value that ``TraceWriter`` writes and ``TraceReader`` reads back; writing what was read
/// gives the same bytes.
public struct TraceEvent: Sendable, Equatable {
  /// When it happened.
  public var time: VirtualTime
  /// Where: a node, the link, or the runner.
  public var place: Place
  /// What happened, with typed fields.
  public let body: EventBody
  /// The index of the kind in ``EventCatalog/all``; ``foreignKind`` for a name outside the catalogue.
  @usableFromInline let kind: Int
  /// The fields of a line that was read; nil for an event that was created as its kind.
  @usableFromInline let line: [Field]?

  /// The ``kind`` of events of other programs.
  static let foreignKind = -1

  /// Creates an event of a kind.
  ///
  /// - Parameters:
  ///   - kind: The kind.
  ///   - time: When it happened.
  ///   - place: Where.
  ///   - fill: Sets the fields, which are placeholders before.
  @inlinable @inline(__always)
  public init<Kind: TraceEventKind>(
    _ kind: Kind.Type, at time: VirtualTime, on place: Place, _ fill: (inout Kind) -> Void = { _ in }
  ) {
    var event = Kind()
    fill(&event)
    self.init(event, at: time, on: place)
  }

  /// Creates an event of a kind whose fields are known.
  @inlinable
  public init<Kind: TraceEventKind>(_ event: Kind, at time: VirtualTime, on place: Place) {
    self.time = time
    self.place = place
    body = event.body
    kind = EventCatalog.kind(of: Kind.name)
    line = nil
  }

  /// Reads an event from the fields of a line, in their order.
  ///
  /// A line whose fields are not those of its kind, or of a kind outside the catalogue, becomes
  /// ``EventBody/foreign(_:)``.
  public init(_ name: Name, at time: VirtualTime, on place: Place, _ fields: [Field] = []) {
    self.time = time
    self.place = place
    kind = EventCatalog.kind(of: name)
    let typed = kind == Self.foreignKind ? nil : EventCatalog.all[kind].body(fields)
    body = typed ?? .foreign(ForeignEvent(name: name, fields: fields))
    line = fields
  }

  /// The index of the kind in ``EventCatalog/all``; nil for a name outside the catalogue.
  public var catalogIndex: Int? { kind == Self.foreignKind ? nil : kind }

  /// What happened, as the trace names it.
  public var name: Name {
    if case .foreign(let event) = body { event.name } else { EventCatalog.names[kind] }
  }

  /// The further fields, in the order of the line.
  public var fields: [Field] { line ?? body.fields }

  /// The value of a field; nil if the event has no such field.
  ///
  /// Code that knows the kind should read ``body``, where no key is compared.
  public subscript(_ key: String) -> TraceValue? {
    if let line { return line.first { $0.key == key }?.value }
    var finder = EventFieldFinder(key)
    body.visit(&finder)
    return finder.value
  }

  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.time == rhs.time && lhs.place == rhs.place && lhs.name == rhs.name && lhs.fields == rhs.fields
  }

  /// Where something happens: the `node` of a trace line.
  public enum Place: UInt8, Sendable, CaseIterable {
    case watch, phone, edge, link, uplink, runner

    /// The name in the trace.
    public var text: String {
      switch self {
      case .watch: "watch"
      case .phone: "phone"
      case .edge: "edge"
      case .link: "link"
      case .uplink: "uplink"
      case .runner: "runner"
      }
    }

    /// Where a list of two, for watch and phone, has the value of this device; nil for all other places.
    @inlinable package var deviceIndex: Int? { self == .watch ? 0 : self == .phone ? 1 : nil }
  }

  /// The kind of an event: the `event` of a trace line.
  ///
  /// Names are compared by a 64-bit FNV-1a hash (Fowler, Noll, Vo), so that comparing costs one
  /// instruction; a test shows that no two known names share one.
  public struct Name: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The name in the trace.
    public let text: String
    /// FNV-1a over the name's bytes.
    public let code: UInt64

    /// Names a kind of event.
    public init(_ text: String) {
      self.text = text
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
      code = hash
    }

    public init(stringLiteral value: String) { self.init(value) }
    @inlinable public static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }
    @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  }

  /// One key with its value.
  public struct Field: Sendable, Equatable {
    /// The key.
    public var key: String
    /// The value.
    public var value: TraceValue

    /// Creates a field.
    @inlinable public init(_ key: String, _ value: TraceValue) {
      self.key = key
      self.value = value
    }
  }
}

/// What a field of a trace line holds.
public enum TraceValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case int(Int64)
  /// `mantissa` divided by ten to the `scale`, the mantissa not divisible by ten, the scale at least 1.
  case decimal(mantissa: Int64, scale: UInt8)
  case string(String)
  /// 16 lowercase hex digits: the beginning of a digest.
  case hex(UInt64)
  /// The beginning of a payload's digest, as ``hex(_:)``; computed when it is first read.
  ///
  /// A run that is only judged compares the payloads instead.
  case digest(of: [UInt8])
  /// A UUID in lowercase, the first half in `high`.
  case uuid(high: UInt64, low: UInt64)
  /// An object or array as canonical JSON text: no blanks, members in their order.
  case json(String)

  /// Whether two values have the same spelling, not only the same numeric value.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.bool(let value), .bool(let other)): value == other
    case (.int(let value), .int(let other)): value == other
    case (.decimal(let value, let places), .decimal(let other, let others)): value == other && places == others
    case (.string(let value), .string(let other)), (.json(let value), .json(let other)): value == other
    case (.uuid(let high, let low), .uuid(let otherHigh, let otherLow)): high == otherHigh && low == otherLow
    case (.hex, _), (.digest, _): isSameDigest(lhs, rhs)
    default: false
    }
  }

  /// Whether two digests are equal; either may not have been computed yet.
  private static func isSameDigest(_ lhs: TraceValue, _ rhs: TraceValue) -> Bool {
    if case .digest(let payload) = lhs, case .digest(let other) = rhs { return payload == other }
    guard let bits = lhs.digestBits, let others = rhs.digestBits else { return false }
    return bits == others
  }

  /// Whether the value is a digest, computed or not.
  public var isDigest: Bool {
    switch self {
    case .hex, .digest: true
    case .null, .bool, .int, .decimal, .string, .uuid, .json: false
    }
  }

  /// The first 8 bytes of a digest; nil for anything else.
  public var digestBits: UInt64? {
    switch self {
    case .hex(let bits): bits
    case .digest(let payload): Digest.prefix(payload)
    case .null, .bool, .int, .decimal, .string, .uuid, .json: nil
    }
  }

  /// Returns a number of `places` decimal places without trailing zeros: 12.50 is 12.5, 3.0 is 3.
  ///
  /// - Parameters:
  ///   - value: Finite and below 10^12 in magnitude; already rounded to `places`.
  ///   - places: 0...6.
  @inlinable @inline(__always)
  public static func number(_ value: Double, places: Int) -> TraceValue {
    // Many values are whole, such as elapsed seconds.
    let whole = Int64(value)
    if Double(whole) == value { return .int(whole) }
    return fixed(wholeNumber(value * power(of: places)), places: min(places, 6))
  }

  @inlinable @inline(__always)
  static func power(of places: Int) -> Double {
    switch places {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1e3
    case 4: 1e4
    case 5: 1e5
    default: 1e6
    }
  }

  /// The nearest whole number, ties away from zero: `rounded()` without a call of libm.
  @inlinable @inline(__always)
  static func wholeNumber(_ value: Double) -> Int64 {
    let whole = Int64(value)
    // Exact: the fraction has fewer bits than the value.
    let rest = value - Double(whole)
    return rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole
  }

  /// Returns `mantissa` divided by ten to the `places`, without trailing zeros.
  @inlinable
  public static func fixed(_ mantissa: Int64, places: Int) -> TraceValue {
    var mantissa = mantissa
    var scale = places
    while scale > 0 {
      let (tenth, rest) = mantissa.quotientAndRemainder(dividingBy: 10)
      guard rest == 0 else { break }
      mantissa = tenth
      scale -= 1
    }
    return scale == 0 ? .int(mantissa) : .decimal(mantissa: mantissa, scale: UInt8(scale))
  }

  /// The value as a whole number; nil for anything else.
  @inlinable public var integer: Int64? { if case .int(let value) = self { value } else { nil } }

  /// The value as a number; nil for anything else.
  @inlinable public var double: Double? {
    switch self {
    case .int(let value): Double(value)
    case .decimal(let mantissa, let scale): Double(mantissa) / Self.powerOfTen(scale)
    case .null, .bool, .string, .hex, .digest, .uuid, .json: nil
    }
  }

  /// The value as text; nil unless it is a text, a digest or a UUID.
  public var text: String? {
    switch self {
    case .string(let text): text
    case .hex(let bits): hexText(bits, digits: 16)
    case .digest(let payload): hexText(Digest.prefix(payload), digits: 16)
    case .uuid(let high, let low): Identifier(high: high, low: low).text
    case .null, .bool, .int, .decimal, .json: nil
    }
  }

  /// The value as a Boolean; nil for anything else.
  @inlinable public var boolean: Bool? { if case .bool(let value) = self { value } else { nil } }

  @inlinable
  static func powerOfTen(_ scale: UInt8) -> Double {
    if scale <= 6 { return power(of: Int(scale)) }
    var result = 1.0
    for _ in 0..<scale { result *= 10 }
    return result
  }
}

/// Returns the low `digits` hexadecimal digits of `bits`, in lowercase.
func hexText(_ bits: UInt64, digits: Int) -> String {
  var bytes: [UInt8] = []
  appendHex(bits, digits: digits, to: &bytes)
  return String(decoding: bytes, as: UTF8.self)
}

/// Appends the low `digits` hexadecimal digits of `bits`, in lowercase.
func appendHex(_ bits: UInt64, digits: Int, to bytes: inout [UInt8]) {
  var shift = (digits - 1) * 4
  while shift >= 0 {
    let nibble = UInt8((bits >> UInt64(shift)) & 15)
    bytes.append(nibble < 10 ? 48 + nibble : 87 + nibble)
    shift -= 4
  }
}

/// The places whose lines are believed.
///
/// A node writes its own lines into the trace, and could excuse itself with a line that only the runner can know: that
/// it was killed, or that a fault is active. Such a line stays in the trace, but no reader believes it.
extension TraceEvent {
  /// Places whose lines of a name are believed.
  public struct Writers: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The set of one place.
    @inlinable public init(_ place: Place) { self.init(rawValue: 1 << place.rawValue) }

    /// Watch, phone and edge.
    public static let nodes: Self = [Self(.watch), Self(.phone), Self(.edge)]
    /// The link between watch and phone, and the phone's uplink.
    public static let media: Self = [Self(.link), Self(.uplink)]
    /// The runner.
    public static let runner = Self(.runner)
    /// Every place.
    public static let all: Self = [.nodes, .media, .runner]

    /// Whether a place's lines are believed.
    @inlinable public func contains(_ place: Place) -> Bool { rawValue & (1 << place.rawValue) != 0 }
  }

  /// Whether the line is from a place that may write it.
  public var isBelieved: Bool { name.writers.contains(place) }
}

extension TraceEvent.Name {
  /// The keys of this event's fields in the order in which they are written; nil for an event of another program.
  ///
  /// Includes optional keys, but not `t`, `node` and `event`, which every line has.
  public var keys: [String]? { EventCatalog.entry(self)?.fields.map(\.key) }

  /// The places whose lines of this name are believed: all of them, unless the name is reserved.
  public var writers: TraceEvent.Writers { Self.reserved[code] ?? .all }

  private static let reserved: [UInt64: TraceEvent.Writers] = Dictionary(
    uniqueKeysWithValues: EventCatalog.all.filter(\.isReserved).map { ($0.name.code, $0.places) })

  /// Every name that this package writes.
  public static let known: [TraceEvent.Name] = EventCatalog.all.map(\.name)

  /// The names that only some places may write.
  public static let reservedNames: [TraceEvent.Name] = EventCatalog.all.filter(\.isReserved).map(\.name)
}
