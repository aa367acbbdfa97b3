package import Simulator
package import TraceTools
package import Console
package import Link

/// The curve of a search as text: a row for each instant, a sentence, and the story around the rise.
package struct InevitableText {
  package let search: InevitableSearch

  /// The longest story that is shown, in lines.
  static let storyMax = 16

  package init(search: InevitableSearch) { self.search = search }

  /// The curve, a row for each instant: `2:24.500  20 of 20  ####################`.
  package var curve: [String] {
    search.curve.map { point in
      let clock = point.at.text
      let count = "\(point.failed) of \(point.runs)"
      let bar = String(repeating: "#", count: Int((point.share * 20).rounded()))
      let row = Self.padded(clock, 12) + Self.padded(count, 12)
      return bar.isEmpty ? row : row + "  " + bar
    }
  }

  /// What the curve says, in a sentence or two.
  package var conclusion: String {
    guard let first = search.curve.first else { return "" }
    guard let (before, after) = search.noReturn else {
      return
        "inevitable from the start: \(first.failed) of \(first.runs) futures fail, whatever the links and faults do"
    }
    let all = "all \(StoryText.count(after.runs, "future")) fail"
    var text =
      "inevitable from \(after.at.text) on: \(all) from there, \(before.failed) of \(before.runs) from "
      + before.at.text + underway(from: before.at, to: after.at)
    if let steep = steepRise, steep.after.at < after.at {
      text +=
        ". The largest rise comes earlier, between \(steep.before.at.text) and \(steep.after.at.text): from "
        + "\(Self.percent(steep.before.share)) to \(Self.percent(steep.after.share))"
        + underway(from: steep.before.at, to: steep.after.at)
    }
    return text
  }

  /// The interventions and until when each averts the failure, a row for each: `killing the phone's app  until 2:31.243`.
  package var waysOut: [String] {
    let width = search.waysOut.map(\.intervention.name.count).max() ?? 0
    return search.waysOut.map { way in
      let name = way.intervention.name + String(repeating: " ", count: width - way.intervention.name.count)
      return "\(name)  \(way.until.map { "until \($0.text)" } ?? "never")"
    }
  }

  /// The last way out, in a sentence; nil if no intervention was tried.
  package var lastWayOut: String? {
    guard !search.waysOut.isEmpty else { return nil }
    guard let way = search.lastWayOut, let until = way.until else {
      return "no way out: nothing that was tried averts the failure"
    }
    return "last way out: \(way.intervention.name) at \(until.text) averts the failure; "
      + "from \(way.next.text) on nothing that was tried does"
  }

  private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }

  /// The interval of the largest rise; nil if it is too low to mean something.
  private var steepRise: (before: InevitableSearch.Point, after: InevitableSearch.Point)? {
    guard let rise = search.rise, rise.after.share - rise.before.share >= InevitableSearch.steep else { return nil }
    return rise
  }

  /// The limit of faults that the conclusion names.
  private static let faultsMax = 3

  /// The faults that are active in an interval, as the rest of a sentence; empty for none.
  private func underway(from begin: VirtualTime, to end: VirtualTime) -> String {
    let faults = search.activeFaults(from: begin, to: end)
    guard !faults.isEmpty else { return "" }
    // The newest first: those that began long before matter less often.
    let newest = faults.sorted { $0.begin > $1.begin }
    let names = newest.prefix(Self.faultsMax).map { fault in
      "\(TerminalText.escape(fault.id)) (\(type(of: fault.body.fault).kind)) since \(fault.begin.text)"
    }
    let more = faults.count - names.count
    return ", with " + names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  /// The lines of a story from ten seconds before the last instant with a future without the failure, or else before
  /// the last way out, to the failure.
  package static func excerpt(_ story: [StoryLine], of search: InevitableSearch) -> [StoryLine] {
    let wayOut = search.noReturn?.before.at ?? search.lastWayOut?.until
    guard let before = wayOut ?? search.curve.first?.at else { return [] }
    let from = VirtualTime(nanoseconds: max(0, before.nanoseconds - 10_000_000_000))
    let to = VirtualTime(nanoseconds: max(0, search.finding.time))
    return Array(story.filter { $0.time >= from && $0.time <= to }.prefix(storyMax))
  }

  /// The members of `--json`.
  package static func members(_ search: InevitableSearch, _ scenario: Scenario) -> JSONFields {
    [
      "scenario": .string(scenario.name), "seed": .string(String(scenario.seed)), "verdict": .string("fail"),
      "invariant": .string(search.finding.invariant), "detail": .string(search.finding.detail),
      "time": .integer(search.finding.time), "from": search.noReturn.map { .integer($0.before.at.nanoseconds) },
      "to": search.noReturn.map { .integer($0.after.at.nanoseconds) },
      "shareBefore": search.noReturn.map { .plain($0.before.share) },
      "rise": search.rise.map { before, after in
        .fields([
          "from": .integer(before.at.nanoseconds), "to": .integer(after.at.nanoseconds),
          "shareBefore": .plain(before.share), "shareAfter": .plain(after.share),
        ])
      },
      "waysOut": .objects(search.waysOut) { way in
        [
          "intervention": .string(way.intervention.name), "until": .count(way.until?.nanoseconds),
          "next": .integer(way.next.nanoseconds),
        ]
      },
      "curve": .objects(search.curve) { point in
        ["t": .integer(point.at.nanoseconds), "failed": .count(point.failed), "runs": .count(point.runs)]
      },
      "runs": .count(search.runs), "stopped": .bool(search.wasStopped),
    ]
  }

  /// The curve for a report's page: `{ points: [[t, failed, runs], ...], from, to, text }`, instants in microseconds.
  package var page: JSONNode {
    let points = search.curve.map { point in
      ReportJSON.row([
        .integer(ReportCollector.microseconds(point.at)), .count(point.failed), .count(point.runs),
      ])
    }
    return JSONNode(
      .fields([
        "points": .array(points),
        "text": .string([conclusion, lastWayOut].compactMap { $0.map(Self.sentence) }.joined(separator: " ")),
        "invariant": .string(TerminalText.escape(search.finding.invariant)),
        "from": search.noReturn.map { .integer(ReportCollector.microseconds($0.before.at)) },
        "to": search.noReturn.map { .integer(ReportCollector.microseconds($0.after.at)) },
      ]))
  }

  private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
