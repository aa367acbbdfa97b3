package import Link

extension TraceValue {
  /// The value as JSON text.
  package var jsonText: String {
    var text = ""
    append(to: &text)
    return text
  }
}
