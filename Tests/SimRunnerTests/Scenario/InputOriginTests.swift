import Foundation
import Link
import Testing

@testable import Console
@testable import Simulator

/// Which generator draws each key of a scenario.
@Suite struct `origins of inputs` {
  @Test func `every key of a scenario has one`() {
    let missing = InputOrigin.everyKey.filter { InputOrigin.of($0) == nil }
    #expect(missing.isEmpty, "say in InputOrigin what draws these keys, or why nothing does: \(missing)")
    #expect(InputOrigin.everyKey.count > 250)
    #expect(InputOrigin.of("workout.events.leap") == nil)
  }

  @Test func `keys that drawn days are to have occur in them`() throws {
    var wanted = Set(
      InputOrigin.everyKey.filter { InputOrigin.of($0) == .drawn(by: "athlete.draw") && $0.hasPrefix("phone.") })
    wanted.formUnion(["flights", "workouts", "workout.events.pause", "workout.source.model.stops"])
    let text =
      "{ scenario: \"days\", athlete: { draw: { days: 2, workouts: 4, edits: 8, syncs: 8, denials: 3, flights: 1 } } }"
    var (scenario, _) = Scenario.read(Array(text.utf8), file: "s.json5", folder: ".")
    for seed in 1...60 as ClosedRange<UInt64> where !wanted.isEmpty {
      scenario.seed = seed
      Self.visit(SavedScenario.node(scenario, in: "/"), at: "") { wanted.remove($0) }
    }
    // What an event has beside its `do` is written with it.
    wanted = wanted.filter { $0.split(separator: ".").count < 4 }
    #expect(wanted.isEmpty, "no day of 60 seeds has \(wanted.sorted())")
  }

  /// Passes on the path of each key, as the census names it.
  private static func visit(_ node: JSONNode, at path: String, _ body: (String) -> Void) {
    switch node.value {
    case .array(let elements): for element in elements { visit(element, at: path, body) }
    case .object(let members):
      if let what = node["do"]?.text { body("\(path).\(what)") }
      for member in members {
        let own = path.isEmpty ? member.key : "\(path).\(member.key)"
        body(own)
        visit(member.node, at: own == "workouts" ? "workout" : own, body)
      }
    default: break
    }
  }

  @Test func `the schema says which generator draws a key`() {
    let about = { (name: String) in InputOrigin.described.fields.first { $0.name == name }?.about ?? "" }
    #expect(about("timeZone").hasSuffix("(drawn by athlete.draw)"))
    #expect(!about("scenario").contains("drawn by"))
  }
}
