package import Console
package import Link
package import Simulator
package import TraceTools

/// The result of replaying a trace.
package struct ReplayOutcome {
  /// Decisions before, and now.
  package var difference: TraceDifference
  /// Whether the new trace equals the old one, byte for byte; nil if only a part was replayed.
  package var isIdentical: Bool?
  /// How payloads were found; nil if none had to be.
  package var frames: RecordedFrames.Counts?
  /// Notes for the user.
  package var notes: [String] = []

  /// The members of a JSON object.
  package func members(_ trace: RecordedTrace, what: String) -> [JSONMember] {
    [JSONMember]([
      "scenario": .string(trace.header.scenario), "seed": .string(String(trace.header.seed)), "replay": .string(what),
      "verdict": .string(difference.isEmpty ? "same" : "different"), "truncated": .bool(trace.isTruncated),
      "decisions": .count(difference.steps.count { $0.before != nil }), "identical": isIdentical.map { .bool($0) },
      "frames": frames.map { frames in
        .fields([
          "all": .count(frames.all), "proven": .count(frames.proven), "borrowed": .count(frames.borrowed),
          "translated": .count(frames.translated), "unknown": .count(frames.unknown),
        ])
      },
    ]) + DifferenceText(difference: difference, names: ("", "")).members() + [JSONMember("notes", .texts(notes))]
  }
}

/// How far a trace can be replayed.
struct ReplayCut {
  /// The last instant; nil for the whole trace.
  let at: VirtualTime?
  /// The reason; nil for the whole trace.
  let why: String?

  init(_ trace: RecordedTrace) {
    // An app in virtual time breaks off in the same way again.
    let isOfApps = trace.header.extra(ProgramsHeader.key) != nil
    // A process killed at a random moment died in the middle of its work, which is not repeatable.
    let shot = trace.events.first { $0.isBelieved && $0.name.text == "node.killed" && $0.text("cause") == "signal" }
    let broken = trace.events.first { event in
      event.place == .runner && (event.name.text == "stopped" || event.name.text == "node.failed" && !isOfApps)
    }
    if let shot {
      at = VirtualTime(nanoseconds: max(0, shot.time.nanoseconds - 1))
      why =
        "replayed up to \(shot.time.text): the \(shot.text("target") ?? "node") was killed there at a "
        + "random moment"
    } else if let broken {
      at = broken.time
      why = "replayed up to \(broken.time.text): the run broke off there"
    } else if trace.isTruncated {
      at = trace.end
      why = "the trace is truncated after line \(trace.events.count + 1): replayed up to \(trace.end.text)"
    } else {
      at = nil
      why = nil
    }
  }

  /// Decisions up to the cut; at its very instant only as many as were recorded.
  func trim(_ before: [Decision], _ after: [Decision]) -> (before: [Decision], after: [Decision]) {
    guard let at else { return (before, after) }
    let before = before.filter { $0.time <= at && !Self.isEnd($0) }
    let after = after.filter { $0.time <= at && !Self.isEnd($0) }
    let last = before.count { $0.time == at }
    let earlier = after.count { $0.time < at }
    return (before, Array(after.prefix(earlier + last)))
  }

  private static func isEnd(_ decision: Decision) -> Bool {
    decision.node == .runner && ["end", "stopped", "expectation", "violation"].contains(decision.kind)
  }
}

/// Runs the whole scenario of a trace's header again, and compares.
package enum WholeReplay {
  /// Runs it.
  ///
  /// - Parameter named: The programs of the command line, which replace the recorded ones.
  /// - Throws: ``Failure/input(_:)`` for a header that lacks something.
  package static func run(
    _ trace: RecordedTrace, workout: String?, programs named: UserPrograms = UserPrograms()
  ) throws(Failure) -> ReplayOutcome {
    let recorded = try RecordedPrograms(trace)
    let programs = try recorded.running(named)
    let repeated = try RepeatedScenario(trace, workout: workout)
    guard repeated.isComplete else {
      throw .input(
        "\(trace.path):1:1: error: \(repeated.notes.first ?? "the header does not say enough"); "
          + "--phone-only and --watch-only need less")
    }
    let cut = ReplayCut(trace)
    var scenario = repeated.scenario
    scenario.programs = programs
    scenario.appTime = recorded.time
    var options = RunOptions()
    options.stopsAfter = cut.at
    options.live = RecordedControls(trace, hasEdge: repeated.scenario.edge != nil, last: cut.at)
    var bytes: [UInt8] = []
    options.output = { bytes += $0 }
    let outcome = try ScenarioRun.run(scenario, options)
    if let failure = outcome.environmentFailure { throw .environment(failure) }
    let again = try RecordedTrace("the run of today", bytes)
    let trimmed = cut.trim(Decision.all(of: trace), Decision.all(of: again))
    let isIdentical = cut.at == nil ? bytes == trace.bytes : bytes.starts(with: wholeLines(trace.bytes))
    var result = ReplayOutcome(
      difference: TraceDifference(trimmed.before, trimmed.after), isIdentical: isIdentical, notes: repeated.notes)
    if !isIdentical, result.difference.isEmpty, cut.at == nil {
      result.notes.append(firstOtherLine(trace.bytes, bytes))
    }
    if let why = cut.why { result.notes.append(why) }
    return result
  }

  /// Without a truncated last line.
  private static func wholeLines(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes[..<((bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1)]
  }

  /// The first difference of two texts with equal decisions.
  private static func firstOtherLine(_ old: [UInt8], _ new: [UInt8]) -> String {
    var line = 1
    for (before, after) in zip(old, new) {
      guard before == after else { break }
      if before == UInt8(ascii: "\n") { line += 1 }
    }
    return "the decisions are the same, the bytes are not: line \(line) is the first that differs"
  }
}
