import Foundation
import Link
import Testing

@testable import Console
@testable import Simulator

@Suite struct `drawn hands of apps` {
  private static let apps = "phone: { command: \"/bin/true\" }, watch: { command: \"/bin/true\" }"

  private func read(_ acts: String, rest: String = "") -> (Scenario, [String]) {
    let text = "{ scenario: \"hands\", seed: 5, duration: \"20m\", \(Self.apps),\(rest)\n  acts: \(acts) }"
    let (scenario, found) = Scenario.read(Array(text.utf8), file: "s.json5", folder: ".")
    return (scenario, found.flatMap(\.lines))
  }

  private static let model =
    "model: { resting: { start: \"running\" }, running: { tap: \"running\", stop: \"resting\" } }"
  private static let calm = "habits: { twice: 0, both: 0, away: 0 }"

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `follow the model, within their bounds`(_ seed: UInt64) {
    var (scenario, found) = read(
      "{ draw: [\"start\", \"stop\", { do: \"tap\", weight: 3, on: \"watch\" }], every: \"2s..10s\", \(Self.model), \(Self.calm) }"
    )
    #expect(found.isEmpty)
    scenario.seed = seed
    let drawn = scenario.drawn
    #expect(!drawn.isDrawn && drawn.acts.count > 50)
    let names = drawn.acts.map { String($0.name.prefix(3)) }.joined(separator: " ")
    #expect(names.wholeMatch(of: /sta( tap)*( sto sta( tap)*)*( sto)?/) != nil, "\(names)")
    for (before, after) in zip(drawn.acts, drawn.acts.dropFirst()) {
      #expect((2_000_000_000...10_000_000_000).contains((after.at - before.at).nanoseconds))
    }
    #expect(drawn.acts.allSatisfy { $0.name != "tap" || $0.role == .watch })
    #expect(Set(drawn.acts.map(\.role)).count == 2)
    #expect(drawn.acts.allSatisfy { $0.at < scenario.nemesisEnd })
  }

  @Test func `an expression is a model, repeated as a whole`() {
    let states = "{ draw: [\"start\", \"stop\", \"tap\"], \(Self.calm), \(Self.model) }"
    let expression = "{ draw: [\"start\", \"stop\", \"tap\"], \(Self.calm), model: \"start tap* stop\" }"
    let acts = { (text: String) in self.read(text).0.drawn.acts.map { "\($0.at.text) \($0.name)" } }
    #expect(acts(states) == acts(expression))
    #expect(!acts(states).isEmpty)
  }

  @Test func `fresh names are new ones, and last is the newest`() throws {
    let (scenario, found) = read(
      "{ draw: [{ do: \"start\", with: { run: \"fresh\", fast: true } }, { do: \"stop\", with: { run: \"last\" } }],"
        + " model: \"start stop\", \(Self.calm) }")
    #expect(found.isEmpty)
    for (index, act) in scenario.drawn.acts.enumerated() {
      #expect(act.arguments?["run"]?.text == "run-\(index / 2 + 1)")
    }
  }

  @Test func `habits press twice, on both devices, and while the other is away`() {
    let own = "{ draw: [\"tap\"], every: \"20s\", habits: { twice: 1, both: 1, away: 0 } }"
    let acts = read(own).0.drawn.acts
    let calm = read("{ draw: [\"tap\"], every: \"20s\", \(Self.calm) }").0.drawn.acts
    #expect(acts.count >= calm.count * 3 - 2)
    #expect(calm.allSatisfy { act in acts.contains(act) })
    // Without the habit the acts come at 70 s, 140 s, 210 s, 280 s and 350 s.
    let cut = "\n faults: [{ at: \"5m\", for: \"30s\", disconnect: {} }],"
    func countInCut(_ habits: String) -> Int {
      read("{ draw: [\"tap\"], every: \"70s\", \(habits) }", rest: cut).0.drawn.acts.count {
        $0.at >= .start + .seconds(300) && $0.at < .start + .seconds(330)
      }
    }
    #expect(countInCut(Self.calm) == 0)
    #expect(countInCut("habits: { twice: 0, both: 0, away: 1 }") == 1)
  }

