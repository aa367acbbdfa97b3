import Console
import Link

extension RunOutcome {
  /// The outcome in a sentence without its verdict.
  package var verdictText: String {
    if wasStopped { return "stopped before its end, so not judged" }
    if let environmentFailure { return TerminalText.escape(environmentFailure) }
    if let appFinding { return appFinding.title }
    if let programEnd { return programEnd.text }
    let broken = Set(violations.map(\.invariant)).count
    let judged = expectations.filter(\.result.isJudged)
    let met = judged.filter(\.result.hasPassed).count
    var text =
      broken == 0
      ? "all \(invariantCount) invariants held"
      : "\(StoryText.count(broken, "invariant")) of \(invariantCount) broken"
    if !judged.isEmpty { text += ", \(met) of \(StoryText.count(judged.count, "expectation")) met" }
    if let open = expectations.first(where: { !$0.result.isJudged }) {
      text += ", \(expectations.count - judged.count) \(open.result.why ?? "not judged")"
    }
    return text
  }
}
