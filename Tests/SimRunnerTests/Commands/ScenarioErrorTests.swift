import Link
import Testing

@testable import Simulator

/// What is wrong with a scenario is said with its place, what was found and what was expected.
@Suite struct ScenarioErrorTests {
  private static func errors(_ text: String) -> String {
    let (_, diagnostics) = Scenario.read(Array(text.utf8), file: "s.json5", folder: "/")
    return diagnostics.filter(\.hasErrors).map(\.description).joined(separator: "\n")
  }

  @Test(arguments: [
    ("{ scenario: }", "s.json5:1:13: error: "),
    ("{}", "s.json5:1:1: error: "),
    ("{ scenario: 3 }", "s.json5:1:13: error: "),
    ("{ scenario: \"\" }", "s.json5:1:13: error: scenario: found string \"\", expected a name"),
    ("{ scenario: \"x\", sed: 4 }", "s.json5:1:18: error: "),
    ("{ scenario: \"x\",\n  seed: -4 }", "s.json5:2:9: error: "),
    ("{ scenario: \"x\", seed: 1.5 }", "s.json5:1:24: error: "),
    ("{ scenario: \"x\", duration: \"5 minutes\" }", "s.json5:1:28: error: "),
    ("{ scenario: \"x\", duration: \"337h\" }", "s.json5:1:28: error: "),
    ("{ scenario: \"x\", startedAt: \"2026-02-30T06:30:00Z\" }", "s.json5:1:29: error: "),
    ("{ scenario: \"x\", timeZone: \"Mars/Olympus\" }", "s.json5:1:28: error: "),
    ("{ scenario: \"x\", workout: { mode: \"sprint\" } }", "s.json5:1:35: error: "),
    ("{ scenario: \"x\", workout: { source: { model: { distance: 0 } } } }", "error: "),
    ("{ scenario: \"x\", workout: { source: { model: { pace: \"fast\" } } } }", "s.json5:1:54: error: "),
    ("{ scenario: \"x\", workout: { events: [{ at: \"1m\", do: \"jump\" }] } }", "s.json5:1:54: error: "),
    ("{ scenario: \"x\", workout: { events: [{ do: \"pause\" }] } }", "s.json5:1:38: error: "),
    ("{ scenario: \"x\", link: { profile: \"carrier-pigeon\" } }", "s.json5:1:35: error: "),
    ("{ scenario: \"x\", faults: [{ at: \"1m\", dissconnect: {} }] }", "s.json5:1:39: error: "),
    ("{ scenario: \"x\", faults: [{ loss: { probability: 2 } }] }", "s.json5:1:50: error: "),
    (
      "{ scenario: \"x\", faults: [{ channels: [], loss: { probability: 1 } }] }",
      "s.json5:1:39: error: faults[0].channels: found an empty array, expected at least one"
    ),
    (
      "{ scenario: \"x\", link: { supervision: \"24h\", loss: { model: \"gilbert-elliott\", goodToBad: 1, badToGood: 0,"
        + " slot: \"1us\", retry: true } } }", "s.json5:1:24: error: link: found slots so short"
    ),
    ("{ scenario: \"x\", faults: [{ uplink: { loss: { probability: 1 } } }] }", "s.json5:1:27: error: "),
    (
      "{ scenario: \"x\", edge: {}, faults: [{ direction: \"watch-to-phone\", uplink: { loss: { every: 2 } } }] }",
      "s.json5:1:50: error: "
    ),
    ("{ scenario: \"x\", edge: {}, faults: [{ uplink: { kill: \"phone\" } }] }", "kill is a fault of a device"),
    (
      "{ scenario: \"x\", edge: {}, faults: [{ uplink: { delay: { mean: 1 } }, channels: [\"http\"] }] }",
      "carries only http"
    ),
    (
      "{ scenario: \"x\", edge: {}, faults: [{ direction: \"edge-to-phone\", loss: { probability: 1 } }] }",
      "s.json5:1:50: error: "
    ),
    ("{ scenario: \"x\", edge: { failures: [{ do: \"explode\" }] } }", "s.json5:1:43: error: "),
    ("{ scenario: \"x\", edge: 3 }", "s.json5:1:24: error: "),
    ("{ scenario: \"x\", nemesis: { kinds: [\"los\"] } }", "s.json5:1:37: error: "),
    ("{ scenario: \"x\", nemesis: { until: \"0s\" } }", "s.json5:1:36: error: "),
    ("{ scenario: \"x\", script: { messages: [{ id: \"a\" }] } }", "s.json5:1:39: error: "),
    ("{ scenario: \"x\", script: \"nowhere.json\" }", "/nowhere.json: error: no such file"),
    ("{ scenario: \"x\", expect: [{ evnt: \"end\" }] }", "s.json5:1:27: error: "),
    ("{ scenario: \"x\", expect: [{ event: \"link.upp\", between: [0, 1] }] }", "s.json5:1:36: error: "),
    ("{ scenario: \"x\", expect: [{ never: \"violation\" }] }", "s.json5:1:36: error: expect[0].never: found"),
    ("{ scenario: \"x\", plan: { distance: 5000, time: 0 } }", "s.json5:1:48: error: plan.time: found number 0"),
    ("{ scenario: \"x\" } extra", "s.json5:1:19: error: "),
    ("{ scenario: \"x\", scenario: \"y\" }", "s.json5:1:18: error: "),
  ])
  func `a bad scenario is refused at its place`(text: String, place: String) {
    let errors = Self.errors(text)
    #expect(errors.contains(place), "\(text): \(errors)")
  }

  @Test(arguments: [
    ("{ scenario: \"x\", sed: 4 }", "\"seed\""),
    ("{ scenario: \"x\", workout: { personalty: \"calm\" } }", "\"personality\""),
    ("{ scenario: \"x\", faults: [{ dissconnect: {} }] }", "disconnect"),
    ("{ scenario: \"x\", expect: [{ event: \"link.upp\", between: [0, 1] }] }", "\"link.up\""),
    ("{ scenario: \"x\", link: { profil: \"ideal\" } }", "\"profile\""),
  ])
  func `a misspelt word gets a hint at the nearest known one`(text: String, hint: String) {
    #expect(Self.errors(text).contains(hint), "\(Self.errors(text))")
  }

  @Test func `all errors are reported at once, in the order of the text`() {
    let errors = Self.errors("{ scenario: 1,\n sed: 2,\n duration: \"soon\",\n faults: 7 }").split(separator: "\n")
    #expect(errors.map { $0.prefix(10) } == ["s.json5:1:", "s.json5:2:", "s.json5:3:", "s.json5:4:"])
  }
}
