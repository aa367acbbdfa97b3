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
