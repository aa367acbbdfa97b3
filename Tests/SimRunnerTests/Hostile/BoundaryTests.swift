@testable import LiveView
import Foundation
import Link
import LinkTestSupport
import PhoneSim
import Testing

@testable import Experiments
@testable import Simulator
@testable import TraceTools
@testable import Console
@testable import Commands

/// Every field of every event holds every boundary value once, and no reader of traces crashes.
///
/// A reader that computes with an unchecked number ends this process: Swift traps on overflow.
@Suite struct `numbers at their bounds` {
  private static let shipped = [
    "asked-coach", "crash-400m", "ideal-400m", "lossy-start", "other-tunnel", "recorded-lap",
  ]

  private static let trace: Result<BoundaryTrace, any Error> = Result {
    BoundaryTrace(
      try shipped.map { try RecordedTrace(PackageRoot.url.appending(path: "traces/\($0).jsonl").path) })
  }

  @Test func `every event of the catalogue is among them, with every key`() throws {
    let trace = try Self.trace.get()
    for name in TraceEvent.Name.known {
      #expect(trace.events.contains { $0.name == name }, "\(name.text)")
    }
    #expect(Set(trace.keys).isSuperset(of: ["seq", "epoch", "copies", "bytes", "retryAt", "lastSplit", "params"]))
  }

  /// One test for all that read line by line: to replace the fields takes as long as to read the lines.
  @Test func `checkers judge them, the story tells them, and exporters write them`() throws {
    let formats = ExporterCatalog.all.map { $0.name }
    #expect(formats.count > 5)
    try each { header, events in
      var judge = RunJudge(header: header, expectations: [])
      for (index, event) in events.enumerated() { judge.observe(event, line: index + 2) }
      _ = judge.finish()
      try Self.tell(header, events)
      for exporter in ExporterCatalog.all { Self.export(exporter, header, events) }
    }
  }

  @Test func `profile and diff read them`() throws {
    let trace = try Self.trace.get()
    let whole = try RecordedTrace("whole", BoundaryTrace.bytes(trace.header, trace.events))
    let before = Capture(whole).samples
    try each { header, events in
      // Only lines in the order of time are read into memory as a whole.
      let bytes = BoundaryTrace.bytes(header, events)
      guard let recorded = try? RecordedTrace("boundary", bytes) else { return }
      let capture = Capture(recorded)
      // A fit takes long, and differs only where what it reads does.
      if !capture.samples.isEmpty, capture.samples != before {
        let fit = ProfileFit(capture)
        _ = ProfileCommand.lines(fit)
        _ = JSONWriter.compact(JSONNode(.object(ProfileCommand.members(fit))))
      }
      for isComplete in [false, true] {
        let difference = TraceDifference(
          Decision.all(of: whole, isComplete: isComplete), Decision.all(of: recorded, isComplete: isComplete))
        _ = DifferenceText(difference: difference, names: ("a", "b")).lines()
      }
    }
  }

  @Test func `replay feeds them back or refuses them`() throws {
    let file = PackageRoot.url.appending(path: "traces/ideal-400m.jsonl").path
    let whole = try RecordedTrace(file)
    // A stretch of it is enough: every frame of a phone's start is in it.
    let begin = BoundaryTrace(
      header: whole.header, events: whole.events.filter { $0.time < VirtualTime(nanoseconds: 12_000_000_000) })
    for group in begin.groups {
      for events in begin.variants(of: group) {
        let bytes = BoundaryTrace.bytes(begin.header, events)
        guard let trace = try? RecordedTrace(file, bytes) else { continue }
        _ = try? PhoneReplay.run(trace, workout: nil)
        _ = try? WatchReplay.scenario(trace, faults: nil)
      }
    }
  }

  @Test func `headers hold them too`() throws {
    let trace = try Self.trace.get()
    let events = trace.firstOfEachName
    var line: [UInt8] = []
    trace.header.append(to: &line)
    let node = try JSONParser.parse(line, dialect: .json)
    guard case .object(let members) = node.value else { return }
    for index in members.indices {
      let text = String(decoding: JSONWriter.compact(members[index].node), as: UTF8.self)
      for number in BoundaryValues.texts {
        guard let replaced = BoundaryValues.replacingNumbers(in: text, with: number) else { continue }
        var changed = members
        guard let value = try? JSONParser.parse(replaced, dialect: .json) else { continue }
        changed[index].node = value
        guard let header = try? TraceHeader(line: JSONWriter.compact(JSONNode(.object(changed)))) else { continue }
        var judge = RunJudge(header: header, expectations: [])
        var teller = Storyteller(header: header)
        for (index, event) in events.enumerated() {
          judge.observe(event, line: index + 2)
          _ = teller.observe(event, line: index + 2)
        }
        _ = judge.finish()
        for exporter in ExporterCatalog.all { Self.export(exporter, header, events) }
        if let recorded = try? RecordedTrace("boundary", BoundaryTrace.bytes(header, events)) {
          _ = try? RepeatedScenario(recorded)
        }
      }
    }
  }

  // MARK: Means

  private func each(_ body: (TraceHeader, [TraceEvent]) throws -> Void) throws {
    let trace = try Self.trace.get()
    for group in trace.groups {
      for events in trace.variants(of: group) { try body(trace.header, events) }
    }
    for events in trace.timeVariants { try body(trace.header, events) }
  }

  private static func tell(_ header: TraceHeader, _ events: [TraceEvent]) throws {
    var teller = Storyteller(header: header)
    var state = try live()
    for (index, event) in events.enumerated() {
      let lines = teller.observe(event, line: index + 2)
      for line in lines { _ = line.rendered(isColored: false, columns: 80) }
      state.observe(event, story: lines)
    }
    _ = teller.situation
    _ = StorySummary.text(StorySummary.rows(teller.tally), isColored: false, columns: 80)
    let screen = LiveScreen(columns: 90, rows: 30, isColored: false)
    _ = screen.text(
      state, position: events.last?.time ?? .start, clock: LiveClock(factor: 20, at: ContinuousClock.now))
  }

  private static func export(_ exporter: any TraceExporter.Type, _ header: TraceHeader, _ events: [TraceEvent]) {
    func run<Exporter: TraceExporter>(_ type: Exporter.Type) {
      var bytes: [UInt8] = []
      var exporter = Exporter(ExportSubject(header: header, repeatCommand: ""), into: &bytes)
      for (index, event) in events.enumerated() { exporter.observe(event, line: index + 2, into: &bytes) }
      _ = exporter.finish(ExportEnding(isTruncated: false, digest: nil), into: &bytes)
    }
    run(exporter)
  }

  private static let scenario = Scenario.read(
    Array(TraceFixture.scenario(expect: "[]").utf8), file: "s", folder: "/"
  ).0

  private static func live() throws -> LiveState { LiveState(scenario) }
}
