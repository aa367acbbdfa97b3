/// Events that nearly match an expectation: they have its name, but other values than `where` lists.
struct NearMisses: Sendable {
  /// How many are kept; the first ones.
  static let countMax = 3

  private(set) var lines: [Int] = []
  private var texts: [String] = []

  /// Records an event, unless there are enough.
  mutating func observe(_ event: TraceEvent, line: Int, of pattern: EventPattern) {
    guard lines.count < Self.countMax, let why = pattern.mismatch(event) else { return }
    lines.append(line)
    texts.append("\(event.time.durationText) with \(why)")
  }

  /// What to append to the reason of a failure; empty without a near miss.
  func suffix(_ pattern: EventPattern) -> String {
    texts.isEmpty ? "" : "; nearest: \(pattern.name.text) at " + texts.joined(separator: ", at ")
  }
}

extension EventPattern {
  /// How an event of this name differs from the pattern: `message "km2" instead of "km3"`; nil if it has another name
  /// or place, or matches.
  func mismatch(_ event: TraceEvent) -> String? {
    guard isOfName(event) else { return nil }
    let different = differences(event)
    guard !different.isEmpty else { return nil }
    return different.map { key, value in
      var found = "no value"
      if let field = event[key] {
        found = ""
        field.append(to: &found)
      } else if key == "node" {
        found = quoted(event.place.text)
      }
      return "\(key) \(found) instead of \(String(decoding: JSONWriter.compact(JSONNode(value)), as: UTF8.self))"
    }.joined(separator: " and ")
  }
}
