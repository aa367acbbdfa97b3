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
  init?(in payload: Span<UInt8>, at offset: Int) {
    var text: [UInt8] = []
    payload.extracting(offset..<offset + Self.count).append(to: &text)
    guard let identifier = Identifier(text: String(decoding: text, as: UTF8.self)) else { return nil }
    self.identifier = identifier
    words = Self.words(payload, offset)
  }

  /// The text of an identifier, in lower case.
  init(_ identifier: Identifier) {
    self.identifier = identifier
    let text = Array(identifier.text.utf8)
    precondition(text.count == Self.count, "an identifier's text is a UUID's")
    words = Self.words(text.span, 0)
  }

  /// Whether this text begins at an offset of a payload.
  @inline(__always)
  func matches(_ payload: Span<UInt8>, at offset: Int) -> Bool {
    let other = Self.words(payload, offset)
    return words.0 == other.0 && words.1 == other.1 && words.2 == other.2 && words.3 == other.3 && words.4 == other.4
  }

  /// Writes the text at an offset of a payload.
  @inline(__always)
  func write(to payload: inout MutableSpan<UInt8>, at offset: Int) {
    payload.store(words.0, at: offset)
    payload.store(words.1, at: offset + 8)
    payload.store(words.2, at: offset + 16)
    payload.store(words.3, at: offset + 24)
    payload.store(words.4, at: offset + 28)
  }

  @inline(__always)
  private static func words(_ payload: Span<UInt8>, _ offset: Int) -> (UInt64, UInt64, UInt64, UInt64, UInt64) {
    (
      payload.word(UInt64.self, at: offset), payload.word(UInt64.self, at: offset + 8),
      payload.word(UInt64.self, at: offset + 16), payload.word(UInt64.self, at: offset + 24),
      payload.word(UInt64.self, at: offset + 28)
    )
  }
}
