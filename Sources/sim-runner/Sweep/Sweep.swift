import Foundation
import Link
import LinkTransport

/// One sweep from its first seed to its report.
struct Sweep {
  let sources: [SweepSource]
  let seeds: SeedRange
  let jobs: Int
  let lines: SweepOutput
  let screen: Screen
  var keepsGoing = false
  var isShrinking = true
  /// Whether the digests of passing seeds are wanted, too.
  var isDigesting = false
  /// How long one seed may take, in seconds of real time.
  var silenceMax = SweepPool.silenceMaxStandard
  /// Where examples of failures go.
  var failures = ""
  /// Where what was met is written; nil for nowhere.
  var coverage: OutputFile?
  var isJSON = false

  init(sources: [SweepSource], seeds: SeedRange, jobs: Int, lines: SweepOutput, screen: Screen) {
    self.sources = sources
    self.seeds = seeds
    self.jobs = jobs
    self.lines = lines
    self.screen = screen
  }

  /// Runs it.
  ///
  /// - Returns: The exit status.
  func run() throws(Failure) -> Int32 {
    let begin = ContinuousClock.now
    let ledger = Ledger(SweepReport(sources))
    let end: SweepPool.End
    do throws(Failure) { end = try sweep(into: ledger, since: begin) } catch {
      screen.endProgress()
      // What is done is done; that it cannot be written either is the smaller trouble.
      try? lines.commit()
      throw error
    }
    screen.endProgress()
    let seconds = begin.secondsSince
    // Before anything else is done: the results are what counts.
    try lines.commit()
    var trouble: Failure?
    if end != .stopped {
      do throws(Failure) {
        try ledger.report.keepExamples(in: failures, isShrinking: isShrinking, screen)
      } catch {
        // Told when all else is.
        trouble = error
      }
      screen.endProgress()
    }
    if let coverage { try write(ledger.report, to: coverage) }
    let wanted = UInt64(sources.count).multipliedReportingOverflow(by: seeds.count).partialValue
    let text = SweepText(
      report: ledger.report, seedsWanted: wanted, seconds: seconds, end: end, isColored: screen.isColored,
      columns: screen.columns)
    screen.show(lines: text.paragraphs.joined(separator: "\n\n"))
    if isJSON { JSONOutput.print(SweepJSON.members(ledger.report, seconds: seconds, end: end)) }
    if let trouble { throw trouble }
    if end == .stopped { return 128 + (StopSignal.number ?? 2) }
    return ledger.report.failedCount > 0 ? 1 : 0
  }

  /// What the sweep's results are entered into, by whoever hears of them.
  private final class Ledger {
    var report: SweepReport
    init(_ report: SweepReport) { self.report = report }
  }

  private func sweep(into ledger: Ledger, since begin: ContinuousClock.Instant) throws(Failure) -> SweepPool.End {
    let pool = SweepPool(sources, parts: sources.map { _ in seeds }, jobs: jobs, stopsAtFailure: !keepsGoing)
    pool.isDigesting = isDigesting
    pool.silenceMax = silenceMax
    let lines = self.lines
    pool.onOutcome = { (outcome) throws(Failure) in
      ledger.report.take(outcome)
      try lines.write(outcome.line.text)
    }
    pool.onCoverage = { source, met in ledger.report.take(met, of: source) }
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

  private func write(_ report: SweepReport, to file: OutputFile) throws(Failure) {
    let object = JSONNode(.object([JSONMember("coverage", JSONOutput.objects(SweepJSON.coverage(report)))]))
    do { try file.write(JSONWriter.compact(object) + [UInt8(ascii: "\n")]) } catch {
      throw .environment("\(file.path): error: the coverage cannot be written: \(error.systemText)")
    }
    try file.commit()
  }
}
