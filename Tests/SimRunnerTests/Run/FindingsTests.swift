import Link
import Testing

@testable import Experiments
@testable import Simulator
@testable import TraceTools

@Suite struct FindingsTests {
  private static func outcome(_ violations: [Violation]) -> RunOutcome {
    RunOutcome(
      scenario: "s", seed: 1, verdict: violations.isEmpty ? .pass : .fail, violations: violations, expectations: [],
      frames: 0, simulated: .seconds(1), wallSeconds: 0, events: 5, steps: 0, counters: [], traceDigest: nil,
      nodeFailure: nil, traceError: nil, wasStopped: false)
  }

  @Test func `a violation is printed with its lines, the story around it and the command`() throws {
    let (told, text, scenario) = try Self.run()
    let violation = Violation(
      invariant: "play-once", time: .start + .seconds(65), detail: "twice",
      lines: [told[3].traceLine - 1, told[3].traceLine])
    let findings = RunFindings(
      outcome: Self.outcome([violation]), path: nil, header: scenario.header, text: text,
      repeatCommand: "sim-runner run s.json5")
    let paragraphs = findings.paragraphs()
    let lines = try #require(paragraphs.first).split(separator: "\n")
    #expect(lines[..<2] == ["play-once is broken at 1:05", "  twice"])
    #expect(lines[2].hasPrefix("  line \(told[3].traceLine - 1)  {\"t\":"))
    #expect(lines[3].hasPrefix("  line \(told[3].traceLine)  {\"t\":"))
    #expect(lines[4] == "  around it:")
    let around = told[1...5].map { $0.rendered(isColored: false, columns: 100) }
    let place = told[1...5].filter { $0.time <= violation.time }.count
    #expect(place > 2)
    #expect(
      lines[5...].map { String($0) }
        == around[..<place] + ["    1:05  run    play-once is broken here"] + around[place...])
    #expect(paragraphs.dropFirst() == ["To repeat it:\n  sim-runner run s.json5"])
  }

  @Test func `two violations of one cause are one paragraph, and the same story is not printed again`() throws {
    let (told, text, scenario) = try Self.run()
    let line = told[3].traceLine
    let violation = { (name: String, at: Int64, line: Int) in
      Violation(invariant: name, time: .start + .seconds(at), detail: "of \(name)", lines: [line])
    }
    let findings = RunFindings(
      outcome: Self.outcome([
        violation("one", 65, line), violation("two", 65, line), violation("three", 66, line),
        violation("four", 66, told[0].traceLine),
      ]), path: nil, header: scenario.header, text: text, repeatCommand: "sim-runner run s.json5")
    let paragraphs = findings.paragraphs().map { $0.split(separator: "\n").map(String.init) }
    #expect(paragraphs.count == 4)
    #expect(paragraphs[0][..<4] == ["one is broken at 1:05", "  of one", "two is broken at 1:05", "  of two"])
    #expect(paragraphs[0].count { $0.hasPrefix("  line ") } == 1 && paragraphs[0].contains("  around it:"))
    #expect(paragraphs[1].first == "three is broken at 1:06" && paragraphs[1].last == "  around it: as above")
    #expect(paragraphs[2].first == "four is broken at 1:06" && paragraphs[2].contains("  around it:"))
    #expect(findings.causes.map(\.check) == ["one", "two", "three", "four"])
  }

  /// A short run: its findings as they happened, and its text.
  private static func run() throws -> (told: [StoryLine], text: TraceText, scenario: Scenario) {
    let (scenario, _) = Scenario.read(
      Array(
        """
        { scenario: "s", duration: "4m", link: { profile: "ideal" },
          workout: { source: { model: { distance: 10000, pace: "5:00/km" } } },
          faults: [{ at: 40, for: 20, disconnect: {} }, { at: 90, for: 20, disconnect: {} }] }
        """.utf8), file: "s", folder: "/")
    let text = TraceText()
    var teller = Storyteller(header: scenario.header)
    var told: [StoryLine] = []
    var options = RunOptions()
    options.output = { text.append($0) }
    options.onEvent = { event, line in told += teller.observe(event, line: line) }
    _ = try ScenarioRun.run(scenario, options)
    #expect(told.count > 8)
    return (told, text, scenario)
  }

  @Test func `the story around a line is the story as it happened`() throws {
    let (told, text, scenario) = try Self.run()
    let lastLine = try #require(told.last?.traceLine)
    let numbers = Array(1...lastLine + 1)
    let excerpts = TraceExcerpts(of: text, header: scenario.header, for: numbers.map { [$0] })
    for number in numbers {
      let split = told.firstIndex { $0.traceLine > number } ?? told.endIndex
      // Lines that one event told of belong together on either side of the split.
      let expected = told[max(0, split - 3)..<split] + told[split..<min(told.count, split + 2)]
      #expect(excerpts.story(around: [number]).map(\.text) == expected.map(\.text), "\(number)")
    }
    #expect(excerpts.lines([7, 3]).map(\.number) == [3, 7])
  }

  @Test func `a text longer than its share of memory is quoted from a file`() {
    let text = TraceText()
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: 99_999)
    for number in 1...50 { text.append(Array("\(number) ".utf8) + line + [UInt8(ascii: "\n")]) }
    for _ in 1...2 {
      let excerpts = TraceExcerpts(of: text, header: Scenario().header, for: [[1, 27], [50, 51]])
      #expect(excerpts.quotes.keys.sorted() == [1, 27, 50])
      #expect(excerpts.lines([27]).first?.text.hasPrefix("27 xxx") == true)
      #expect(excerpts.quotes.values.allSatisfy { $0.utf8.count > 100_000 })
    }
  }

  @Test func `of many violations some are listed and the others counted`() {
    let violations = (0..<25).map { Violation(invariant: "causality", time: .start, detail: "\($0)", lines: []) }
    let findings = RunFindings(outcome: Self.outcome(violations), excerpts: TraceExcerpts(), repeatCommand: "again")
    #expect(findings.paragraphs().count == RunFindings.violationsMax + 2)
    #expect(findings.paragraphs().contains("and 15 more violations"))
  }

  @Test func `a run in which all held has no findings`() {
    let findings = RunFindings(outcome: Self.outcome([]), excerpts: TraceExcerpts(), repeatCommand: "again")
    #expect(findings.paragraphs() == [])
  }
}
