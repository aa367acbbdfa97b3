import Console
import Link
import Simulator

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

/// When things happen in a scenario, and the same things at other times.
extension Scenario {
  /// An event or act of the scenario's file.
  struct TimedEvent {
    /// The keys of its list.
    let path: [String]
    /// Its index in the list.
    let index: Int
    let at: VirtualTime
    /// What it does.
    let name: String
  }

  private static let timedLists = [
    ["workout", "events"], ["phone", "events"], ["watch", "acts"], ["phone", "acts"],
  ]

  /// The events and acts of the file, list by list; those that do not say when are left out.
  var timedEvents: [TimedEvent] {
    let node = SavedScenario.node(self, in: "/")
    return Self.timedLists.flatMap { path -> [TimedEvent] in
      (node.node(at: path)?.elements ?? []).enumerated().compactMap { index, event in
        event.instant.map {
          let name = event["do"]?.text ?? event["act"]?.text ?? "an act"
          return TimedEvent(path: path, index: index, at: VirtualTime(nanoseconds: $0), name: name)
        }
      }
    }
  }

  /// When the first fault, event or act happens; nil without any.
  var firstInstant: VirtualTime? { (timedEvents.map(\.at) + faults.map(\.begin)).min() }

  /// The scenario with one event at another instant; nil if it would not be valid.
  func moving(_ event: TimedEvent, to instant: VirtualTime) -> Scenario? {
    let node = SavedScenario.node(self, in: "/")
    guard instant >= .start, var list = node.node(at: event.path)?.elements, list.indices.contains(event.index) else {
      return nil
    }
    list[event.index] = list[event.index].happening(at: instant.nanoseconds)
    return .reading(node.replacing(event.path[...], with: JSONNode(.array(list))))
  }

  /// Everything earlier by a time, or later by a negative one; nil if something would happen before the start.
  ///
  /// - Parameter isLonger: Whether the duration stays; the run's end moves as well without it.
  func happening(earlierBy shift: VirtualTime.Span, isLonger: Bool = false) -> Scenario? {
    guard duration > shift, laterWorkouts.isEmpty, (firstInstant ?? .start) >= .start + shift else { return nil }
    var scenario = self
    for index in scenario.faults.indices {
      scenario.faults[index].begin = scenario.faults[index].begin + shift * -1
      scenario.faults[index].end = scenario.faults[index].end.map { $0 + shift * -1 }
    }
    var node = SavedScenario.node(isLonger ? scenario : scenario.lasting(duration + shift * -1), in: "/")
    for path in Self.timedLists {
      guard let list = node.node(at: path)?.elements, !list.isEmpty else { continue }
      let moved = list.map { event in event.instant.map { event.happening(at: $0 - shift.nanoseconds) } ?? event }
      node = node.replacing(path[...], with: JSONNode(.array(moved)))
    }
    return .reading(node)
  }
}
