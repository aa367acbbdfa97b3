import Link

/// Acts of the scenario's user that reached an app and that no handler took.
///
/// What the scenario says did not happen then, so an expectation that holds proves nothing.
package struct UntakenActs: Sendable {
  /// The name of its violations.
  package static let invariant = "app-actTaken"
  /// The most that are listed.
  private static let countMax = 5
  /// The `kind` of the lines `app.finding` about such acts.
  private static let finding = "act"

  private(set) var violations: [Violation] = []

  mutating func observe(_ event: TraceEvent, line: Int) {
    guard case .appFinding(let finding) = event.body, finding.kind == Self.finding, event.isBelieved,
      violations.count < Self.countMax
    else { return }
    violations.append(
      Violation(
        invariant: Self.invariant, time: event.time, detail: "the \(event.place.text): \(finding.text)", lines: [line]))
  }
}
