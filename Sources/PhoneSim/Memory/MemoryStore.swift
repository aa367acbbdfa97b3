package import CoachProtocol
package import Link

/// What the phone knows of the runner, one row a key.
///
/// What the runner said stands until the runner says otherwise: a fact that was inferred never takes its place. Of two that
/// were inferred the newer one counts.
package struct MemoryStore: Sendable, Equatable {
  /// Rows, at most.
  package static let countMax = MemoryFact.countMax
  /// The greatest confidence of a fact that was inferred: what is certain, the runner said.
  package static let inferredConfidenceMax = 0.99

  /// The rows in the order in which their keys were first known.
  package private(set) var rows: [UserMemory]
  private let random: RandomStream

  /// What became of a fact.
  package enum Outcome: Sendable, Equatable {
    /// It is known from now on.
    case updated(UserMemory)
    /// It is not taken: why.
    case refused(MemoryFact, why: String)
  }

  /// Creates a store from the rows that are known.
  package init(seed: UInt64, restoring rows: [UserMemory] = []) {
    self.rows = rows
    random = RandomStream(seed: seed, name: "phone.memory")
  }

  /// What requests carry.
  package var facts: [MemoryFact] { rows.map(\.fact) }

  /// What is to be known from the beginning and is not yet: what the scenario says the runner said, and what holds for
  /// everyone.
  package mutating func begin(with members: [JSONMember], clock: Int64) -> [UserMemory] {
    var added: [UserMemory] = []
    var facts = members.prefix(Self.countMax / 2).map { member in
      MemoryFact(
        kind: .fact, key: member.key, value: member.node.value.placeless, confidence: 1, source: .user)
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

  /// Takes what was learnt from a run.
  package mutating func learn(_ extracted: ExtractedFact, clock: Int64) -> Outcome {
    let (key, value) = Self.entry(of: extracted)
    let fact = MemoryFact(
      kind: extracted.kind, key: key, value: value,
      confidence: min(extracted.confidence, Self.inferredConfidenceMax), source: .aiInferred)
    guard let place = rows.firstIndex(where: { $0.fact.key == key }) else {
      guard rows.count < Self.countMax else { return .refused(fact, why: "full") }
      let row = UserMemory(id: name(key), fact: fact, updatedAt: clock)
      rows.append(row)
      return .updated(row)
    }
    guard rows[place].fact.source != .user else { return .refused(fact, why: "user") }
    rows[place].fact = fact
    rows[place].updatedAt = clock
    return .updated(rows[place])
  }

  /// The key of a fact with its value; a sentence is known under a key of its own.
  private static func entry(of fact: ExtractedFact) -> (key: String, value: JSONValue) {
    if case .object(let members) = fact.value, let member = members.first { return (member.key, member.node.value) }
    let text = String(decoding: JSONWriter.compact(JSONNode(fact.value)), as: UTF8.self)
    return ("\(fact.kind.rawValue).\(AIRequest.digest(of: text).prefix(16))", fact.value)
  }

  private func name(_ key: String) -> Identifier {
    Identifier(random, for: UInt64(AIRequest.digest(of: key).prefix(16), radix: 16) ?? 0)
  }
}
