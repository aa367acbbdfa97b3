package import Simulator
package import TraceTools
package import Console
import Link

/// The last way out of a failure as text.
package struct InevitableText {
  package let search: InevitableSearch

  /// The longest story that is shown, in lines.
  static let storyMax = 16

  package init(search: InevitableSearch) { self.search = search }

  /// The interventions and until when each averts the failure, a row for each: `killing the phone's app  until 2:31.243`.
  package var waysOut: [String] {
    let width = search.waysOut.map(\.intervention.name.count).max() ?? 0
    return search.waysOut.map { way in
      let name = way.intervention.name + String(repeating: " ", count: width - way.intervention.name.count)
      return "\(name)  \(way.until.map { "until \($0.text)" } ?? "never")"
    }
  }

  /// When it was too late, in a sentence.
  package var conclusion: String {
    guard search.finding.time >= 0 else { return "the failure has no instant: there is no last way out of it" }
    guard let way = search.lastWayOut, let until = way.until else {
      return "no way out: nothing that was tried averts the failure"
    }
    // An app that is gone for good is no remedy, but it shows which app decides, and when.
    if let decider = way.intervention.decider {
      return "decided by \(decider) between \(until.text) and \(way.next.text): without it from \(until.text) on the "
        + "failure does not come, and from \(way.next.text) on nothing that was tried averts it"
    }
    return "last way out: \(way.intervention.name) at \(until.text) averts the failure; "
      + "from \(way.next.text) on nothing that was tried does"
  }

  /// The lines of a story from ten seconds before the last way out to the failure.
  package static func excerpt(_ story: [StoryLine], of search: InevitableSearch) -> [StoryLine] {
    let failure = VirtualTime(nanoseconds: max(0, search.finding.time))
    let before = search.lastWayOut?.until ?? failure
    let from = VirtualTime(nanoseconds: max(0, before.nanoseconds - 10_000_000_000))
    return Array(story.filter { $0.time >= from && $0.time <= failure }.prefix(storyMax))
  }

  /// The members of `--json`.
  package static func members(_ search: InevitableSearch, _ scenario: Scenario) -> JSONFields {
    [
      "scenario": .string(scenario.name), "seed": .string(String(scenario.seed)), "verdict": .string("fail"),
      "invariant": .string(search.finding.invariant), "detail": .string(search.finding.detail),
      "time": .integer(search.finding.time), "conclusion": .string(InevitableText(search: search).conclusion),
      "waysOut": .objects(search.waysOut) { way in
        [
          "intervention": .string(way.intervention.name), "until": .count(way.until?.nanoseconds),
          "next": .integer(way.next.nanoseconds),
        ]
      },
      "runs": .count(search.runs), "stopped": .bool(search.wasStopped),
    ]
  }
}
