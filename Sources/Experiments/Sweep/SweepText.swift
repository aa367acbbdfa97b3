import Console
import Foundation
import Link
package import Simulator

/// A sweep's report as text.
struct SweepText {
  let report: SweepReport
  /// The requested seeds of each scenario.
  let seeds: SeedRange
  /// Number of requested seeds of all scenarios.
  let seedsWanted: UInt64
  let seconds: Double
  let end: SweepPool.End
  var isColored: Bool
  let columns: Int

  /// All paragraphs: the failures, the coverage, the totals.
  var paragraphs: [String] {
    var paragraphs = report.groups.enumerated().map { index, group in paragraph(index, group) }
    if report.ungroupedCount > 0 {
      paragraphs.append("and \(StoryText.count(report.ungroupedCount, "failure")) of further kinds")
    }
    paragraphs += hidden.map { [$0] } ?? []
    for index in report.fileIndices {
      let (source, coverage) = (report.sources[index], report.coverage[index])
      let kinds = FaultCoverage.kinds(of: source.scenario)
      let name = report.sources.count > 1 ? " in \(TerminalText.escape(source.scenario.name))" : ""
      if !source.scenario.appRoles.isEmpty {
        if let line = Self.strikes(coverage, kinds, name) {
          paragraphs.append(wrap(line, to: columns).joined(separator: "\n"))
        }
      } else if let table = Self.table(coverage, kinds) {
        paragraphs.append("Faults met\(name), by channel: b before the run, r running, p paused, a after it\n" + table)
      }
    }
    for index in report.fileIndices {
      if let table = situations(of: index) { paragraphs.append(table) }
    }
    if let warnings { paragraphs.append(warnings) }
    paragraphs.append(sum)
    return paragraphs
  }

  /// What could not matter in any seed; nil for nothing.
  private var warnings: String? {
    let lines = report.fileIndices.flatMap { index in
      let name = report.sources.count > 1 ? "\(TerminalText.escape(report.sources[index].scenario.name)): " : ""
      return report.warningTexts(of: index).flatMap { wrap("warning: in every seed: \(name)\($0)", to: columns) }
    }
    return lines.isEmpty
      ? nil : lines.map { Terminal.styled($0, [.yellow], when: isColored) }.joined(separator: "\n")
  }

  /// The situations of a source with the seeds that reached them; nil if it declares none.
  private func situations(of index: Int) -> String? {
    let situations = report.sources[index].scenario.situations
    guard !situations.isEmpty else { return nil }
    let name = report.sources.count > 1 ? " in \(TerminalText.escape(report.sources[index].scenario.name))" : ""
    let lines = zip(situations, report.censuses[index].counts).map { situation, count in
      let text = count == 0 ? "no seed" : StoryText.count(count, "seed")
      let line = "  \(TerminalText.escape(situation.name)): \(text)"
      return count == 0 ? Terminal.styled(line, [.red], when: isColored) : line
    }
    return "Situations reached\(name)\n" + lines.joined(separator: "\n")
  }

  /// What failed behind another failure in each of its runs; nil for nothing.
  private var hidden: String? {
    let hidden = report.hidden
    guard !hidden.isEmpty else { return nil }
    let lines = hidden.flatMap { one in
      let prefix =
        report.sources.count > 1 ? "\(TerminalText.escape(report.sources[one.source].scenario.name)): " : ""
      let seeds = one.seeds.map { String($0) }.joined(separator: ", ") + (one.count > one.seeds.count ? ", ..." : "")
      let text =
        "\(prefix)\(one.finding.invariant): \(StoryText.count(one.count, "seed")) (\(seeds)): "
        + TerminalText.escape(one.finding.detail)
      return wrap(text, to: columns - 2).map { "  " + $0 }
    }
    let title = Terminal.styled("Failed, too, behind these in each run", [.red], when: isColored)
    return ([title] + lines).joined(separator: "\n")
  }

