import Link

/// Nested values of trace lines, read leniently: a story leaves out what it cannot read.
enum StoryJSON {
  /// The JSON in a field; nil if it has none.
  static func node(_ value: TraceValue?) -> JSONNode? {
    guard case .json(let text)? = value else { return nil }
    return try? JSONParser.parse(text, dialect: .json)
  }
}
