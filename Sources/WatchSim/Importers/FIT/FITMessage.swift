// One data message, its fields read on demand: most messages of a file are never looked into.

/// A data message.
struct FITMessage {
  /// Its layout.
  let definition: FITDefinition
  /// The time of a message with a compressed time stamp, in FIT's seconds.
  let compressedTime: UInt32?
  private let bytes: [UInt8]
  private let offset: Int

  init(definition: FITDefinition, bytes: [UInt8], offset: Int, compressedTime: UInt32?) {
    self.definition = definition
    self.bytes = bytes
    self.offset = offset
    self.compressedTime = compressedTime
  }

  /// What the message is about.
  var global: UInt16 { definition.global }

  /// The message's time stamp in FIT's seconds: field 253, or the compressed one; nil without.
  var time: UInt32? { unsigned(253).flatMap(UInt32.init(exactly:)) ?? compressedTime }

  /// Returns field `number` as an unsigned number; nil when absent, invalid, negative or no integer.
  ///
  /// Of an array, the first value.
  func unsigned(_ number: UInt8) -> UInt64? {
    guard let value = integer(number), value >= 0 else { return nil }
    return UInt64(value)
  }

  /// Returns field `number` as a number; nil when absent, invalid, or an unsigned one beyond 63 bits.
  ///
  /// Of an array, the first value.
  func integer(_ number: UInt8) -> Int64? {
    guard let field = field(number), let type = field.type else { return nil }
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

  /// Returns field `number` divided by `scale` and less `offset`; nil as for `integer`, and for a float that is not finite.
  func scaled(_ number: UInt8, by scale: Double = 1, offset: Double = 0) -> Double? {
    guard let field = field(number), let type = field.type else { return nil }
    let value: Double
    switch type {
    case .float32: value = Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits(field, type, element: 0))))
    case .float64: value = Double(bitPattern: bits(field, type, element: 0))
    default:
      guard let integer = integer(number) else { return nil }
      value = Double(integer)
    }
    return value.isFinite ? value / scale - offset : nil
  }

  /// Returns the values of field `number`, an unsigned integer or an array of them; nil for each that is invalid.
  func unsignedValues(_ number: UInt8) -> [UInt64?] {
    guard let field = field(number), let type = field.type, type.isUnsigned else { return [] }
    return (0..<field.byteCount / type.byteCount).map { element in
      let raw = bits(field, type, element: element)
      return raw == type.invalid ? nil : raw
    }
  }

  /// Returns the text of field `number`, malformed UTF-8 replaced, up to the first zero byte; nil when absent or empty.
  func text(_ number: UInt8) -> String? {
    guard let field = field(number), field.type == .string else { return nil }
    let start = offset + field.offset
    let text = bytes[start..<(start + field.byteCount)].prefix { $0 != 0 }
    return text.isEmpty ? nil : Printable.text(text, charactersMax: 80)
  }

  /// Returns the bytes of field `number`; nil when absent or all of them 0xFF.
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