  private func paragraph(_ index: Int, _ group: SweepReport.Group) -> String {
    let source = report.sources[group.source]
    let prefix = report.sources.count > 1 ? "\(TerminalText.escape(source.scenario.name)): " : ""
    let title =
      "\(index + 1). \(prefix)\(report.title(of: group)): "
      + "\(StoryText.count(group.count, "seed")) (\(seeds(group)))"
    var lines = wrap(title, to: columns).map { Terminal.styled($0, [.red], when: isColored) }
    if let finding = group.first.violations.first {
      let moment = VirtualTime(nanoseconds: max(0, finding.time)).text
      lines += wrap("seed \(group.first.seed) at \(moment): \(report.reason(of: group))", to: columns - 3)
        .map { "   " + $0 }
    }
    if let files = group.files {
      let trouble = group.shrinkTrouble.map { " (the shrinker failed: \(TerminalText.escape($0)))" } ?? ""
      let how =
        group.shrunk.map { "shrunk to \($0.summary) in \(StoryText.count($0.runs, "run"))" } ?? "as it was\(trouble)"
      lines.append("   \(how): \(files.scenario)")
      if let trace = files.trace { lines.append("   trace of the seed: \(trace)") }
      if let bundle = files.bundle { lines.append("   both, to hand on: \(bundle)") }
    }
    if let cause = group.cause {
      let first = report.firstGroup(ofCauseOf: index).map { ", of one cause with \($0 + 1)" } ?? ""
      lines += wrap("needs \(TerminalText.escape(cause.text))\(first)", to: columns - 3).map { "   " + $0 }
    }
    lines.append("   to repeat it: \(report.repeatCommand(of: group))")
    return lines.joined(separator: "\n")
  }

  private func seeds(_ group: SweepReport.Group) -> String {
    group.seeds.map { String($0) }.joined(separator: ", ") + (group.count > group.seeds.count ? ", ..." : "")
  }

  /// The sum without colours.
  var plainSum: String {
    var copy = self
    copy.isColored = false
    return copy.sum
  }

  /// How much of the scenarios was not judged, and why; nil if all was.
  private var unjudged: String? {
    let sources = report.unjudgedSources
    guard let count = UnjudgedParts.count(sources.map(\.unjudged)) else { return nil }
    let files = sources.count > 1 ? " of \(StoryText.count(sources.count, "scenario"))" : ""
    return "\(count)\(files) not judged: \(UnjudgedParts.reason)"
  }

  private var sum: String {
    let passed = report.seedCount - report.failedCount
    let rate = Int((Double(report.seedCount) / max(seconds, 1e-6)).rounded())
    let style: Terminal.Style = report.failedCount > 0 ? .red : end == .complete ? .green : .yellow
    var text = "\(StoryText.count(passed)) of \(StoryText.count(report.seedCount, "seed")) passed"
    if report.failedCount > 0 {
      text += ", \(StoryText.count(report.failedCount)) failed in \(StoryText.count(report.groups.count, "group"))"
      if let causes = report.causeCount, causes < report.groups.count {
        text += " of \(StoryText.count(causes, "cause"))"
      }
    }
    text = Terminal.styled(text, [style], when: isColored)
    let missing = report.missingSituations.count
    if missing > 0, end == .complete {
      text += Terminal.styled(", \(StoryText.count(missing, "situation")) never reached", [.red], when: isColored)
    }
    let warnings = report.fileIndices.reduce(0) { $0 + report.warningTexts(of: $1).count }
    if warnings > 0 {
      text += Terminal.styled(", \(StoryText.count(warnings, "warning"))", [.yellow], when: isColored)
    }
    text += String(format: " in %.2f s, %@ a second", seconds, StoryText.count(rate))
    let left = seedsWanted - UInt64(report.seedCount)
    switch end {
    // Strategies other than random do not draw independently.
    case .complete where report.sources.allSatisfy { $0.strategy == .random }:
      let sentence = SweepConfidence.sentence(failed: report.failedCount, of: report.seedCount)
      text += sentence.map { "; " + $0 } ?? ""
    case .complete: break
    case .atFailure where left > 0:
      text += "; stopped at the first failure, \(StoryText.count(Int(clamping: left), "seed")) not run (--keep-going)"
    case .atFailure: break
    case .stopped: text += "; stopped, \(StoryText.count(Int(clamping: left), "seed")) not run"
    }
    if let unjudged { text += "; " + Terminal.styled(unjudged, [.yellow], when: isColored) }
    return text
  }

