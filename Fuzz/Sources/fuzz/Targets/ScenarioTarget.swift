@testable import Link
@testable import Simulator

enum ScenarioTarget: FuzzTarget {
  static let name = "scenarios"
  static let about = "scenarios; a good one is good again after saving"
  static let lengthMax = 8_192
  static var words: [String] {
    FaultCatalog.all.map { $0.kind }
      + [
        "scenario:", "duration:", "faults:", "link:", "uplink:", "nemesis:", "expect:", "workout:", "phone:", "watch:",
        "script:", "events:", "edge:", "at:", "for:", "memory:", "plan:", "payload:", "checks:", "1h", "30s", "100ms",
      ]
  }

  static func seeds(_ tree: SourceTree) -> [[UInt8]] {
    tree.files(in: "scenarios", suffix: ".json5") + tree.files(in: "traces", suffix: ".json5")
  }

  static func run(_ bytes: [UInt8]) {
    let (scenario, diagnostics) = Scenario.read(bytes, file: "x.json5", folder: "/nonexistent")
    for list in diagnostics { _ = list.lines }
    guard !diagnostics.contains(where: { $0.hasErrors }) else { return }
    // A long plan under a nemesis says no more than a short one.
    guard scenario.nemesis == nil || scenario.duration <= .hours(1) else { return }
    let text = SavedScenario.text(scenario.settled, in: "/nonexistent")
    let (_, again) = Scenario.read(Array(text.utf8), file: "x.json5", folder: "/nonexistent")
    let errors = again.filter(\.hasErrors).flatMap { $0.lines }
    precondition(errors.isEmpty, "a saved scenario has errors: \(errors)")
  }
}
