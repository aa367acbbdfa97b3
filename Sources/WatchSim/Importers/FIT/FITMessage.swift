// One data message. Fields are decoded on demand, because most messages are never inspected.

/// A data message.
struct FITMessage {
  let definition: FITDefinition
  /// The time of a message with a compressed time stamp, in FIT's seconds.
  let compressedTime: UInt32?
  let bytes: [UInt8]
  /// The offset of the first field.
  let offset: Int

  /// The global message number.
  var global: UInt16 { definition.global }

  /// The time stamp in FIT's seconds: field 253, or the compressed one; nil without.
  var time: UInt32? { unsigned(253).flatMap(UInt32.init(exactly:)) ?? compressedTime }

  /// An unsigned field; nil if absent, invalid, negative or not an integer.
  ///
  /// For an array, its first value.
  func unsigned(_ number: UInt8) -> UInt64? {
    guard let value = integer(number), value >= 0 else { return nil }
    return UInt64(value)
  }

  /// An integer field; nil if absent, invalid, or an unsigned one beyond 63 bits.
  ///
  /// For an array, its first value.
  func integer(_ number: UInt8) -> Int64? {
    guard let field = field(number), let type = field.type else { return nil }
    return integer(field, type)
  }

  private func integer(_ field: FITField, _ type: FITBaseType) -> Int64? {
    let raw = bits(field, type, element: 0)
    guard raw != type.invalid else { return nil }
    switch type {
    case .string, .float32, .float64: return nil
    case .sint8: return Int64(Int8(truncatingIfNeeded: raw))
    case .sint16: return Int64(Int16(truncatingIfNeeded: raw))
    case .sint32: return Int64(Int32(truncatingIfNeeded: raw))
    case .sint64: return Int64(bitPattern: raw)
    default: return Int64(exactly: raw)
    }
  }

  /// A field divided by `scale` minus `offset`; nil as for `integer`, and for a non-finite float.
  func scaled(_ number: UInt8, by scale: Double = 1, offset: Double = 0) -> Double? {
    guard let field = field(number), let type = field.type else { return nil }
    return self.number(field, type).map { $0 / scale - offset }
  }

  /// The first value of a field as a type; nil if invalid or not finite.
  func number(_ field: FITField, _ type: FITBaseType) -> Double? {
    let value: Double
    switch type {
    case .float32: value = Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits(field, type, element: 0))))
    case .float64: value = Double(bitPattern: bits(field, type, element: 0))
    default:
      guard let integer = integer(field, type) else { return nil }
      value = Double(integer)
    }
    return value.isFinite ? value : nil
  }

  /// The values of an unsigned field or array; nil for each invalid one.
  func unsignedValues(_ number: UInt8) -> [UInt64?] {
    guard let field = field(number), let type = field.type, type.isUnsigned else { return [] }
    return (0..<field.byteCount / type.byteCount).map { element in
      let raw = bits(field, type, element: element)
      return raw == type.invalid ? nil : raw
    }
  }

  /// A text field up to the first zero byte, malformed UTF-8 replaced; nil if absent or empty.
  func text(_ number: UInt8) -> String? {
    guard let field = field(number), field.type == .string else { return nil }
    let start = offset + field.offset
    let text = bytes[start..<(start + field.byteCount)].prefix { $0 != 0 }
    return text.isEmpty ? nil : Printable.text(text, charactersMax: 80)
  }

  /// A field's bytes; nil if absent or all 0xFF.
  func rawBytes(_ number: UInt8) -> ArraySlice<UInt8>? {
    guard let field = field(number) else { return nil }
    let start = offset + field.offset
    let raw = bytes[start..<(start + field.byteCount)]
    return raw.allSatisfy { $0 == 0xFF } ? nil : raw
  }

  private func field(_ number: UInt8) -> FITField? {
    definition.fields.first { $0.number == number }
  }

  private func bits(_ field: FITField, _ type: FITBaseType, element: Int) -> UInt64 {
    let count = type.byteCount
    let start = offset + field.offset + element * count
    var value: UInt64 = 0
    for index in 0..<count {
      value = value << 8 | UInt64(bytes[definition.isBigEndian ? start + index : start + count - 1 - index])
    }
    return value
  }
}

// Definition messages: the layout of the data messages of a local type. A local type may be redefined at any time.

