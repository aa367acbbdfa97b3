import Foundation
import Link
import Testing

@testable import Simulator

/// A short run with a cut, losses and copies, and its trace.
struct TraceFixture {
  let scenario: String
  let text: [UInt8]
  let outcome: RunOutcome

  /// Runs the scenario in this process, with what it expects.
  init(expect: String = "[]", seed: UInt64 = 7) throws {
    scenario = Self.scenario(expect: expect, seed: seed)
    let (read, found) = Scenario.read(Array(scenario.utf8), file: "fixture.json5", folder: "/")
    try #require(!found.contains { $0.hasErrors }, "\(found)")
    let text = Collected()
    var options = RunOptions()
    options.output = { text.bytes += $0 }
    outcome = try ScenarioRun.run(read, options)
    self.text = text.bytes
  }

  /// The run that most tests doctor.
  static let shared = Result { try TraceFixture() }

  /// Its lines, without line feeds.
  var lines: [String] { String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init) }

  static func scenario(expect: String, seed: UInt64 = 7) -> String {
    """
    {
      scenario: "check-me", seed: \(seed), duration: "10m",
      workout: { source: { model: { distance: 700, pace: "5:00/km" } },
                 events: [{ at: "1m", do: "pause" }, { at: "70s", do: "resume" }] },
      plan: { distance: 700, time: "4m" },
      script: { messages: [
        { id: "half", triggerSpec: { type: "halfway" }, text: "Half of it." },
        { id: "hundred", triggerSpec: { type: "distance", everyMeters: 100 }, text: "Another one." },
      ] },
      faults: [
        { at: "80s", for: "20s", disconnect: {} },
        { at: "2m", for: "1m", loss: { probability: 0.3 } },
        { at: "2m", for: "1m", duplicate: { probability: 0.3 } },
      ],
      expect: \(expect),
    }
    """
  }

  private final class Collected {
    var bytes: [UInt8] = []
  }
}

extension [String] {
  /// As the text of a file.
  var fileText: String { map { $0 + "\n" }.joined() }

  /// The place of the first line that has all of some texts.
  func place(of texts: String...) throws -> Int {
    try #require(firstIndex { line in texts.allSatisfy { line.contains($0) } }, "no line with \(texts)")
  }
}