  @Test func `are saved as ordinary acts, which a saved run has in place of them`() {
    let (scenario, _) = read("{ draw: [\"tap\"] }", rest: "\n nemesis: {},")
    let text = SavedScenario.text(scenario, in: "/")
    let (saved, found) = Scenario.read(Array(text.utf8), file: "s.json5", folder: "/")
    #expect(found.flatMap(\.lines).isEmpty)
    // A file has them by device.
    let own = scenario.settled.acts
    for role in [NodeRole.watch, .phone] {
      #expect(saved.acts.filter { $0.role == role } == own.filter { $0.role == role })
    }
    #expect(!saved.isDrawn && saved.acts.count == own.count && !own.isEmpty)
    #expect(saved.faultPlan.map(\.id) == scenario.faultPlan.map(\.id))
    var other = scenario
    other.seed = 6
    #expect(other.drawn.acts != scenario.drawn.acts)
  }

  @Test(arguments: [
    (
      "{ draw: [\"start\", \"tap\"], model: { resting: { start: \"running\" }, running: { tap: \"running\" } } }",
      "the state \"running\" is never left: found only acts that stay in it"
    ),
    (
      "{ draw: [\"start\"], model: { resting: { start: \"over\" }, over: {} } }",
      "\"over\" is never left: found no acts"
    ),
    (
      "{ draw: [\"a\"], model: { x: { a: \"y\" }, y: { a: \"x\" }, z: { a: \"x\" } } }",
      "the state \"z\" is never reached from \"x\""
    ),
    ("{ draw: [\"start\"], model: { x: { start: \"z\" } } }", "found \"z\", expected \"x\""),
    ("{ draw: [\"start\"], model: \"start stop\" }", "found the act \"stop\", expected one of draw: \"start\""),
    ("{ draw: [\"start\", \"tap\"], model: \"start\" }", "found \"tap\", which the model never does"),
    ("{ draw: [\"start\"], model: \"(start\" }", "found the end at character 7, expected \")\""),
    ("{ draw: [\"start\"], model: \"start |\" }", "found the end at character 8, expected an act or \"(\""),
    ("{ draw: [\"start\"], model: \"*\" }", "found \"*\" at character 1"),
    ("{ draw: [\"start\"], every: \"9s..2s\" }", "expected a range whose first bound is not above the second"),
    ("{ draw: [\"start\"], every: \"x..2s\" }", "found string \"x\""), ("{ draw: [] }", "draw"),
    ("{ every: \"2s\" }", "draw"), ("{ draw: [\"1\"] }", "expected a letter"),
    ("{ draw: [\"a\"], from: \"9s\", until: \"8s\" }", "expected a time after `from`"),
  ])
  func `what cannot be drawn is refused where it is written`(_ acts: String, _ part: String) {
    let found = read(acts).1
    #expect(found.count == 1 && found[0].hasPrefix("s.json5:2:") && found[0].contains(part), "\(found)")
  }

  @Test func `deep and long expressions are refused, not run`() {
    let deep = String(repeating: "(", count: 5_000) + "a" + String(repeating: ")", count: 5_000)
    #expect(read("{ draw: [\"a\"], model: \"\(deep)\" }").1.first?.contains("at most 50 levels") == true)
    // Its states are the sets of the last twenty acts.
    let wide = "(a|b)* a" + String(repeating: " (a|b)", count: 20)
    #expect(read("{ draw: [\"a\", \"b\"], model: \"\(wide)\" }").1.first?.contains("more than 1000 states") == true)
    let long = String(repeating: "a ", count: 300)
    #expect(read("{ draw: [\"a\"], model: \"\(long)\" }").1.first?.contains("at most 200 acts") == true)
  }

  @Test func `acts without an app are refused`() {
    let text = "{ scenario: \"hands\", acts: { draw: [\"tap\"] } }"
    let (scenario, found) = Scenario.read(Array(text.utf8), file: "s.json5", folder: ".")
    #expect(found.flatMap(\.lines).isEmpty)
    #expect(throws: Failure.self) { try scenario.checkApps() }
  }
}
