package import CoachProtocol
package import Link

/// The phone's memory of the athlete: one row for each key.
///
/// Only the athlete replaces a fact that the athlete stated; an inferred fact never does. Among inferred facts the newer
/// one wins.
package struct MemoryStore: Sendable, Equatable {
  package static let countMax = MemoryFact.countMax
  /// Upper bound of an inferred fact's confidence; certainty is reserved for the athlete's own statements.
  package static let inferredConfidenceMax = 0.99

  /// The rows, in the order in which their keys were first stored.
  package private(set) var rows: [UserMemory]
  private let random: RandomStream

  package enum Outcome: Sendable, Equatable {
    /// The row was added or replaced.
    case updated(UserMemory)
    /// The fact was not stored, and why.
    case refused(MemoryFact, why: String)
  }

  package init(seed: UInt64, restoring rows: [UserMemory] = []) {
    self.rows = rows
    random = RandomStream(seed: seed, name: "phone.memory")
  }

  /// The facts that requests carry.
  package var facts: [MemoryFact] { rows.map(\.fact) }

  /// Adds the initial facts that are missing: the scenario's, and defaults for everyone.
  ///
  /// - Returns: The added rows.
  package mutating func begin(with members: [JSONMember], clock: Int64) -> [UserMemory] {
    var added: [UserMemory] = []
    var facts = members.prefix(Self.countMax / 2).map { member in
      MemoryFact(
        kind: .fact, key: member.key, value: member.node.value.withoutPositions, confidence: 1, source: .user)
    }
    facts.append(
      MemoryFact(
        kind: .fact, key: "hr.max", value: .integer(Int64(DerivedValues.maximumHeartRateDefault)), confidence: 0.5,
        source: .systemDefault))
    for fact in facts where !rows.contains(where: { $0.fact.key == fact.key }) {
      let row = UserMemory(id: name(fact.key), fact: fact, updatedAt: clock)
      rows.append(row)
      added.append(row)
    }
    return added
  }

  /// Stores a fact extracted from a run.
  package mutating func learn(_ extracted: ExtractedFact, clock: Int64) -> Outcome {
    let (key, value) = Self.entry(of: extracted)
    let fact = MemoryFact(
      kind: extracted.kind, key: key, value: value,
      confidence: min(extracted.confidence, Self.inferredConfidenceMax), source: .aiInferred)
    guard let index = rows.firstIndex(where: { $0.fact.key == key }) else {
      guard rows.count < Self.countMax else { return .refused(fact, why: "full") }
      let row = UserMemory(id: name(key), fact: fact, updatedAt: clock)
      rows.append(row)
      return .updated(row)
    }
    guard rows[index].fact.source != .user else { return .refused(fact, why: "user") }
    rows[index].fact = fact
    rows[index].updatedAt = clock
    return .updated(rows[index])
  }

  /// The key and value of a fact; free text gets a key from its digest.
  private static func entry(of fact: ExtractedFact) -> (key: String, value: JSONValue) {
    if case .object(let members) = fact.value, let member = members.first { return (member.key, member.node.value) }
    return ("\(fact.kind.rawValue).\(AIRequest.digest(of: fact.value.compactText).prefix(16))", fact.value)
  }

  private func name(_ key: String) -> Identifier {
    Identifier(random, for: UInt64(AIRequest.digest(of: key).prefix(16), radix: 16) ?? 0)
  }
}

/// One remembered fact about the athlete: a row of the companion store's `UserMemory`.
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
