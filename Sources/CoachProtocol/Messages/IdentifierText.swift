import Link

/// An identifier with its text in a payload.
///
/// All snapshots of a workout contain the same identifier, once a second: writers and readers cache it here instead of
/// formatting or parsing it again.
public struct IdentifierText: Sendable {
  /// The text's length in bytes.
  static let count = 36

  private(set) var identifier: Identifier
  /// The text's 64-bit words at 0, 8, 16, 24 and, overlapping, at 28.
  private var words: (UInt64, UInt64, UInt64, UInt64, UInt64)

  /// A placeholder before the first workout.
  public static let none = IdentifierText(Identifier(high: 0, low: 0))

  /// The identifier whose text begins at an offset of a payload, in either case; nil if there is none.
  @inline(never)
  init?(in buffer: UnsafeRawBufferPointer, at offset: Int) {
    let text = unsafe String(decoding: buffer[offset..<offset + Self.count], as: UTF8.self)
    guard let identifier = Identifier(text: text) else { return nil }
    self.identifier = identifier
    words = unsafe Self.words(buffer, offset)
  }

  /// The text of an identifier, in lower case.
  init(_ identifier: Identifier) {
    self.identifier = identifier
    let text = Array(identifier.text.utf8)
    precondition(text.count == Self.count, "an identifier's text is a UUID's")
    words = unsafe text.withUnsafeBytes { unsafe Self.words($0, 0) }
  }

  /// Whether this text begins at an offset of a payload.
  @inline(__always)
  func matches(_ buffer: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    let other = unsafe Self.words(buffer, offset)
    return words.0 == other.0 && words.1 == other.1 && words.2 == other.2 && words.3 == other.3 && words.4 == other.4
  }

  /// Writes the text at an offset of a payload.
  @inline(__always)
  func write(to buffer: UnsafeMutableRawBufferPointer, at offset: Int) {
    unsafe buffer.storeBytes(of: words.0, toByteOffset: offset, as: UInt64.self)
    unsafe buffer.storeBytes(of: words.1, toByteOffset: offset + 8, as: UInt64.self)
    unsafe buffer.storeBytes(of: words.2, toByteOffset: offset + 16, as: UInt64.self)
    unsafe buffer.storeBytes(of: words.3, toByteOffset: offset + 24, as: UInt64.self)
    unsafe buffer.storeBytes(of: words.4, toByteOffset: offset + 28, as: UInt64.self)
  }

  @inline(__always)
  private static func words(
    _ buffer: UnsafeRawBufferPointer, _ offset: Int
  ) -> (UInt64, UInt64, UInt64, UInt64, UInt64) {
    unsafe (
      word(buffer, offset), word(buffer, offset + 8), word(buffer, offset + 16), word(buffer, offset + 24),
      word(buffer, offset + 28)
    )
  }

  @inline(__always)
  private static func word(_ buffer: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    unsafe buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
}