  /// Which kinds of faults struck apps, which have no phases that the simulator knows; nil if there are no faults.
  static func strikes(_ coverage: FaultCoverage, _ kinds: [Int], _ name: String = "") -> String? {
    guard !kinds.isEmpty else { return nil }
    let never = kinds.filter { coverage.struck[$0] == 0 }.map { FaultCoverage.kinds[$0] }
    let met = kinds.filter { coverage.struck[$0] > 0 }.map { FaultCoverage.kinds[$0] }
    let heading = "Faults that struck\(name): \(met.isEmpty ? "none" : met.joined(separator: ", "))"
    return never.isEmpty ? heading : "\(heading); never: \(never.joined(separator: ", "))"
  }

  /// A row for each kind, a column for each channel; nil if there are no faults.
  static func table(_ coverage: FaultCoverage, _ kinds: [Int]) -> String? {
    guard !kinds.isEmpty else { return nil }
    let channels = Channel.allCases.filter { channel in
      kinds.contains { FaultCoverage.channels(of: $0).contains(channel) }
    }
    var rows = [[""] + channels.map(\.text)]
    var (all, never) = (0, 0)
    for kind in kinds {
      var row = [FaultCoverage.kinds[kind]]
      for channel in channels {
        guard FaultCoverage.channels(of: kind).contains(channel) else {
          row.append("")
          continue
        }
        all += RunPhase.allCases.count
        row.append(
          RunPhase.allCases.map { phase in
            if coverage[kind, channel, phase] > 0 { return String(phase.text.prefix(1)) }
            never += 1
            return "-"
          }.joined())
      }
      rows.append(row)
    }
    return PlainText.columns(rows, indent: 2).joined(separator: "\n")
      + "\n  \(StoryText.count(all - never)) of \(StoryText.count(all)) met, \(StoryText.count(never)) never"
  }
}

/// The warnings that all of some seeds have in common, as the first of these seeds words them.
package struct CommonWarnings: Equatable, Sendable {
  /// Nil before the first seed.
  private(set) var list: [RunWarnings.Warning]?

  package init() {}

  /// Whether no further seed can leave a warning.
  package var isSettled: Bool { list?.isEmpty == true }

  /// Adds those of the next seeds.
  package mutating func add(_ other: [RunWarnings.Warning]) {
    guard let list else { return self.list = other }
    self.list = list.filter { known in other.contains { $0.subject == known.subject } }
  }

  /// Adds those of later seeds.
  mutating func add(_ other: CommonWarnings) {
    if let list = other.list { add(list) }
  }

  /// The warnings as text for ``init(_:)``.
  package var text: String {
    let pairs = (list ?? []).map { JSONNode(.texts([$0.subject, $0.text])) }
    return String(decoding: JSONWriter.compact(JSONNode(.array(pairs))), as: UTF8.self)
  }

  /// Reads ``text``; nil for anything else.
  init?(_ text: Substring) {
    guard let node = try? JSONParser.parse(String(text), dialect: .json) else { return nil }
    list = node.elements.compactMap { pair in
      let texts = pair.elements.compactMap(\.text)
      guard texts.count == 2 else { return nil }
      return RunWarnings.Warning(subject: texts[0], text: texts[1])
    }
  }
}
