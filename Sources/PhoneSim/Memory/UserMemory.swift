package import CoachProtocol
package import Link

/// One remembered fact about the runner: a row of the companion store's `UserMemory`.
package struct UserMemory: Sendable, Equatable {
  package var id: Identifier
  package var fact: MemoryFact
  /// When it was last written, in nanoseconds since 1970 by the phone's clock.
  package var updatedAt: Int64

  /// The fact's value as JSON text.
  package var valueText: String { fact.value.compactText }

  /// The `memory.updated` event.
  func event(at now: VirtualTime) -> TraceEvent {
    TraceEvent(MemoryUpdated.self, at: now, on: .phone) {
      $0.kind = fact.kind.rawValue
      $0.key = fact.key
      $0.value = .json(valueText)
      $0.confidence = fact.confidence
      $0.source = fact.source.rawValue
    }
  }
}

extension UserMemory: StoredRow, PhoneRow {
  static let table = StoredTable(
    "UserMemory",
    blank: UserMemory(
      id: .blank, fact: MemoryFact(kind: .fact, key: "", value: .null, confidence: 0, source: .user), updatedAt: 0),
    [
      StoredColumn("key", \.fact.key), StoredColumn("id", \.id), StoredColumn("kind", \.fact.kind),
      StoredColumn("value", \.fact.value), StoredColumn("confidence", \.fact.confidence, .between(0, 1)),
      StoredColumn("source", \.fact.source), StoredColumn("updatedAt", \.updatedAt),
    ])
  static var inRecord: Place { \.memory }
  var rowKey: String { fact.key }
}
