/// A value of a property list.
///
/// The types are those of Apple's binary format `bplist00`, without integers past 64 bits, sets and the references of
/// the keyed archiver.
public indirect enum PropertyListValue: Sendable, Equatable {
  case string(String)
  case integer(Int64)
  case real(Double)
  case bool(Bool)
  case data([UInt8])
  /// Seconds since 2001-01-01T00:00:00Z.
  case date(Double)
  case array([PropertyListValue])
  /// The entries in their order; keys are unique.
  case dictionary([PropertyListEntry])

  /// The value of a key; nil if the dictionary lacks it, or if this is not a dictionary.
  public subscript(key: String) -> PropertyListValue? {
    guard case .dictionary(let entries) = self else { return nil }
    return entries.first { $0.key == key }?.value
  }
}

/// One key with its value.
public struct PropertyListEntry: Sendable, Equatable {
  /// The key.
  public var key: String
  public var value: PropertyListValue

  public init(_ key: String, _ value: PropertyListValue) {
    self.key = key
    self.value = value
  }
}

/// Why bytes are not a readable property list, or a value cannot be written.
public struct PropertyListError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The offset of the byte at fault; 0 if there is none.
  public var offset: Int
  /// What was found.
  public var found: String
  /// What was expected.
  public var expected: String

  public init(at offset: Int, found: String, expected: String) {
    self.offset = offset
    self.found = found
    self.expected = expected
  }

  /// `byte N: found X, expected Y`.
  public var description: String { "byte \(offset): found \(found), expected \(expected)" }
}

/// Constants of the format `bplist00` that reader and writer share.
enum PropertyListFormat {
  /// `bplist00`, read as a big-endian number.
  static let magic: UInt64 = 0x6270_6C69_7374_3030
  static let headerBytes = 8
  static let trailerBytes = 32

  /// The upper half of an object's first byte; the lower half is a length, or the size of the number.
  static let falseMarker: UInt8 = 0x08
  static let trueMarker: UInt8 = 0x09
  static let integer: UInt8 = 0x10
  static let real: UInt8 = 0x20
  static let dateMarker: UInt8 = 0x33
  static let data: UInt8 = 0x40
  static let ascii: UInt8 = 0x50
  static let utf16: UInt8 = 0x60
  static let array: UInt8 = 0xA0
  static let dictionary: UInt8 = 0xD0

  /// The deepest nesting of containers, for reading and writing.
  static let depthMax = 128
}
