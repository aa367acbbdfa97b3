import Console
import Link

/// The facts about items that an app sends, and about their outcomes.
struct OwedFacts: Sendable, Equatable {
  /// The fact for each thing sent.
  var sent = ""
  /// The facts for its outcome.
  var said: [String] = []
  /// The field that is equal in both.
  var by = "id"

  static let fields = [
    Field<Self>("sent", \.sent, .factName, "the fact for each thing sent", .otherwise("nothing is owed")),
    Field("said", \.said, .array(of: .factName, count: 1...100), "the facts for its outcome", .otherwise("none")),
    Field("by", \.by, .string, "the field that is equal in both"),
  ]
}

/// The items sent in a run, and those without an outcome so far.
struct OwedCount: Sendable {
  /// A sent item.
  private struct Key: Hashable, Sendable {
    var node: TraceEvent.Place
    var value: String
  }

  private let facts: OwedFacts
  private var open: [Key: [(line: Int, time: VirtualTime)]] = [:]

  init(_ facts: OwedFacts) { self.facts = facts }

  mutating func observe(_ event: TraceEvent, line: Int) {
    guard event.place == .watch || event.place == .phone, event.name.text.hasPrefix(AppFact.family) else { return }
    let name = event.name.text.dropFirst(AppFact.family.utf8.count)
    guard let value = event[facts.by] else { return }
    let key = Key(node: event.place, value: value.jsonText)
    if name == facts.sent {
      open[key, default: []].append((line, event.time))
    } else if facts.said.contains(String(name)) {
      open[key] = nil
    }
  }

  /// Items without an outcome, in the order of sending.
  var left: [(text: String, line: Int, time: VirtualTime)] {
    open.flatMap { key, sent in
      sent.map { ("the \(key.node.text) recorded \(facts.sent) \(facts.by)=\(key.value)", $0.line, $0.time) }
    }.sorted { $0.line < $1.line }
  }

  /// What must follow.
  var expected: String { facts.said.joined(separator: " or ") }
}
