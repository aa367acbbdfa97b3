package import Link

/// `memory-user-wins`: facts stated by the athlete are not replaced.
package struct MemoryUserWinsChecker: Checker {
  package static let invariant = "memory-user-wins"
  package static let about =
    "An inferred fact has a confidence below 1, and never replaces one that the athlete stated."

  /// The line of the trace with the athlete's own value of a key; 1 for its header.
  ///
  /// For lookup only.
  private var users: [String: Int] = [:]

  package init(header: TraceHeader) {
    guard case .object(let members) = header.memory.value else { return }
    for member in members { users[member.key] = 1 }
  }

  package mutating func memoryUpdated(_ fact: MemoryUpdated, at event: Occurrence, into report: inout Report) {
    let (key, source) = (fact.key, fact.source)
    guard source != "user" else { return users[key] = event.line }
    if let said = users[key] {
      report.add(
        "\"\(key)\" was set by the athlete, but another source (\(source)) replaced it", at: event.time,
        lines: [said, event.line])
    }
    if source == "ai_inferred", fact.confidence >= 1 {
      report.add("\"\(key)\" was inferred, but the app treats it as certain", at: event.time, lines: [event.line])
    }
  }
}
