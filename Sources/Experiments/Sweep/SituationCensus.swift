package import Simulator
import Console
package import Link

/// In how many seeds each situation of a scenario was reached.
package struct SituationCensus: Equatable, Sendable {
  /// By the situations' order in the scenario.
  package private(set) var counts: [Int]

  package init(_ scenario: Scenario) { counts = [Int](repeating: 0, count: scenario.situations.count) }

  /// Adds what one run reached.
  package mutating func add(_ reached: SituationsReached) {
    for (index, isReached) in reached.flags.enumerated() where isReached { counts[index] += 1 }
  }

  /// Adds what other runs of the scenario reached.
  mutating func add(_ other: SituationCensus) {
    for index in counts.indices { counts[index] += other.counts[index] }
  }

  /// The counts as text for ``init(_:of:)``.
  package var text: String { counts.map(String.init).joined(separator: " ") }

  /// Reads ``text``; nil for anything else.
  init?(_ text: Substring, of scenario: Scenario) {
    let numbers = text.split(separator: " ").compactMap { Int($0) }
    guard numbers.count == scenario.situations.count, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
    counts = numbers
  }

  /// The names of the situations that no seed reached.
  func missing(of scenario: Scenario) -> [String] {
    zip(scenario.situations, counts).filter { $0.1 == 0 }.map { $0.0.name }
  }
}

/// What one run reached.
package final class SituationsReached {
  private let situations: [Situation]
  /// By the situations' order in the scenario.
  private(set) var flags: [Bool]

  package init(_ scenario: Scenario) {
    situations = scenario.situations
    flags = situations.map { _ in false }
  }

  /// Observes the next event.
  package func observe(_ event: TraceEvent) {
    for (index, situation) in situations.enumerated() where !flags[index] && situation.isReached(by: event) {
      flags[index] = true
    }
  }

  /// By name, for a line of a sweep's results.
  var named: [SweepLine.ReachedSituation] { Self.named(situations, flags) }

  /// The flags as text for ``named(_:of:)``: a digit for each, 1 for reached.
  package var text: String { flags.map { $0 ? "1" : "0" }.joined() }

  /// Reads ``text``; nil for anything else.
  static func named(_ text: Substring, of scenario: Scenario) -> [SweepLine.ReachedSituation]? {
    guard text.utf8.count == scenario.situations.count, text.allSatisfy({ $0 == "0" || $0 == "1" }) else { return nil }
    return named(scenario.situations, text.map { $0 == "1" })
  }

  private static func named(_ situations: [Situation], _ flags: [Bool]) -> [SweepLine.ReachedSituation] {
    zip(situations, flags).map { SweepLine.ReachedSituation(name: $0.name, isReached: $1) }
  }

  /// What was reached and what was not, as a row of a run's summary; nil without situations.
  package var summary: String? {
    guard !situations.isEmpty else { return nil }
    let missing = zip(situations, flags).filter { !$0.1 }.map { "\"\(TerminalText.escape($0.0.name))\"" }
    let sum = "reached \(flags.count(where: \.self)) of \(StoryText.count(flags.count, "situation"))"
    return missing.isEmpty ? sum : "\(sum); not \(missing.joined(separator: ", "))"
  }
}
