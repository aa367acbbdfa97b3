// Writes small FIT files for tests, byte by byte from the format's description, good ones and broken ones.

/// A FIT file under construction.
struct FITWriter {
  /// One field of a message: number, base type byte, and the value's bytes, least significant first.
  struct Field {
    var number: UInt8
    var type: UInt8
    var bytes: [UInt8]

    static func uint8(_ number: UInt8, _ value: UInt8) -> Field { Field(number: number, type: 0x02, bytes: [value]) }
    static func enumeration(_ number: UInt8, _ value: UInt8) -> Field {
      Field(number: number, type: 0x00, bytes: [value])
    }
    static func uint16(_ number: UInt8, _ value: UInt16) -> Field {
      Field(number: number, type: 0x84, bytes: little(value))
    }
    static func uint32(_ number: UInt8, _ value: UInt32) -> Field {
      Field(number: number, type: 0x86, bytes: little(value))
    }
    static func sint32(_ number: UInt8, _ value: Int32) -> Field {
      Field(number: number, type: 0x85, bytes: little(value))
    }

    private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
      (0..<(value.bitWidth / 8)).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
  }

  /// 2026-04-12T06:30:00Z in FIT's seconds.
  static let morning: UInt32 = 1_775_975_400 - 631_065_600

  var isBigEndian = false
  var data: [UInt8] = []

  /// Appends a definition and one message with it.
  mutating func message(_ global: UInt16, _ fields: [Field], local: UInt8 = 0) {
    define(global, fields.map { ($0.number, UInt8($0.bytes.count), $0.type) }, local: local)
    values(fields, local: local)
  }

  mutating func define(
    _ global: UInt16, _ fields: [(UInt8, UInt8, UInt8)], local: UInt8 = 0, developer: [(UInt8, UInt8, UInt8)]? = nil
  ) {
    data.append(0x40 | (developer == nil ? 0 : 0x20) | local)
    data += [0, isBigEndian ? 1 : 0]
    let number = [UInt8(truncatingIfNeeded: global), UInt8(global >> 8)]
    data += isBigEndian ? number.reversed() : number
    data.append(UInt8(fields.count))
    for field in fields { data += [field.0, field.1, field.2] }
    if let developer {
      data.append(UInt8(developer.count))
      for field in developer { data += [field.0, field.1, field.2] }
    }
  }

  /// Appends a message of a local type defined before.
  mutating func values(_ fields: [Field], local: UInt8 = 0) {
    data.append(local)
    for field in fields { data += isBigEndian ? field.bytes.reversed() : field.bytes }
  }

  /// Appends a timer event.
  mutating func timer(_ time: UInt32, type: UInt8, auto: Bool = false) {
    message(
      21, [.uint32(253, time), .enumeration(0, 0), .enumeration(1, type), .uint32(3, auto ? 1 : 0)])
  }

  /// Appends a record; distance in centimetres.
  mutating func record(_ time: UInt32, distance: UInt32? = nil, heartRate: UInt8? = nil, cadence: UInt8? = nil) {
    var fields: [Field] = [.uint32(253, time)]
    if let distance { fields.append(.uint32(5, distance)) }
    if let heartRate { fields.append(.uint8(3, heartRate)) }
    if let cadence { fields.append(.uint8(4, cadence)) }
    message(20, fields)
  }

  /// Appends a record with a position in degrees.
  mutating func record(_ time: UInt32, latitude: Double, longitude: Double) {
    let scale = 2_147_483_648.0 / 180
    message(
      20,
      [
        .uint32(253, time), .sint32(0, Int32((latitude * scale).rounded())),
        .sint32(1, Int32((longitude * scale).rounded())),
      ])
  }

  /// Appends a session of `sport`.
  mutating func session(
    start: UInt32, sport: UInt8 = 1, elapsed: UInt32? = nil, timer: UInt32? = nil, distance: UInt32? = nil
  ) {
    var fields: [Field] = [.uint32(253, start), .uint32(2, start), .enumeration(5, sport)]
    if let elapsed { fields.append(.uint32(7, elapsed)) }
    if let timer { fields.append(.uint32(8, timer)) }
    if let distance { fields.append(.uint32(9, distance)) }
    message(18, fields)
  }

  /// Appends a file_id; 4 is an activity.
  mutating func fileID(type: UInt8 = 4) {
    message(0, [.enumeration(0, type), .uint16(1, 1)])
  }

  /// The finished file: header, data, checksum.
  func file(headerSize: UInt8 = 14, declared: Int? = nil) -> [UInt8] {
    let length = UInt32(declared ?? data.count)
    var header: [UInt8] = [headerSize, 0x20, 0, 0]
    header += (0..<4).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
    header += Array(".FIT".utf8)
    if headerSize >= 14 { header += Self.checksum(header) }
    let whole = header + data
    return whole + Self.checksum(whole)
  }

  /// CRC-16/ARC bit by bit, so that the importer's table is checked against another computation.
  static func checksum(_ bytes: [UInt8]) -> [UInt8] {
    var value: UInt16 = 0
    for byte in bytes {
      value ^= UInt16(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xA001 : value >> 1 }
    }
    return [UInt8(value & 0xFF), UInt8(value >> 8)]
  }

  /// A run of ten minutes at 3 m/s, a record each second, with a pause of a minute from 300 s on.
  static func run() -> FITWriter {
    var writer = FITWriter()
    let start = morning
    writer.fileID()
    writer.timer(start, type: 0)
    for second in UInt32(0)...300 {
      writer.record(start + second, distance: second * 300, heartRate: 140, cadence: 85)
    }
    writer.timer(start + 300, type: 4)
    writer.timer(start + 360, type: 0)
    for second in UInt32(360)...660 {
      writer.record(start + second, distance: (second - 60) * 300, heartRate: 150, cadence: 85)
    }
    writer.timer(start + 660, type: 4)
    writer.message(
      19,
      [
        .uint32(253, start + 660), .uint32(2, start), .uint32(7, 660_000), .uint32(8, 600_000), .uint32(9, 180_000),
        .enumeration(24, 7),
      ])
    writer.session(start: start, elapsed: 660_000, timer: 600_000, distance: 180_000)
    return writer
  }
}
