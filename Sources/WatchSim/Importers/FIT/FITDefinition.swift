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
