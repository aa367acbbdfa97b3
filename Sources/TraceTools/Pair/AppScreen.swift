import Console
package import Link

/// What an app of the user's own says of itself: facts, acts that it took, findings about it.
package struct AppScreen {
  /// The last value of each fact, in the order in which the facts first came.
  package private(set) var facts: [(name: String, text: String, at: VirtualTime)] = []
  /// The latest lines: facts, acts and findings as the trace has them.
  package private(set) var log: [(text: String, at: VirtualTime)] = []
  /// What ended it, with its backtrace; nil while it has not failed.
  package var crash: String?

  private static let factsMax = 60
  private static let logMax = 60

  mutating func observe(_ event: TraceEvent) {
    let name = event.name.text
    guard name.hasPrefix(AppFact.family) else { return }
    let short = String(name.dropFirst(AppFact.family.count))
    let text = event.fields.map { "\($0.key) \($0.value.plainText)" }.joined(separator: ", ")
    log.append((text.isEmpty ? short : "\(short): \(text)", event.time))
    if log.count > Self.logMax { log.removeFirst(Self.logMax / 2) }
    guard !AppFact.reserved.contains(short) else { return }
    if let index = facts.firstIndex(where: { $0.name == short }) {
      facts[index] = (short, text, event.time)
    } else if facts.count < Self.factsMax {
      facts.append((short, text, event.time))
    }
  }
}

extension TraceValue {
  /// The value for readers: texts without quotes.
  var plainText: String { text ?? jsonText }
}
