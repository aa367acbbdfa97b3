package import Link

/// An exercise as its athlete logs it, read from the scenario's own keys: what its scores must be.
///
/// It shares no code with the phone.
package struct ReferenceDrill: Sendable, Equatable {
  package var discipline: String
  package var drillType: String
  /// The scores that were entered, by what they judge.
  package var scores: [String: Double]

  private static let judged = [
    "stability", "symmetry", "endurance", "coordination", "breathing", "rhythm", "reaction",
  ]

  /// Reads an act of the user; nil if it logs no exercise.
  package init?(_ act: JSONNode) {
    guard act["do"]?.text == "logDrill", let discipline = act["discipline"]?.text,
      let drillType = act["drillType"]?.text
    else { return nil }
    (self.discipline, self.drillType, scores) = (discipline, drillType, [:])
    for name in Self.judged { scores[name] = act[name]?.double }
    if scores["stability"] == nil {
      // Only the sets that were scored say something.
      var (sum, count) = (0.0, 0.0)
      for set in act["sets"]?.elements ?? [] {
        guard let score = set["score"]?.double else { continue }
        sum += score
        count += 1
      }
      if count > 0 { scores["stability"] = sum / count }
    }
    if drillType == "balance" { scores["balance"] = scores["stability"] }
  }

  /// What is wrong with the scores that a phone has of it; nil if they are right.
  package func flaw(of stated: JSONNode) -> (name: String, stated: Double?, entered: Double?)? {
    var found: [String: Double] = [:]
    if case .object(let members) = stated.value {
      for member in members { found[member.key] = member.node.double ?? .nan }
    }
    for name in Set(found.keys).union(scores.keys).sorted() {
      if let one = found[name], let other = scores[name], abs(one - other) <= 1e-6 { continue }
      return (name, found[name], scores[name])
    }
    return nil
  }
}
