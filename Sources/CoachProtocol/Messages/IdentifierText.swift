import Link

/// An identifier, and its text as it stands in a payload.
///
/// All snapshots of a workout name the same one, one a second: whoever writes or reads them keeps this, and neither makes
/// the text nor reads it again.
public struct IdentifierText: Sendable {
  /// How many bytes the text has.
  static let count = 36

  private(set) var identifier: Identifier
  /// The text's words at 0, 8, 16, 24 and, overlapping, at 28.
  private var words: (UInt64, UInt64, UInt64, UInt64, UInt64)

  /// Stands where no workout was named yet.
  public static let none = IdentifierText(Identifier(high: 0, low: 0))

  /// The text that begins at a place of a payload, in either case; nil where none does.
  @inline(never)
  init?(in buffer: UnsafeRawBufferPointer, at place: Int) {
    let text = unsafe String(decoding: buffer[place..<place + Self.count], as: UTF8.self)
    guard let identifier = Identifier(text: text) else { return nil }
    self.identifier = identifier
    words = unsafe Self.words(buffer, place)
  }

  /// The text of an identifier, in lower case.
  init(_ identifier: Identifier) {
    self.identifier = identifier
    let text = Array(identifier.text.utf8)
    precondition(text.count == Self.count, "an identifier's text is a UUID's")
    words = unsafe text.withUnsafeBytes { unsafe Self.words($0, 0) }
  }

  /// Whether this text begins at a place of a payload.
  @inline(__always)
  func stands(in buffer: UnsafeRawBufferPointer, at place: Int) -> Bool {
    let other = unsafe Self.words(buffer, place)
    return words.0 == other.0 && words.1 == other.1 && words.2 == other.2 && words.3 == other.3 && words.4 == other.4
  }

  /// Writes the text at a place of a payload.
  @inline(__always)
  func put(in buffer: UnsafeMutableRawBufferPointer, at place: Int) {
    unsafe buffer.storeBytes(of: words.0, toByteOffset: place, as: UInt64.self)
    unsafe buffer.storeBytes(of: words.1, toByteOffset: place + 8, as: UInt64.self)
    unsafe buffer.storeBytes(of: words.2, toByteOffset: place + 16, as: UInt64.self)
    unsafe buffer.storeBytes(of: words.3, toByteOffset: place + 24, as: UInt64.self)
    unsafe buffer.storeBytes(of: words.4, toByteOffset: place + 28, as: UInt64.self)
  }

  @inline(__always)
  private static func words(
    _ buffer: UnsafeRawBufferPointer, _ place: Int
  ) -> (UInt64, UInt64, UInt64, UInt64, UInt64) {
    unsafe (
      word(buffer, place), word(buffer, place + 8), word(buffer, place + 16), word(buffer, place + 24),
      word(buffer, place + 28)
    )
  }

  @inline(__always)
  private static func word(_ buffer: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
    unsafe buffer.loadUnaligned(fromByteOffset: place, as: UInt64.self)
  }
}
