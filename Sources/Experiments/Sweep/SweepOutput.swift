package import Console
import Foundation
import Link
import LinkTransport
import Simulator

/// The destination of a sweep's lines: a file, standard output, or none.
package final class SweepOutput {
  private let file: OutputFile?
  /// Whether they go to standard output, which is then reserved for them.
  package let isOnStandardOutput: Bool
  private var buffer: [UInt8] = []

  /// - Parameters:
  ///   - path: The file; `-` for standard output; nil for standard output unless it is a terminal.
  ///   - isJSON: Whether standard output is reserved for another object.
  package init(_ path: String?, isJSON: Bool) throws(Failure) {
    if let path, path != "-" {
      file = try OutputFile(path, as: .results)
      isOnStandardOutput = false
      return
    }
    if path == "-", isJSON {
      throw .input("--out - and --json cannot be combined: both write to standard output")
    }
    file = nil
    isOnStandardOutput = path == "-" || !isJSON && !Terminal.isTerminal
  }

  package func write(_ line: String) throws(Failure) {
    guard file != nil || isOnStandardOutput else { return }
    buffer += line.utf8
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count > 1 << 16 { try flush() }
  }

  /// Flushes the buffer.
  func flush() throws(Failure) {
    if let file {
      try file.put(buffer)
    } else if isOnStandardOutput {
      // The reader has closed its end, as in `| head`: further seeds would be useless.
      let code = Terminal.write(String(decoding: buffer, as: UTF8.self), to: 1)
      guard code == 0 else {
        buffer.removeAll()
        throw .environment("standard output: error: the results cannot be written: \(SystemText.of(code))")
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Moves the file to its final name.
  package func commit() throws(Failure) {
    try flush()
    try file?.commit()
  }
}

/// A sweep's report and fault coverage as JSON.
enum SweepJSON {
  /// The one object of `--json`.
  static func fields(_ report: SweepReport, seconds: Double, end: SweepPool.End) -> JSONFields {
    let ending: String =
      switch end {
      case .complete: "complete"
      case .atFailure: "failure"
      case .stopped: "stopped"
      }
    return [
      "version": JSONOutput.version, "seeds": .count(report.seedCount), "failed": .count(report.failedCount),
      "ended": .string(ending),
      "wallSeconds": .decimal(seconds), "groups": .objects(report.groups) { group($0, report) },
      "coverage": coverage(report), "situations": situations(report),
      "warnings": warnings(report), "notJudged": report.unjudgedSources.isEmpty ? nil : unjudged(report),
      "confidence": confidence(report, end),
    ]
  }

  /// What could not matter in any seed; nil for nothing.
  private static func warnings(_ report: SweepReport) -> JSONValue? {
    let all = report.fileIndices.flatMap { index in report.warningTexts(of: index).map { (index, $0) } }
    guard !all.isEmpty else { return nil }
    return .objects(all) { index, text in
      ["scenario": .string(report.sources[index].scenario.name), "warning": .string(text)]
    }
  }

  /// What was not judged of each scenario, and why.
  private static func unjudged(_ report: SweepReport) -> JSONValue {
    .objects(report.unjudgedSources) { source in
      [
        "scenario": .string(source.scenario.name), "expectations": .texts(source.unjudged.expectationTexts),
        "situations": .texts(source.unjudged.situations.map(\.name)), "why": .string(UnjudgedParts.reason),
      ]
    }
  }

  /// The failure rate with its interval; nil for a sweep that says nothing about other seeds.
  private static func confidence(_ report: SweepReport, _ end: SweepPool.End) -> JSONValue? {
    let (failed, seeds) = (report.failedCount, report.seedCount)
    // Strategies other than random do not draw independently.
    guard end == .complete, seeds >= SweepConfidence.seedsMin, report.sources.allSatisfy({ $0.strategy == .random })
    else { return nil }
    let interval = SweepConfidence.interval(failed: failed, of: seeds)
    return .fields([
      "level": .decimal(SweepConfidence.level), "rate": share(Double(failed) / Double(seeds)),
      "low": share(interval.lowerBound), "high": share(interval.upperBound),
      "cleanSeeds": failed > 0 ? .count(SweepConfidence.cleanSeeds(failed: failed, of: seeds)) : nil,
      "cleanSeedsMax": failed > 0 ? .count(SweepConfidence.cleanSeedsMax(failed: failed, of: seeds)) : nil,
    ])
  }

  /// A rate to six decimals: one seed in a thousand is a frequent failure.
  private static func share(_ rate: Double) -> JSONValue { .plain((rate * 1_000_000).rounded() / 1_000_000) }

  private static func group(_ group: SweepReport.Group, _ report: SweepReport) -> JSONFields {
    let finding = group.first.violations.first
    return [
      "scenario": .string(report.sources[group.source].scenario.name), "invariant": .string(group.invariant),
      "circumstances": .string(group.circumstances), "count": .count(group.count),
      "seeds": .texts(group.seeds.map { String($0) }), "t": .count(finding?.time), "detail": .text(finding?.detail),
      "cause": group.cause.map { _ in .count(group.causeNumber) }, "needs": group.cause.map { .string($0.text) },
      "saved": group.files.map { .string($0.scenario) }, "trace": group.files?.trace.map { .string($0) },
      "bundle": group.files?.bundle.map { .string($0) },
      "faults": group.shrunk.map { .count($0.scenario.faults.count) },
      "faultsBefore": group.shrunk.map { .count($0.faultsBefore) }, "runs": group.shrunk.map { .count($0.runs) },
    ]
  }

  /// In how many seeds each kind of fault met each channel in each phase, or struck apps: one object for each scenario,
  /// zeros included.
  static func coverage(_ report: SweepReport) -> JSONValue {
    .objects(report.fileIndices) { index in
      let (source, coverage) = (report.sources[index], report.coverage[index])
      let isOfApps = !source.scenario.appRoles.isEmpty
      let kinds = FaultCoverage.kinds(of: source.scenario).map { kind in
        JSONMember(
          FaultCoverage.kinds[kind],
          isOfApps ? .fields(["struck": .count(coverage.struck[kind])]) : channels(coverage, kind))
      }
      return ["scenario": .string(source.scenario.name), "faults": .object(kinds)]
    }
  }

  /// In how many seeds each situation was reached, zeros included.
  private static func situations(_ report: SweepReport) -> JSONValue {
    let counts = report.fileIndices.flatMap { index in
      zip(report.sources[index].scenario.situations, report.censuses[index].counts).map { (index, $0.name, $1) }
    }
    return .objects(counts) { index, name, count in
      [
        "scenario": .string(report.sources[index].scenario.name), "situation": .string(name), "seeds": .count(count),
      ]
    }
  }

  private static func channels(_ coverage: FaultCoverage, _ kind: Int) -> JSONValue {
    .object(
      FaultCoverage.channels(of: kind).map { channel in
        let phases = RunPhase.allCases.map { JSONMember("\($0)", .count(coverage[kind, channel, $0])) }
        return JSONMember(channel.text, .object(phases))
      })
  }
}
