package import Console
package import Link
import LinkTransport
package import Simulator

/// The result of a shrinker, as a scenario with a description.
package struct ShrunkRun {
  /// The minimal run.
  package private(set) var scenario: Scenario
  /// Its failure.
  package let finding: SweepLine.Finding
  package let target: String
  /// The phase of the run in which it fails.
  package let phase: String
  /// Number of runs.
  package let runs: Int
  let needsNoFault: Bool
  /// Whether the user stopped it, so that there may be a smaller one.
  package let wasStopped: Bool
  /// Number of faults in the original run.
  package let faultsBefore: Int
  package let durationBefore: VirtualTime.Span
  /// Events and script lines, before and after.
  package let size: (before: ScenarioSize, after: ScenarioSize)
  /// What may vary without the failure going away; empty if that was not asked for.
  package let freedoms: [Freedom]

  /// Shrinks a failing run, until the user stops it.
  ///
  /// - Parameters:
  ///   - target: The failure to preserve; nil for the first one.
  ///   - screen: Shows the progress, if any.
  ///   - findsFreedoms: Whether to find out what may vary in the result, with the runs that are left.
  /// - Returns: Nil if the run does not fail in that way.
  package static func make(
    _ scenario: Scenario, target: String? = nil, runsMax: Int = Shrinker.runsMaxStandard, screen: Screen? = nil,
    findsFreedoms: Bool = false
  ) throws(Failure) -> ShrunkRun? {
    defer { screen?.endProgress() }
    return try make(scenario, target: target, runsMax: runsMax, findsFreedoms: findsFreedoms) { shrinker in
      screen?.progress { shrinker.progress }
    }
  }

  /// The same, with a function that receives the shrinker before each of its runs.
  private static func make(
    _ scenario: Scenario, target: String?, runsMax: Int = Shrinker.runsMaxStandard, findsFreedoms: Bool = false,
    onProgress: @escaping (Shrinker) -> Void
  ) throws(Failure) -> ShrunkRun? {
    guard var shrinker = try Shrinker(scenario, target: target, runsMax: runsMax, onProgress: onProgress) else {
      return nil
    }
    try shrinker.shrink()
    return try ShrunkRun(shrinker, findsFreedoms ? try shrinker.findFreedoms() : [])
  }

  /// Shrinks a failing run for a sweep, whose process is another one.
  ///
  /// - Parameter onProgress: Receives what it is at, in words.
  /// - Returns: The result as ``text(breaking:)``; empty if the run does not fail in that way.
  package static func text(
    of scenario: Scenario, target: String, onProgress: @escaping (String) -> Void
  ) throws(Failure) -> String {
    let shrunk = try make(scenario, target: target) { onProgress($0.progress) }
    guard let shrunk else { return "" }
    return shrunk.text(breaking: try FailureCause.broken(by: shrunk))
  }

  private init(_ shrinker: Shrinker, _ freedoms: [Freedom]) throws(Failure) {
    self.freedoms = freedoms
    target = shrinker.target
    phase = shrinker.kind.phase
    runs = shrinker.runs
    needsNoFault = shrinker.needsNoFault
    wasStopped = shrinker.wasStopped
    faultsBefore = shrinker.original.faults.count
    durationBefore = shrinker.original.duration
    size = (ScenarioSize(shrinker.original), ScenarioSize(shrinker.best))
    var scenario = shrinker.best
    // The file must be what was tried: it is read back, and run once more.
    scenario.name = "\(shrinker.original.name)-\(shrinker.original.seed)"
    let text = SavedScenario.text(scenario, in: "/")
    let (again, diagnostics) = Scenario.read(Array(text.utf8), file: "shrunk", folder: "/")
    guard !diagnostics.contains(where: { $0.hasErrors }) else {
      throw .environment("shrink: the shrunk scenario cannot be read back: \(diagnostics.map(\.description))")
    }
    // A user who stops it does not wait for another run.
    if wasStopped {
      finding = shrinker.finding
    } else if let confirmed = try shrinker.confirm(again) {
      finding = confirmed
    } else {
      throw .environment("shrink: the shrunk scenario, read back, does not fail in the same way")
    }
    self.scenario = scenario
    self.scenario.about = about(of: shrinker)
  }

  /// A run that another process has shrunk.
  init(
    scenario: Scenario, finding: SweepLine.Finding, target: String, phase: String, runs: Int, needsNoFault: Bool,
    wasStopped: Bool, faultsBefore: Int, durationBefore: VirtualTime.Span,
    size: (before: ScenarioSize, after: ScenarioSize)
  ) {
    (self.scenario, self.finding, self.target, self.phase) = (scenario, finding, target, phase)
    (self.runs, self.needsNoFault, self.wasStopped) = (runs, needsNoFault, wasStopped)
    (self.faultsBefore, self.durationBefore, self.size) = (faultsBefore, durationBefore, size)
    freedoms = []
  }

  /// The description in the saved scenario.
  private func about(of shrinker: Shrinker) -> String {
    let moment = finding.time < 0 ? "" : " at \(VirtualTime(nanoseconds: finding.time).text)"
    let isOfProgram =
      target == SeedRun.programEnded || NodeFinding.endings.contains { target == SeedRun.appFinding($0) }
    let what =
      isOfProgram
      ? "\(finding.detail.prefix(1).uppercased())\(finding.detail.dropFirst())\(moment)."
      : target.hasPrefix("expectation-")
        ? "An expectation is not met: \(finding.detail)."
        : target == SeedRun.crash
          ? "The simulation dies\(moment): \(finding.detail)." : "\(target) is broken\(moment): \(finding.detail)."
    let size = "Shrunk from seed \(shrinker.original.seed) of \(shrinker.original.name): \(summary)."
    let free = freedoms.isEmpty ? "" : " What may vary: \(freedoms.map(\.text).joined(separator: "; "))."
    return "\(what) \(size)\(free)"
  }

  /// How much smaller it is: `1 of 7 faults, 65 s of 10:00 min`.
  package var summary: String {
    let faults =
      needsNoFault && faultsBefore == 0
      ? "no fault"
      : needsNoFault
        ? "none of \(StoryText.count(faultsBefore, "fault"))"
        : "\(scenario.faults.count) of \(StoryText.count(faultsBefore, "fault"))"
    let events =
      size.before.events == 0 ? "" : ", \(size.after.events) of \(StoryText.count(size.before.events, "event"))"
    let lines =
      size.before.lines == 0 ? "" : ", \(size.after.lines) of \(StoryText.count(size.before.lines, "script line"))"
    let (now, before) = (scenario.duration, durationBefore)
    return "\(faults)\(events)\(lines), \(StoryText.length(now, places: 0)) of \(StoryText.length(before, places: 0))"
  }
}

