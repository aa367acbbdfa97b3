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
