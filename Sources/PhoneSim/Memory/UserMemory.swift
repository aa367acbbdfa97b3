package import CoachProtocol
package import Link

/// One remembered fact about the runner: a row of the companion store's `UserMemory`.
package struct UserMemory: Sendable, Equatable {
  package var id: Identifier
  package var fact: MemoryFact
  /// When it was last written, in nanoseconds since 1970 by the phone's clock.
  package var updatedAt: Int64

  package init(id: Identifier, fact: MemoryFact, updatedAt: Int64) {
    self.id = id
    self.fact = fact
    self.updatedAt = updatedAt
  }

  /// The fact's value as JSON text.
  package var valueText: String { String(decoding: JSONWriter.compact(JSONNode(fact.value)), as: UTF8.self) }

  /// The `memory.updated` event.
  func event(at now: VirtualTime) -> TraceEvent {
    TraceEvent(
      "memory.updated", at: now, on: .phone,
      [
        TraceEvent.Field("kind", .string(fact.kind.rawValue)), TraceEvent.Field("key", .string(fact.key)),
        TraceEvent.Field("value", .json(valueText)),
        TraceEvent.Field("confidence", .number(fact.confidence, places: 3)),
        TraceEvent.Field("source", .string(fact.source.rawValue)),
      ])
  }
}
