import CoachProtocol
import Link
import Testing

@testable import PhoneSim

@Suite struct RaceScriptTests {
  private static let race = RaceSetup(
    id: Identifier(high: 1, low: 1), name: "City 5k", distanceMeters: 5_000, targetTimeSeconds: 1_440,
    fuelingPlan: [RaceCue(.atMeters(2_700), text: "Half a gel."), RaceCue(.atSeconds(1_000), text: "A sweet.")],
    hydrationPlan: [RaceCue(.everyMeters(1_700), text: "Water.")])

  @Test func `cues become lines of their own, before ordinary ones, and every line has its recording`() {
    let own = Script(messages: [
      ScriptMessage(id: "a", trigger: DistanceEveryTrigger(everyMeters: 1_000), text: "Water."),
      ScriptMessage(
        id: "b", trigger: HalfwayTrigger(), text: "Half.", prerenderedAudioPath: "studio.m4a"),
    ])
    let script = RaceScript.make(own, race: Self.race)
    #expect(script.id == "race")
    #expect(script.messages.map(\.id) == ["a", "b", "fueling.1", "fueling.2", "hydration.1"])
    #expect(script.messages.map(\.priority) == [50, 50, 80, 80, 80])
    #expect(script.messages.map(\.playOnce) == [false, true, true, true, false])
    let names = script.messages.compactMap(\.prerenderedAudioPath)
    #expect(names.count == 5 && names[1] == "studio.m4a")
    // One text is rendered once.
    #expect(names[0] == names[4] && Set(names).count == 4)
    #expect(names.allSatisfy { !$0.contains("/") && $0.hasSuffix(".m4a") })
    #expect(own.messages.map(\.prerenderedAudioPath) == [nil, "studio.m4a"])
  }

  @Test func `each cue's line has its tap, and no other line has one`() {
    func haptic(_ message: String, _ race: RaceSetup? = Self.race) -> HapticCue.Kind? {
      RaceScript.haptic(of: message, in: race)
    }
    #expect(haptic("fueling.1") == .fuelingReminder && haptic("fueling.2") == .fuelingReminder)
    #expect(haptic("hydration.1") == .hydrationReminder)
    for other in ["fueling.0", "fueling.3", "hydration.2", "fueling.", "fueling.x", "kilometre", ""] {
      #expect(haptic(other) == nil, "\(other)")
    }
    #expect(haptic("fueling.1", nil) == nil)
    let dry = RaceSetup(id: Identifier(high: 1, low: 1), name: "x", distanceMeters: 1, targetTimeSeconds: 1)
    #expect(haptic("fueling.1", dry) == nil)
  }

  @Test func `a plan survives its text in the store, and an invalid text is no plan`() {
    let plan = [RaceCue(.everyMeters(1_700.5), text: "Water \"now\""), RaceCue(.atSeconds(60), text: "Gel")]
    #expect([RaceCue](cell: plan.cell) == plan)
    for text in ["", "{}", "[1]", "[{\"atMeters\":1}]", "[{\"atMeters\":1,\"atSeconds\":2,\"text\":\"x\"}]"] {
      #expect([RaceCue](cell: .text(text)) == nil, "\(text)")
    }
  }
}
