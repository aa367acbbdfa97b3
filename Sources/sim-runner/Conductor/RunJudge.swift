import Link
import PhoneSim

/// Who judges a run as it goes: the invariants and the scenario's expectations.
struct RunJudge {
  private var judge: Judge
  private var expectations: ExpectationJudge?

  private static let catalog = CheckerSet(CheckerCatalog.all + CoachCheckerCatalog.all)

  /// How many invariants there are.
  static var invariantCount: Int { CheckerCatalog.all.count + CoachCheckerCatalog.all.count }

  /// A judge with every checker there is.
  ///
  /// Of the header it sees nothing that differs between two seeds of a scenario, so that one judge can be made for all
  /// of them and copied for each.
  init(header: TraceHeader, expectations: [ReadExpectation] = []) {
    var header = header
    header.seed = 0
    header.faults = JSONNode(.array([]))
    judge = Judge(header: header, checkers: Self.catalog)
    self.expectations = expectations.isEmpty ? nil : ExpectationJudge(expectations)
  }

  mutating func observe(_ event: TraceEvent, line: Int) {
    judge.observe(event, line: line)
    expectations?.observe(event, line: line)
  }

  /// What the invariants and the expectations came to; call it once.
  mutating func finish() -> RunJudgement {
    let judgement = judge.finish()
    let answers = (expectations?.finish(judge.ending) ?? []).map { JudgedExpectation(node: $0.node, result: $0.result) }
    var verdict = judgement.verdict
    if answers.contains(where: { $0.result.outcome == .fail }) {
      verdict = .fail
    } else if verdict == .pass, answers.contains(where: { $0.result.outcome == .unknown }) {
      verdict = .unknown
    }
    return RunJudgement(verdict: verdict, violations: judgement.violations, expectations: answers)
  }
}

/// What the judging of a run came to.
struct RunJudgement {
  var verdict: Judgement.Verdict
  var violations: [Violation] = []
  var expectations: [JudgedExpectation] = []
}

/// An expectation as it was written, with its answer.
struct JudgedExpectation {
  var node: JSONNode
  var result: ExpectationResult

  /// The expectation as canonical JSON text.
  var text: String { String(decoding: JSONWriter.compact(node), as: UTF8.self) }
}