/// A shrunk run on its way from the process that shrank it to its sweep.
extension ShrunkRun {
  /// The run, and every invariant and expectation that it breaks, on one line.
  func text(breaking broken: Set<String>) -> String {
    JSONOutput.line(
      [JSONMember]([
        "scenario": SavedScenario.node(scenario, in: "/").value, "invariant": .string(finding.invariant),
        "t": .integer(finding.time), "detail": .string(finding.detail), "target": .string(target),
        "phase": .string(phase), "runs": .count(runs), "needsNoFault": .bool(needsNoFault),
        "stopped": .bool(wasStopped), "faultsBefore": .count(faultsBefore),
        "durationBefore": .integer(durationBefore.nanoseconds), "eventsBefore": .count(size.before.events),
        "linesBefore": .count(size.before.lines), "broken": .texts(broken.sorted()),
      ]))
  }

  /// Reads ``text(breaking:)``; nil for anything else.
  static func read(_ text: Substring) -> (run: ShrunkRun, broken: Set<String>)? {
    let collector = DiagnosticsCollector(file: "shrunk")
    guard let node = try? JSONParser.parse(String(text), dialect: .json),
      let reader = JSONObjectReader(node, into: collector),
      let saved = reader.value("scenario", required: true), let invariant = reader.string("invariant", required: true),
      let time = reader.integer("t", required: true), let detail = reader.string("detail", required: true),
      let target = reader.string("target", required: true), let phase = reader.string("phase", required: true),
      let runs = reader.integer("runs", required: true), let needsNoFault = reader.bool("needsNoFault", required: true),
      let wasStopped = reader.bool("stopped", required: true),
      let faults = reader.integer("faultsBefore", required: true),
      let duration = reader.integer("durationBefore", required: true),
      let events = reader.integer("eventsBefore", required: true),
      let lines = reader.integer("linesBefore", required: true),
      let broken = reader.array("broken", required: true)
    else { return nil }
    let (scenario, diagnostics) = Scenario.read(JSONWriter.compact(saved.node), file: "shrunk", folder: "/")
    guard !diagnostics.contains(where: { $0.hasErrors }) else { return nil }
    let run = ShrunkRun(
      scenario: scenario, finding: SweepLine.Finding(invariant: invariant, time: time, detail: detail),
      target: target, phase: phase, runs: Int(runs), needsNoFault: needsNoFault, wasStopped: wasStopped,
      faultsBefore: Int(faults), durationBefore: VirtualTime.Span(nanoseconds: duration),
      size: (ScenarioSize(events: Int(events), lines: Int(lines)), ScenarioSize(scenario)))
    return (run, Set(broken.compactMap { $0.string() }))
  }
}

