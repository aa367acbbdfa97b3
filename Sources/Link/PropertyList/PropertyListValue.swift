/// What a property list can say.
///
/// The types are those of Apple's property lists, in their binary form `bplist00`. Integers past 64
/// bits, sets and the keyed archiver's references are left out.
public indirect enum PropertyListValue: Sendable, Equatable {
  case string(String)
  case integer(Int64)
  case real(Double)
  case bool(Bool)
  case data([UInt8])
  /// Seconds since 2001-01-01T00:00:00Z.
  case date(Double)
  case array([PropertyListValue])
  /// The entries in their order; no key twice.
  case dictionary([PropertyListEntry])

  /// The value of a dictionary's key; nil when it has none, and for what is no dictionary.
  public subscript(key: String) -> PropertyListValue? {
    guard case .dictionary(let entries) = self else { return nil }
    return entries.first { $0.key == key }?.value
  }
}

/// One key with its value.
public struct PropertyListEntry: Sendable, Equatable {
  /// The key.
  public var key: String
  /// What it is set to.
  public var value: PropertyListValue

  /// Creates an entry.
  public init(_ key: String, _ value: PropertyListValue) {
    self.key = key
    self.value = value
  }
}

/// Why bytes are no property list that can be read, or a value cannot be written.
public struct PropertyListError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The byte at which it shows; 0 when no byte is to blame.
  public var offset: Int
  /// What stood there.
  public var found: String
  /// What would have been right.
  public var expected: String

  /// Creates an error.
  public init(at offset: Int, found: String, expected: String) {
    self.offset = offset
    self.found = found
    self.expected = expected
  }

  /// `byte N: found X, expected Y`.
  public var description: String { "byte \(offset): found \(found), expected \(expected)" }
}

/// Numbers of the format `bplist00` that reader and writer share.
enum PropertyListFormat {
  /// `bplist00`, read as a big-endian number.
  static let magic: UInt64 = 0x6270_6C69_7374_3030
  static let headerBytes = 8
  static let trailerBytes = 32

  /// The upper half of an object's first byte; the lower half is a length or says how long the number is.
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

  /// Containers inside one another, at most, when reading and when writing.
  static let depthMax = 128
}
