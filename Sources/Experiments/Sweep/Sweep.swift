import Simulator
package import Console
import Foundation
import Link
import LinkTransport

/// One sweep from its first seed to its report.
package struct Sweep {
  let sources: [SweepSource]
  var seeds: SeedRange
  let jobs: Int
  let lines: SweepOutput
  let screen: Screen
  package var keepsGoing = false
  package var isShrinking = true
  /// Whether the digests of passing seeds are wanted too.
  package var isDigesting = false
  /// How long one seed may take, in seconds of real time.
  package var silenceMax = SweepPool.silenceMaxStandard
  /// The folder for examples of failures.
  package var failures = ""
  /// The file for the fault coverage, if any.
  package var coverage: OutputFile?
  /// Where failures are written for a build server; nil for nowhere.
  package var quality: OutputFile?
  /// Where the results are written as JUnit XML; nil for nowhere.
  package var junit: OutputFile?
  /// The page of the results, if any.
  package var page: ResultPage?
  package var isJSON = false
  /// Whether a situation that no seed reached fails the sweep: a shard does not know what the others reach.
  package var judgesSituations = true

  package init(sources: [SweepSource], seeds: SeedRange, jobs: Int, lines: SweepOutput, screen: Screen) {
    self.sources = sources
    self.seeds = seeds
    self.jobs = jobs
    self.lines = lines
    self.screen = screen
  }

  /// Runs it.
  ///
  /// - Returns: The exit status.
  package func run() throws(Failure) -> Int32 {
    let begin = ContinuousClock.now
    let ledger = Ledger(SweepReport(sources))
    let end: SweepPool.End
    do throws(Failure) { end = try sweep(into: ledger, since: begin) } catch {
      screen.endProgress()
      // Commits the results so far; the first error matters more than one here.
      try? lines.commit()
      throw error
    }
    screen.endProgress()
    let seconds = begin.secondsSince
    ledger.report.isComplete = end == .complete
    // First of all: the results are what counts.
    try lines.commit()
    // Reported after everything else.
    var trouble = ledger.trouble
    if end != .stopped {
      do throws(Failure) {
        try ledger.report.completeExamples(in: failures, isShrinking: isShrinking, screen)
        // What could not be saved at once is saved by now.
        trouble = nil
      } catch {
        trouble = error
      }
      screen.endProgress()
    }
    if let coverage { try write(ledger.report, to: coverage) }
    let wanted = UInt64(sources.count).multipliedReportingOverflow(by: seeds.count).partialValue
    let text = SweepText(
      report: ledger.report, seeds: seeds, seedsWanted: wanted, seconds: seconds, end: end, isColored: screen.isColored,
      columns: screen.columns)
    let isComplete = end == .complete && ledger.report.missingSituations.isEmpty
    if !screen.isQuiet || ledger.report.failedCount > 0 || !isComplete {
      screen.show(lines: text.paragraphs.joined(separator: "\n\n"))
    }
    let found = BuildFinding.findings(ledger.report)
    if let junit {
      let cases = CaseResult.cases(of: ledger.report, seeds, seconds: seconds, end, judgesSituations: judgesSituations)
      try junit.finish(Array(JUnitReport.text(cases).utf8))
    }
    if let quality { try CodeQualityReport.write(found, to: quality) }
    GitHubReport(Terminal.environment)?.publish(
      found, title: "sim-runner sweep: \(text.plainSum)",
      table: [["verdict", "failure", "why", "seeds", "shrunk scenario"]]
        + ledger.report.groups.map {
          [
            "FAIL", "\($0.invariant), \($0.circumstances)",
            TerminalText.escape(StoryText.shortened($0.first.violations.first?.detail ?? "")),
            StoryText.count($0.count), $0.files?.scenario ?? "",
          ]
        })
    if let page { try write(ledger.report, text, to: page) }
    if isJSON { JSONOutput.print(SweepJSON.fields(ledger.report, seconds: seconds, end: end)) }
    if let trouble { throw trouble }
    if end == .stopped { return 128 + (StopSignal.number ?? 2) }
    let isMissing = judgesSituations && end == .complete && !ledger.report.missingSituations.isEmpty
    return ledger.report.failedCount > 0 || isMissing ? 1 : 0
  }

  /// Collects the sweep's results.
  private final class Ledger {
    var report: SweepReport
    /// Why an example could not be saved when its failure was found, if any.
    var trouble: Failure?
    init(_ report: SweepReport) { self.report = report }
  }

  private func sweep(into ledger: Ledger, since begin: ContinuousClock.Instant) throws(Failure) -> SweepPool.End {
    for source in sources { try source.scenario.checkFiles() }
    let pool = SweepPool(sources, parts: sources.map { _ in seeds }, jobs: jobs, stopsAtFailure: !keepsGoing)
    pool.isDigesting = isDigesting
    pool.silenceMax = silenceMax
    let lines = self.lines
    pool.onOutcome = { (outcome) throws(Failure) in
      let group = ledger.report.add(outcome)
      try lines.write(outcome.line.text)
      guard let group else { return }
      // At once: whatever happens to the sweep, the failure is on disk.
      do throws(Failure) { try ledger.report.save(group, in: failures) } catch {
        ledger.trouble = ledger.trouble ?? error
      }
    }
    pool.onCensus = { source, census in ledger.report.add(census, of: source) }
    pool.onWarnings = { source, warnings in ledger.report.add(warnings, of: source) }
    pool.onCoverage = { source, met in ledger.report.add(met, of: source) }
    let total = Double(sources.count) * Double(seeds.count)
    pool.onProgress = { (done) throws(Failure) in
      if lines.isOnStandardOutput { try lines.flush() }
      screen.progress { Self.progress(done, of: total, failed: ledger.report.failedCount, since: begin) }
    }
    return try pool.run()
  }

  private static func progress(
    _ done: Int, of total: Double, failed: Int, since begin: ContinuousClock.Instant
  ) -> String {
    let seconds = max(begin.secondsSince, 1e-3)
    let rate = Double(done) / seconds
    let left = rate > 0 ? (total - Double(done)) / rate : 0
    var text = "\(StoryText.count(done)) of \(StoryText.count(Int(min(total, 1e15)))) seeds"
    if failed > 0 { text += ", \(StoryText.count(failed)) failed" }
    text += ", \(StoryText.count(Int(rate.rounded()))) a second"
    return text + ", \(StoryText.clock(seconds: Int64(min(left, 1e9).rounded()))) left"
  }

  private func write(_ report: SweepReport, _ text: SweepText, to page: ResultPage) throws(Failure) {
    var page = page
    page.summary = text.plainSum
    // A sweep that stopped at a failure says nothing of how often it fails.
    let isWhole = report.isComplete && report.seedCount > 0
    page.problems = report.groups.enumerated().map { index, group in
      var details = group.first.violations.first.map { finding in
        ["seed \(group.first.seed) at \(VirtualTime(nanoseconds: max(0, finding.time)).text): \(finding.detail)"]
      }
      if isWhole { details?.append(RateText.sentence(failed: group.count, of: report.seedCount)) }
      if let cause = group.cause {
        let first = report.firstGroup(ofCauseOf: index).map { ", of one cause with problem \($0 + 1)" } ?? ""
        details?.append("needs \(cause.text)\(first)")
      }
      return ResultPage.Problem(
        title: "\(report.sources[group.source].scenario.name): \(group.invariant), \(group.circumstances): "
          + StoryText.count(group.count, "seed"),
        details: details ?? [], repeatCommand: report.repeatCommand(of: group), scenario: group.files?.scenario,
        trace: group.files?.trace, bundle: group.files?.bundle, seeds: group.seeds)
    }
    page.isRate = isWhole
    page.tables = [
      ResultPage.Table(
        title: "Scenarios", rows: [["scenario", "seeds"]] + sources.map { [$0.scenario.name, seeds.text] })
    ]
    let unjudged = report.unjudgedSources.flatMap { source in
      (source.unjudged.expectationTexts + source.unjudged.situations.map(\.name)).map { [source.scenario.name, $0] }
    }
    let warnings = report.fileIndices.flatMap { index in
      report.warningTexts(of: index).map { [report.sources[index].scenario.name, $0] }
    }
    page.tables.append(ResultPage.Table(title: "Warnings", rows: [["scenario", "in every seed"]] + warnings))
    page.tables.append(
      ResultPage.Table(
        title: "Not judged: \(UnjudgedParts.reason)", rows: [["scenario", "expectation or situation"]] + unjudged))
    for index in report.fileIndices {
      let (source, coverage) = (report.sources[index], report.coverage[index])
      let kinds = FaultCoverage.kinds(of: source.scenario)
      if !source.scenario.appRoles.isEmpty {
        let rows = kinds.map { [FaultCoverage.kinds[$0], "\(coverage.struck[$0])"] }
        page.tables.append(
          ResultPage.Table(
            title: "Faults that struck in \(source.scenario.name)",
            rows: kinds.isEmpty ? [] : [["fault", "seeds"]] + rows))
        continue
      }
      page.matrices.append(
        ResultMatrix(
          title: "Faults met in \(source.scenario.name)", coverage: coverage, kinds: kinds,
          seeds: report.seedCounts[index]))
    }
    try page.write(
      ResultHistory.Entry(
        command: CommandName.sweep, at: Date.now.formatted(.iso8601),
        commit: CommitName.find(ProcessInfo.processInfo.environment), runs: Int64(report.seedCount),
        failed: Int64(report.failedCount), seconds: text.seconds))
  }

  /// Sweeps one range of seeds after another, each as long as the first, until a signal comes.
  ///
  /// - Parameter isEndedByFailure: Whether a range with a failing seed is the last one.
  /// - Returns: The exit status of the last range.
  package mutating func runForever(isEndedByFailure: Bool) throws(Failure) -> Int32 {
    while true {
      let status = try run()
      guard status == 0 || status == 1 && !isEndedByFailure else { return status }
      let (upper, overflow) = seeds.upper.addingReportingOverflow(seeds.count)
      guard !overflow else { return status }
      seeds = SeedRange(lower: seeds.upper, upper: upper)
    }
  }

  private func write(_ report: SweepReport, to file: OutputFile) throws(Failure) {
    let object = JSONNode(.fields(["coverage": SweepJSON.coverage(report)]))
    try file.finish(JSONWriter.compact(object) + [UInt8(ascii: "\n")])
  }
}
