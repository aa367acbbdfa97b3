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

  /// The interventions and until when each averts the failure, a row for each, below an axis of the run's time that ends at
  /// the failure.
  ///
  /// The axis begins where the run does or, if every way out is open until shortly before the failure, later.
  package func waysOut(columns: Int) -> [String] {
    guard !search.waysOut.isEmpty else { return [] }
    let width = search.waysOut.map(\.intervention.name.count).max() ?? 0
    let rights = search.waysOut.map { way in way.until.map { "until \($0.text)" } ?? "never" }
    let room = columns - width - 4 - (rights.map(\.count).max() ?? 0)
    let name = { (text: String) in text + String(repeating: " ", count: width - text.count) }
    let failure = max(0, search.finding.time)
    guard room >= 20, failure > 0 else {
      return zip(search.waysOut, rights).map { "\(name($0.intervention.name))  \($1)" }
    }
    let axis = Axis(untils: search.waysOut.compactMap { $0.until?.nanoseconds }, failure: failure, width: room)
    return ["\(name(""))  \(axis.ticks)"]
      + zip(search.waysOut, rights).map { way, right in
        "\(name(way.intervention.name))  \(axis.bar(until: way.until?.nanoseconds))  \(right)"
      }
  }

  /// The time of the run from left to right, up to the failure.
  private struct Axis {
    let from: Int64
    let failure: Int64
    let width: Int

    init(untils: [Int64], failure: Int64, width: Int) {
      let first = untils.min() ?? 0
      // A second from the whole is enough to see; ways out that are all near the end fill a quarter of the axis.
      let lead = max(3 * (failure - first), 1_000_000_000)
      from = first - lead > failure / 4 ? (first - lead) / 1_000_000_000 * 1_000_000_000 : 0
      (self.failure, self.width) = (failure, width)
    }

    /// `0:00        1:53        3:46        ×5:40`: the last one is the failure.
    var ticks: String {
      let end = "×\(StoryText.clock(seconds: failure / 1_000_000_000))"
      var text = ""
      for part in 0..<4 {
        let column = (width - 1) * part / 4
        let label = StoryText.clock(seconds: (from + (failure - from) / 4 * Int64(part)) / 1_000_000_000)
        guard text.count <= column, column + label.count + 2 + end.count <= width || part == 0 else { continue }
        text += String(repeating: " ", count: column - text.count) + label
      }
      return text + String(repeating: " ", count: max(1, width - text.count - 1)) + end
    }

    /// How long the way out is open; nothing for one that never is.
    func bar(until: Int64?) -> String {
      guard let until else { return String(repeating: "·", count: width) }
      let part = Double(max(0, until - from)) / Double(max(1, failure - from))
      let open = min(width - 1, Int((part * Double(width - 1)).rounded()))
      return String(repeating: "━", count: open) + "┫" + String(repeating: "·", count: width - 1 - open)
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