/// The types of FIT fields.
enum FITBaseType: UInt8, Sendable {
  case enumeration = 0x00
  case sint8 = 0x01
  case uint8 = 0x02
  case string = 0x07
  case uint8z = 0x0A
  case byte = 0x0D
  case sint16 = 0x83
  case uint16 = 0x84
  case sint32 = 0x85
  case uint32 = 0x86
  case float32 = 0x88
  case float64 = 0x89
  case uint16z = 0x8B
  case uint32z = 0x8C
  case sint64 = 0x8E
  case uint64 = 0x8F
  case uint64z = 0x90

  /// The size of one value in bytes.
  var byteCount: Int {
    switch self {
    case .enumeration, .sint8, .uint8, .string, .uint8z, .byte: 1
    case .sint16, .uint16, .uint16z: 2
    case .sint32, .uint32, .uint32z, .float32: 4
    case .float64, .sint64, .uint64, .uint64z: 8
    }
  }

  var isUnsigned: Bool {
    switch self {
    case .enumeration, .uint8, .uint8z, .byte, .uint16, .uint16z, .uint32, .uint32z, .uint64, .uint64z: true
    case .sint8, .sint16, .sint32, .sint64, .string, .float32, .float64: false
    }
  }

  /// The bits that mean "no value".
  var invalid: UInt64 {
    switch self {
    case .enumeration, .uint8, .byte: 0xFF
    case .sint8: 0x7F
    case .sint16: 0x7FFF
    case .uint16: 0xFFFF
    case .sint32: 0x7FFF_FFFF
    case .uint32, .float32: 0xFFFF_FFFF
    case .sint64: 0x7FFF_FFFF_FFFF_FFFF
    case .uint64, .float64: 0xFFFF_FFFF_FFFF_FFFF
    case .string, .uint8z, .uint16z, .uint32z, .uint64z: 0
    }
  }
}

/// A field's location in a message.
struct FITField: Sendable, Equatable {
  /// The field's number within its message.
  let number: UInt8
  /// The offset of its first byte within the message.
  let offset: Int
  /// The declared size in bytes.
  let byteCount: Int
  /// Nil if unknown, or if the size is not a multiple of the type's: such a field is skipped.
  let type: FITBaseType?
  /// The developer's index; 0 for a field of the profile.
  var developer: UInt8 = 0
}

/// The layout of one kind of data message.
struct FITDefinition: Sendable, Equatable {
  /// The global message number.
  let global: UInt16
  /// Whether values have their most significant byte first.
  let isBigEndian: Bool
  /// In order, without developer fields.
  let fields: [FITField]
  /// Developer fields, in order after the others; `number` is the developer's own and `type` nil.
  let developerFields: [FITField]
  /// The size of a data message without its first byte, with developer fields.
  let byteCount: Int
  /// Whether a field's size does not fit its type.
  let hasMisfits: Bool
}

extension FITDefinition {
  /// Reads a definition whose first byte at `offset` has been read; nil if the bytes end within it.
  static func read(
    _ bytes: [UInt8], at offset: Int, limit: Int, hasDeveloperFields: Bool
  ) -> (definition: FITDefinition, end: Int)? {
    var cursor = offset + 1
    guard cursor + 5 <= limit else { return nil }
    let isBigEndian = bytes[cursor + 1] == 1
    let (low, high) = isBigEndian ? (bytes[cursor + 3], bytes[cursor + 2]) : (bytes[cursor + 2], bytes[cursor + 3])
    let fieldCount = Int(bytes[cursor + 4])
    cursor += 5
    guard cursor + fieldCount * 3 <= limit else { return nil }
    var fields: [FITField] = []
    fields.reserveCapacity(fieldCount)
    var length = 0
    var hasMisfits = false
    for _ in 0..<fieldCount {
      let size = Int(bytes[cursor + 1])
      // Bits 5 and 6 are reserved; some writers set the wrong high bit for a type, which does not matter here.
      let code = bytes[cursor + 2] & 0x1F
      var type = FITBaseType(rawValue: code) ?? FITBaseType(rawValue: code | 0x80)
      if let known = type, size == 0 || !size.isMultiple(of: known.byteCount) {
        type = nil
        hasMisfits = true
      }
      fields.append(FITField(number: bytes[cursor], offset: length, byteCount: size, type: type))
      length += size
      cursor += 3
    }
    var developerFields: [FITField] = []
    if hasDeveloperFields {
      guard cursor < limit else { return nil }
      let count = Int(bytes[cursor])
      cursor += 1
      guard cursor + count * 3 <= limit else { return nil }
      for _ in 0..<count {
        let size = Int(bytes[cursor + 1])
        developerFields.append(
          FITField(
            number: bytes[cursor], offset: length, byteCount: size, type: nil, developer: bytes[cursor + 2]))
        length += size
        cursor += 3
      }
    }
    let definition = FITDefinition(
      global: UInt16(high) << 8 | UInt16(low), isBigEndian: isBigEndian, fields: fields,
      developerFields: developerFields, byteCount: length, hasMisfits: hasMisfits)
    return (definition, cursor)
  }
}