/// File names made from scenario names.
package enum OutputName {
  /// The name with everything but letters, digits, `-`, `_` and `.` replaced; never empty, never a folder's.
  package static func safe(_ name: String) -> String {
    let kept = name.unicodeScalars.prefix(100).map { scalar -> Character in
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      return isPlain || scalar == "-" || scalar == "_" || scalar == "." ? Character(scalar) : "-"
    }
    let text = String(kept)
    return text.allSatisfy { $0 == "." || $0 == "-" } ? "scenario" : text
  }
}

/// Shrinks a failing run in a process of its own, so that a crash of the shrinker, or of a run that only it makes, does not end
/// the sweep.
enum IsolatedShrinker {
  /// How it ended.
  enum End {
    case shrunk(ShrunkRun, FailureCause)
    /// The run does not fail in that way.
    case holds
    /// It died, hung or refused, with the reason.
    case failed(String)
    /// The user wants to stop.
    case stopped
  }

  /// Shrinks a run.
  ///
  /// - Parameters:
  ///   - scenario: A run that fails, with its seed and its complete plan.
  ///   - target: The failure to preserve.
  ///   - silenceMax: How many seconds of real time one of its runs may take.
  static func shrink(
    _ scenario: Scenario, target: String, silenceMax: Double = SweepPool.silenceMaxStandard, _ screen: Screen
  ) -> End {
    let worker: WorkerProcess
    do throws(Failure) { worker = try WorkerProcess(scenario: SweepSource.text(of: scenario)) } catch {
      return .failed(error.text)
    }
    defer {
      worker.kill()
      screen.endProgress()
    }
    worker.order(.shrink(target: target[...]))
    while !StopSignal.isRaised {
      guard worker.heardAt.secondsSince <= silenceMax else { return .failed("one of its runs did not end") }
      WorkerProcess.wait(for: [worker])
      let (answers, isGone) = worker.readAnswers()
      for answer in answers {
        switch answer {
        case .shrinking(let text): screen.progress { String(text) }
        case .shrunk(let text):
          guard !text.isEmpty else { return .holds }
          guard let (run, broken) = ShrunkRun.read(text) else { return .failed("its result cannot be read back") }
          return .shrunk(run, FailureCause(run, breaking: broken))
        case .gaveUp(_, let text): return .failed(String(text))
        case .passed, .failed, .reached, .census, .warnings, .done, .branch: break
        }
      }
      if isGone, !StopSignal.isRaised { return .failed("its process \(worker.end().map { "\($0)" } ?? "is gone")") }
    }
    return .stopped
  }
}
