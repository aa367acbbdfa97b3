import Link
import Testing

@testable import sim_runner

@Suite struct FindingsTests {
  private static func outcome(_ violations: [Violation]) -> RunOutcome {
    RunOutcome(
      scenario: "s", seed: 1, verdict: violations.isEmpty ? .pass : .fail, violations: violations, expectations: [],
      frames: 0, simulated: .seconds(1), wallSeconds: 0, events: 5, steps: 0, counters: [], traceDigest: nil,
      nodeFailure: nil, traceError: nil, wasStopped: false)
  }

  @Test func `a violation stands with its lines, the story around it and the command`() {
    let text = TraceText()
    text.append(Array("header\nsecond\nthi".utf8))
    text.append(Array("rd\nfourth\n".utf8))
    let story = (1...9).map { StoryLine(time: .start, voice: .run, text: "told \($0)", traceLine: $0) }
    let violation = Violation(invariant: "play-once", time: .start + .seconds(65), detail: "twice", lines: [3, 4])
    let findings = Findings(
      outcome: Self.outcome([violation]), story: story, text: text, repeatCommand: "sim-runner run s.json5")
    let paragraphs = findings.paragraphs()
    #expect(
      paragraphs == [
        """
        play-once is broken at 1:05
          twice
          line 3  third
          line 4  fourth
          around it:
            0:00  run    told 2
            0:00  run    told 3
            0:00  run    told 4
            0:00  run    told 5
            0:00  run    told 6
        """, "To repeat it:\n  sim-runner run s.json5",
      ])
  }

  @Test func `of many violations some are told and the others counted`() {
    let violations = (0..<25).map { Violation(invariant: "causality", time: .start, detail: "\($0)", lines: []) }
    let findings = Findings(outcome: Self.outcome(violations), story: [], text: TraceText(), repeatCommand: "again")
    #expect(findings.paragraphs().count == Findings.violationsMax + 2)
    #expect(findings.paragraphs().contains("and 15 more violations"))
  }

  @Test func `nothing is told of a run in which all held`() {
    let findings = Findings(outcome: Self.outcome([]), story: [], text: TraceText(), repeatCommand: "again")
    #expect(findings.paragraphs() == [])
  }
}
