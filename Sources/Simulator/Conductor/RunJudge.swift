import Console
package import Link

/// Judges a run as it goes: the invariants and the scenario's expectations.
package struct RunJudge {
  private var judge: Judge
  private var expectations: ExpectationJudge?
  /// The checks of apps that the scenario switches on.
  var checks: [AppCheckJudge] = []
  private var untaken = UntakenActs()

  /// Number of invariants.
  package static let invariantCount = Invariants.linked.all.count

  /// The last line; tracked only with checks.
  private var last: (line: Int, time: VirtualTime) = (1, .start)

  /// How many invariants judge the run of a header.
  static func invariantCount(_ header: TraceHeader) -> Int {
    ProgramsHeader.hasAppAsPhone(header) ? Invariants.linked.ofLink.all.count : invariantCount
  }

  /// A judge with all checkers.
  ///
  /// Its header has nothing that differs between two seeds of a scenario, so one judge can be copied for each seed.
  ///
  /// - Parameter acts: How many acts of users the run has.
  package init(header: TraceHeader, expectations: [ReadExpectation] = [], acts: Int = 0) {
    var header = header
    header.seed = 0
    header.faults = JSONNode(.array([]))
    let linked = Invariants.linked
    // The coach's invariants do not apply to a run whose phone is an app.
    judge = Judge(
      header: header, parts: ProgramsHeader.hasAppAsPhone(header) ? [linked.ofLink] : [linked.ofLink, linked.ofCoach])
    self.expectations = expectations.isEmpty ? nil : ExpectationJudge(expectations, acts: acts)
  }

  /// A judge of a scenario's runs.
  package init(_ scenario: Scenario) {
    let drawn = scenario.drawn
    self.init(header: drawn.header, expectations: scenario.expectations, acts: drawn.acts.count)
  }

  /// Observes an event that comes as a value; false, and nothing is observed, if somebody wants it in a `TraceEvent`.
  mutating func observe<Kind: FrequentKind>(
    value event: Kind, at time: VirtualTime, on place: TraceEvent.Place, line: Int
  ) -> Bool {
    guard checks.isEmpty, expectations?.reads(Kind.self) != true else { return false }
    judge.observe(value: event, at: time, on: place, line: line)
    return true
  }

  mutating func observe(_ event: TraceEvent, line: Int) {
    judge.observe(event, line: line)
    expectations?.observe(event, line: line)
    untaken.observe(event, line: line)
    for index in checks.indices { checks[index].observe(event, line: line) }
    if !checks.isEmpty { last = (line, event.time) }
  }

  /// The results of invariants and expectations; call it once.
  mutating func finish() -> RunJudgement {
    let judgement = judge.finish()
    let answers = (expectations?.finish(judge.ending) ?? []).map { JudgedExpectation(node: $0.node, result: $0.result) }
    var verdict = judgement.verdict
    let broken = checks.flatMap { $0.violations(at: last.time, line: last.line) } + untaken.violations
    if !broken.isEmpty { verdict = .fail }
    if answers.contains(where: { $0.result.outcome == .fail }) {
      verdict = .fail
    } else if verdict == .pass, answers.contains(where: { $0.result.outcome == .unknown }) {
      verdict = .unknown
    }
    return RunJudgement(verdict: verdict, violations: judgement.violations + broken, expectations: answers)
  }
}

/// The results of judging a run.
struct RunJudgement {
  var verdict: Judgement.Verdict
  var violations: [Violation] = []
  var expectations: [JudgedExpectation] = []
}

/// An expectation as written, with its answer.
package struct JudgedExpectation {
  package var node: JSONNode
  package var result: ExpectationResult

  /// The expectation as canonical JSON text.
  package var text: String { String(decoding: JSONWriter.compact(node), as: UTF8.self) }
}

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

extension Invariants {
  /// The invariants that this program was linked with.
  package static let linked = linkedInvariants()
}

/// Defined by the target `CoachCheckers`, which nothing here imports.
///
/// If `Simulator` imported the checkers, a change to one would compile four targets that do not use it: 150 s and more of a
/// release build instead of 15 (docs/decisions/0119).
@_silgen_name("wristwire_invariants")
private func linkedInvariants() -> Invariants
