import CoachProtocol
import Link
import PhoneSim
import Testing

@testable import Simulator

/// The keys `run`, `race` and `health` of a scenario.
@Suite struct RaceReadTests {
  private static let race = "name: \"City\", distanceMeters: 5000, targetTimeSeconds: 1440"

  private func read(_ members: String, mode: String = "race") -> (Scenario, String) {
    let text = "{ scenario: \"x\", workout: { mode: \"\(mode)\", personality: \"calm\" }, \(members) }"
    let (scenario, found) = Scenario.read(Array(text.utf8), file: "s", folder: "/")
    return (scenario, found.map(\.description).joined())
  }

  @Test func `a race brings its plan, its lines, and leaves a script's own order`() {
    let (scenario, errors) = read(
      "race: { \(Self.race), fuelingPlan: [{ atMeters: 2000, text: \"Gel.\" }] }, run: { perceivedEffort: 7 }")
    #expect(errors.isEmpty)
    #expect(scenario.plan == Plan(distance: 5_000, time: 1_440))
    #expect(scenario.script.messages.map(\.id) == ["kilometre", "halfway", "finish", "fueling.1"])
    #expect(scenario.script.messages.allSatisfy { $0.prerenderedAudioPath != nil })
    #expect(scenario.race?.pacingStrategy == .even && scenario.remarks.perceivedEffort == 7)
    #expect(read("race: { \(Self.race) }, plan: { distance: 400 }").0.plan == Plan(distance: 400, time: nil))
    // A race that is not planned writes what it wrote.
    let bare = read("memory: {}").0
    #expect(bare.script.messages.allSatisfy { $0.prerenderedAudioPath == nil } && bare.health == nil)
    #expect(read("health: {}").0.health == HealthAccess(syncLag: .seconds(30)))
  }

  @Test(arguments: [
    ("race: { name: \"City\" }", "distanceMeters"),
    ("race: { \(race), pacingStrategy: \"fast\" }", "negative"),
    ("race: { \(race), fuelingPlan: [{ text: \"Gel.\" }] }", "found no place"),
    ("race: { \(race), fuelingPlan: [{ atMeters: 1, atSeconds: 2, text: \"Gel.\" }] }", "atMeters and atSeconds"),
    ("race: { \(race), hydrationPlan: [{ atMeters: 1, text: \" \" }] }", "found no word"),
    ("race: { \(race), hydrationPlan: [{ atMeters: -1, text: \"Water.\" }] }", "atMeters"),
    ("run: { perceivedEffort: 11 }", "perceivedEffort"),
    ("run: { label: \"\(String(repeating: "l", count: 201))\" }", "at most 200"),
    (
      "race: { \(race), fuelingPlan: [{ atMeters: 9, text: \"Gel.\" }] }, script: { messages: "
        + "[{ id: \"fueling.1\", triggerSpec: { type: \"halfway\" }, text: \"x\" }] }",
      "one of the race's own"
    ),
  ])
  func `an error is reported at its place`(members: String, part: String) {
    let errors = read(members).1
    #expect(errors.contains(part), "\(errors)")
  }

  @Test func `a race in another mode is refused`() {
    #expect(read("race: { \(Self.race) }", mode: "training").1.contains("expected workout.mode: \"race\""))
  }
}
