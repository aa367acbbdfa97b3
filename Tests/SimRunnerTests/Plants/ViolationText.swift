import Foundation

/// What speaks against the text of a violation: people read it without the trace.
enum ViolationText {
  /// How a sentence with a subject begins.
  private static let subjects = [
    "the", "a", "an", "no", "message", "snapshot", "transfer", "frame", "copy", "file", "note", "workout",
    "utterance", "watch",
  ]

  /// Why a text is hard to read; nil for a good one.
  static func objection(_ text: String) -> String? {
    if text.contains(/\b[0-9]{10,}\b/) { return "raw nanoseconds" }
    if text.contains(/[0-9]\.[0-9]{4,}/) { return "too many decimals" }
    let first = text.prefix { $0 != " " }
    if text.hasPrefix("\"") || subjects.contains(String(first)) { return nil }
    return "no subject: it begins with \(first)"
  }
}
