import Console
import Link
import Simulator

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
