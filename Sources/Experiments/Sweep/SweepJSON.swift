import Simulator
import Console
import Link

/// A sweep's report and fault coverage as JSON.
enum SweepJSON {
  /// The one object of `--json`.
  static func members(
    _ report: SweepReport, seeds: SeedRange, seconds: Double, end: SweepPool.End
  ) -> [JSONMember] {
    let ending: String =
      switch end {
      case .complete: "complete"
      case .atFailure: "failure"
      case .stopped: "stopped"
      }
    var members = [
      JSONMember("seeds", .integer(Int64(report.seedCount))), JSONMember("failed", .integer(Int64(report.failedCount))),
      JSONMember("ended", .string(ending)), JSONMember("wallSeconds", JSONOutput.number(seconds)),
      JSONMember("groups", JSONOutput.objects(report.groups.map { group($0, report) })),
      JSONMember("coverage", JSONOutput.objects(coverage(report))),
      JSONMember("situations", JSONOutput.objects(situations(report))),
    ]
    if let states = report.states {
      members.append(JSONMember("states", JSONOutput.objects(Self.states(states, report, seeds, end))))
    }
    if let confidence = confidence(report, end) { members.append(JSONMember("confidence", .object(confidence))) }
    if report.swarm != SwarmTally() {
      let rows = report.swarm.rows.map { row in
        [
          JSONMember("subset", .string(row.name)), JSONMember("seeds", .integer(Int64(row.count.seeds))),
          JSONMember("failed", .integer(Int64(row.count.failed))),
        ]
      }
      members.append(JSONMember("swarm", JSONOutput.objects(rows)))
    }
    return members
  }

  /// How many states each scenario reached, and how many of them the last seeds reached first.
  private static func states(
    _ states: [StateTally], _ report: SweepReport, _ seeds: SeedRange, _ end: SweepPool.End
  ) -> [[JSONMember]] {
    report.sources.indices.filter { report.first(like: $0) == $0 }.map { index in
      var members = [
        JSONMember("scenario", .string(report.sources[index].scenario.name)),
        JSONMember("reached", .integer(Int64(states[index].count))),
      ]
      if end == .complete, let new = states[index].newStates(of: seeds) {
        members += [
          JSONMember("new", .integer(Int64(new.states))), JSONMember("newInLast", .integer(Int64(new.seeds))),
        ]
      }
      return members
    }
  }

  /// The failure rate with its interval; nil for a sweep that says nothing about other seeds.
  private static func confidence(_ report: SweepReport, _ end: SweepPool.End) -> [JSONMember]? {
    let (failed, seeds) = (report.failedCount, report.seedCount)
    // Strategies other than random do not draw independently.
    guard end == .complete, seeds >= SweepConfidence.seedsMin, report.sources.allSatisfy({ $0.strategy == .random })
    else { return nil }
    let interval = SweepConfidence.interval(failed: failed, of: seeds)
    var members = [
      JSONMember("level", JSONOutput.number(SweepConfidence.level)),
      JSONMember("rate", share(Double(failed) / Double(seeds))),
      JSONMember("low", share(interval.lowerBound)), JSONMember("high", share(interval.upperBound)),
    ]
    if failed > 0 {
      members += [
        JSONMember("cleanSeeds", .integer(Int64(SweepConfidence.cleanSeeds(failed: failed, of: seeds)))),
        JSONMember("cleanSeedsMax", .integer(Int64(SweepConfidence.cleanSeedsMax(failed: failed, of: seeds)))),
      ]
    }
    return members
  }

  /// A rate to six decimals: one seed in a thousand is a frequent failure.
  private static func share(_ rate: Double) -> JSONValue { .plain((rate * 1_000_000).rounded() / 1_000_000) }

  private static func group(_ group: SweepReport.Group, _ report: SweepReport) -> [JSONMember] {
    let finding = group.first.violations.first
    var members = [
      JSONMember("scenario", .string(report.sources[group.source].scenario.name)),
      JSONMember("invariant", .string(group.invariant)), JSONMember("circumstances", .string(group.circumstances)),
      JSONMember("count", .integer(Int64(group.count))),
      JSONMember("seeds", .array(group.seeds.map { JSONNode(.string(String($0))) })),
      JSONMember("t", finding.map { .integer($0.time) } ?? .null),
      JSONMember("detail", JSONOutput.text(finding?.detail)),
    ]
    if let cause = group.cause {
      members.append(JSONMember("cause", group.causeNumber.map { .integer(Int64($0)) } ?? .null))
      members.append(JSONMember("needs", .string(cause.text)))
    }
    if let files = group.files {
      members.append(JSONMember("saved", .string(files.scenario)))
      if let trace = files.trace { members.append(JSONMember("trace", .string(trace))) }
      if let bundle = files.bundle { members.append(JSONMember("bundle", .string(bundle))) }
    }
    if let shrunk = group.shrunk {
      members += [
        JSONMember("faults", .integer(Int64(shrunk.scenario.faults.count))),
        JSONMember("faultsBefore", .integer(Int64(shrunk.faultsBefore))),
        JSONMember("runs", .integer(Int64(shrunk.runs))),
      ]
    }
    return members
  }

  /// In how many seeds each kind of fault met each channel in each phase: one object for each scenario, zeros included.
  static func coverage(_ report: SweepReport) -> [[JSONMember]] {
    report.sources.indices.filter { report.first(like: $0) == $0 }.map { index in
      let (source, coverage) = (report.sources[index], report.coverage[index])
      let kinds = FaultCoverage.kinds(of: source.scenario).map { kind in
        JSONMember(FaultCoverage.kinds[kind], channels(coverage, kind))
      }
      return [JSONMember("scenario", .string(source.scenario.name)), JSONMember("faults", .object(kinds))]
    }
  }

  /// In how many seeds each situation was reached, zeros included.
  private static func situations(_ report: SweepReport) -> [[JSONMember]] {
    report.sources.indices.filter { report.first(like: $0) == $0 }.flatMap { index in
      zip(report.sources[index].scenario.situations, report.censuses[index].counts).map { situation, count in
        [
          JSONMember("scenario", .string(report.sources[index].scenario.name)),
          JSONMember("situation", .string(situation.name)), JSONMember("seeds", .integer(Int64(count))),
        ]
      }
    }
  }

  private static func channels(_ coverage: FaultCoverage, _ kind: Int) -> JSONValue {
    .object(
      FaultCoverage.channels(of: kind).map { channel in
        let phases = RunPhase.allCases.map { phase in
          JSONMember("\(phase)", .integer(Int64(coverage[kind, channel, phase])))
        }
        return JSONMember(channel.text, .object(phases))
      })
  }
}
