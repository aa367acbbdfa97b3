import Console
import Link
import LinkTransport
import Simulator

extension CaseResult {
  /// The results of a sweep: a case for each scenario that no seed broke, for each group of failures, for each situation that no
  /// seed reached, and for each expectation and situation that was not judged.
  ///
  /// - Parameters:
  ///   - seconds: The real time of the whole sweep.
  ///   - judgesSituations: Whether a situation that no seed reached is a failure.
  static func cases(
    of report: SweepReport, _ seeds: SeedRange, seconds: Double, _ end: SweepPool.End, judgesSituations: Bool
  ) -> [CaseResult] {
    var cases: [CaseResult] = []
    for index in report.fileIndices {
      let source = report.sources[index]
      let name = TerminalText.escape(source.scenario.name)
      func add(_ title: String, _ change: (inout CaseResult) -> Void) {
        var result = CaseResult(path: source.path, name: "\(name): \(title)")
        change(&result)
        cases.append(result)
      }
      let groups = report.groups.filter { report.first(like: $0.source) == index }
      let time = seconds / Double(report.fileIndices.count)
      if groups.isEmpty {
        add("seeds \(seeds.text)") { result in
          result.wallSeconds = time
          result.warnings = report.warningTexts(of: index)
          if end == .stopped { result.status = 128 + (StopSignal.number ?? 2) }
        }
      }
      for (number, group) in groups.enumerated() {
        add("\(group.invariant), \(group.circumstances)") { result in
          result.status = 1
          if number == 0 { (result.wallSeconds, result.warnings) = (time, report.warningTexts(of: index)) }
          result.text = "\(StoryText.count(group.count, "seed")), first \(group.first.seed)"
          if let first = group.first.violations.first {
            result.text += ": \(TerminalText.escape(StoryText.shortened(first.detail)))"
          }
          result.seed = group.first.seed
          result.tracePath = group.files?.trace
          result.findings = group.first.violations.prefix(1).map(\.detail)
          result.findings.append("to repeat it: \(report.repeatCommand(of: group))")
        }
      }
      let missing = judgesSituations && end == .complete ? report.missingSituations : []
      for missing in missing where missing.source.path == source.path {
        add(missing.name) { ($0.status, $0.text) = (1, "no seed reached this situation") }
      }
      let situations = source.unjudged.situations.map(\.name)
      for (number, text) in source.unjudged.expectationTexts.enumerated() {
        add(SeedRun.expectationName(number)) { $0.unjudged = "not judged, as \(UnjudgedParts.reason): \(text)" }
      }
      for situation in situations { add(situation) { $0.unjudged = "not judged, as \(UnjudgedParts.reason)" } }
    }
    return cases
  }
}
