import Simulator
import Console
import Link

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
