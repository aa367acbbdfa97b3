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

  @Test func `every key that drawn days are to have occurs in them`() throws {
    let isDrawn = { InputOrigin.of($0) == .drawn(by: "athlete.draw") }
    var wanted = Set(InputOrigin.everyKey.filter(isDrawn))
    wanted.formUnion(["flights", "workouts", "workout.events.pause", "workout.source.model.stops"])
    // Drawn days have a list of workouts, also of one.
    wanted.remove("workout")
    // A key of one discipline's model is written where the model is.
    wanted = Set(wanted.map { $0.replacing(/source\.model: [a-z]+/, with: "source.model").replacing("[]", with: "") })
    let text = """
      { scenario: "days", athlete: {
        draw: { days: 2, workouts: 4, meals: 4, edits: 8, syncs: 8, denials: 4, flights: 1 } } }
      """
    var (scenario, _) = Scenario.read(Array(text.utf8), file: "s.json5", folder: ".")
    for seed in 1...400 as ClosedRange<UInt64> where !wanted.isEmpty {
      scenario.seed = seed
      Self.visit(SavedScenario.node(scenario, in: "/"), at: "") { wanted.remove($0) }
    }
    #expect(wanted.isEmpty, "no day of 400 seeds has \(wanted.sorted())")
  }

  @Test func `every key that drawn hands are to have occurs in them`() throws {
    var wanted = Set(InputOrigin.everyKey.filter { InputOrigin.of($0) == .drawn(by: "acts.draw") })
    // What an act is, its author says.
    wanted = wanted.filter { $0.hasPrefix("healthKit") || $0.hasPrefix("system") }
    #expect(wanted.count > 20)
    wanted = Set(wanted.map { $0.replacing("[]", with: "") })
    let text = """
      { scenario: "hands", watch: { command: "true" }, healthKit: {}, system: {},
        acts: { draw: ["tap"], access: true } }
      """
    var (scenario, _) = Scenario.read(Array(text.utf8), file: "s.json5", folder: ".")
    for seed in 1...200 as ClosedRange<UInt64> where !wanted.isEmpty {
      scenario.seed = seed
      let node = JSONNode(.object(Scenario.schema.members(of: scenario.handed, .brief)))
      Self.visit(node, at: "") { wanted.remove($0) }
    }
    #expect(wanted.isEmpty, "no hands of 200 seeds have \(wanted.sorted())")
  }

  /// Passes on the path of each key, as the census names it.
  private static func visit(_ node: JSONNode, at path: String, _ body: (String) -> Void) {
    switch node.value {
    case .array(let elements): for element in elements { visit(element, at: path, body) }
    case .object(let members):
      let word = node["do"]?.text
      if let word { body("\(path).\(word)") }
      // What only some forms have is below their word, as in the census.
      for (member, parent) in members.flatMap({ member in
        ([path] + (word.map { ["\(path).\($0)"] } ?? [])).map { (member, $0) }
      }) {
        let own = parent.isEmpty ? member.key : "\(parent).\(member.key)"
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
