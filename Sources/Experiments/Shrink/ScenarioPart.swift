import Simulator
import Console
import Link

/// What a scenario lists besides faults, and what the shrinker tries to drop of it.
///
/// A change is made in the scenario's file and read back, so that a shrunk run is always one that a file can describe.
enum ScenarioPart: CaseIterable {
  /// What users do: `workout.events`, `phone.events`.
  case watchEvents, phoneEvents
  /// What users do in apps: `watch.acts`, `phone.acts`.
  case watchActs, phoneActs
  case scriptLines

  private var path: (section: String, list: String) {
    switch self {
    case .watchEvents: ("workout", "events")
    case .phoneEvents: ("phone", "events")
    case .watchActs: ("watch", "acts")
    case .phoneActs: ("phone", "acts")
    case .scriptLines: ("script", "messages")
    }
  }

  /// How many there are.
  func count(in scenario: Scenario) -> Int { elements(of: SavedScenario.node(scenario, in: "/"))?.count ?? 0 }

  /// The scenario without some of them; nil if it would not be valid.
  func dropping(_ range: Range<Int>, of scenario: Scenario) -> Scenario? {
    let node = SavedScenario.node(scenario, in: "/")
    guard var elements = elements(of: node), range.upperBound <= elements.count else { return nil }
    elements.removeSubrange(range)
    return Scenario.reading(node.replacing([path.section, path.list], with: JSONNode(.array(elements))))
  }

  private func elements(of node: JSONNode) -> [JSONNode]? {
    guard case .array(let elements)? = node[path.section]?[path.list]?.value else { return nil }
    return elements
  }

  /// The scenario with a link that loses nothing; nil if it has no other one.
  static func withIdealLink(_ scenario: Scenario) -> Scenario? {
    let ideal = JSONNode(.fields(["profile": .string("ideal")]))
    let node = SavedScenario.node(scenario, in: "/")
    guard let link = node["link"], link != ideal else { return nil }
    return Scenario.reading(node.replacing(["link"], with: ideal))
  }

  /// Sections that a run may do without.
  private static let sections = ["memory", "run", "plan", "health", "race", "uplink", "edge"]

  /// The scenario without one of its optional sections, each in turn; the first one without the whole edge.
  static func withoutSections(_ scenario: Scenario) -> [Scenario] {
    guard case .object(let members) = SavedScenario.node(scenario, in: "/").value else { return [] }
    let present = sections.filter { key in members.contains { $0.key == key } }
    let wholeEdge = present.filter { ["uplink", "edge"].contains($0) }
    let sets = (wholeEdge.count > 1 ? [wholeEdge] : []) + present.map { [$0] }
    return sets.compactMap { keys in
      Scenario.reading(JSONNode(.object(members.filter { !keys.contains($0.key) })))
    }
  }
}

extension Scenario {
  /// A scenario as its file would have it, with absolute paths; nil if it would not be valid.
  static func reading(_ node: JSONNode) -> Scenario? {
    let (scenario, diagnostics) = read(node, file: "shrunk", folder: "/")
    return diagnostics.contains { $0.hasErrors } ? nil : scenario
  }
}

/// How much a scenario lists of each kind.
package struct ScenarioSize: Equatable {
  package var events: Int
  package var lines: Int

  init(events: Int, lines: Int) { (self.events, self.lines) = (events, lines) }

  init(_ scenario: Scenario) {
    let parts: [ScenarioPart] = [.watchEvents, .phoneEvents, .watchActs, .phoneActs]
    events = parts.reduce(0) { $0 + $1.count(in: scenario) }
    lines = ScenarioPart.scriptLines.count(in: scenario)
  }
}