// Developer fields: values of apps and sensors that the profile does not have, described within the file itself.

/// The developer fields of records that stand for values of the profile.
struct FITDeveloperFields {
  private enum Quantity {
    case distance, speed, heartRate, cadence, power
  }

  private struct Description {
    var developer: UInt8
    var number: UInt8
    var type: FITBaseType
    var quantity: Quantity
    var factor: Double
    var offset: Double
  }

  /// The fields of the profile's record, by number.
  private static let native: [UInt64: Quantity] = [
    3: .heartRate, 4: .cadence, 5: .distance, 6: .speed, 7: .power, 73: .speed,
  ]
  /// In lower case, without blanks and underscores.
  private static let names: [String: Quantity] = [
    "distance": .distance, "speed": .speed, "heartrate": .heartRate, "hr": .heartRate,
  ]
  /// Metres, and metres per second.
  private static let units: [String: Double] = [
    "": 1, "m": 1, "meters": 1, "metres": 1, "km": 1_000, "cm": 0.01, "mi": 1_609.344, "m/s": 1, "mps": 1,
    "km/h": 1 / 3.6, "kph": 1 / 3.6, "mph": 0.44704, "bpm": 1, "rpm": 1, "spm": 1, "watts": 1, "w": 1,
  ]

  private var descriptions: [Description] = []

  /// Adds a field description; a later one of the same field replaces it.
  mutating func add(_ message: FITMessage) {
    guard let developer = message.unsigned(0).flatMap(UInt8.init(exactly:)),
      let number = message.unsigned(1).flatMap(UInt8.init(exactly:)), let code = message.unsigned(2),
      let type = Self.type(code), type != .string
    else { return }
    descriptions.removeAll { $0.developer == developer && $0.number == number }
    let name = (message.text(3) ?? "").lowercased().filter { $0 != " " && $0 != "_" }
    let isOfRecord = message.unsigned(14).map { $0 == UInt64(FITNames.Message.record) } ?? true
    let quantity = isOfRecord ? message.unsigned(15).flatMap { Self.native[$0] } ?? Self.names[name] : nil
    guard let quantity, let factor = Self.units[(message.text(8) ?? "").lowercased()], descriptions.count < 256 else {
      return
    }
    let scale = message.scaled(6) ?? 1
    descriptions.append(
      Description(
        developer: developer, number: number, type: type, quantity: quantity,
        factor: factor / (scale == 0 ? 1 : scale), offset: (message.scaled(7) ?? 0) * factor))
  }

  private static func type(_ code: UInt64) -> FITBaseType? {
    guard let low = UInt8(exactly: code & 0x1F) else { return nil }
    return FITBaseType(rawValue: low) ?? FITBaseType(rawValue: low | 0x80)
  }

  /// Fills in what a record has only as a developer field.
  func complete(_ sample: inout RecordedWorkout.Sample, from message: FITMessage) {
    guard !message.definition.developerFields.isEmpty else { return }
    for description in descriptions {
      guard let raw = message.developerValue(description.developer, description.number, description.type) else {
        continue
      }
      let value = raw * description.factor - description.offset
      switch description.quantity {
      case .distance: if sample.distance == nil, (0...1e9).contains(value) { sample.distance = value }
      case .speed: if sample.speed == nil, (0...1_000).contains(value) { sample.speed = value }
      case .heartRate:
        if sample.heartRate == nil, (0.5...300).contains(value) { sample.heartRate = Int(value.rounded()) }
      case .cadence: if sample.cadence == nil, (0...500).contains(value) { sample.cadence = value }
      case .power: if sample.power == nil, (0...10_000).contains(value) { sample.power = value }
      }
    }
  }
}

extension FITMessage {
  /// The first value of a developer field; nil if absent, invalid, or not finite.
  func developerValue(_ developer: UInt8, _ number: UInt8, _ type: FITBaseType) -> Double? {
    guard
      let field = definition.developerFields.first(where: { $0.number == number && $0.developer == developer }),
      field.byteCount >= type.byteCount, field.byteCount.isMultiple(of: type.byteCount)
    else { return nil }
    return self.number(FITField(number: number, offset: field.offset, byteCount: field.byteCount, type: type), type)
  }
}
