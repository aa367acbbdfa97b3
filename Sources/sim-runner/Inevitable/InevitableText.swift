import Link

/// The curve of a search as text: a row for each instant, a sentence, and the story around the rise.
struct InevitableText {
  let search: InevitableSearch

  /// The longest story that is shown, in lines.
  static let storyMax = 16
  /// From this share on, a failure counts as inevitable from the start.
  private static let certain = 0.9
  /// A rise below this is not named: with few futures it may be chance.
  private static let steep = 0.3

  /// The curve, a row for each instant: `2:24.500  20 of 20  ####################`.
  var curve: [String] {
    search.curve.map { point in
      let clock = point.at.text
      let count = "\(point.failed) of \(point.runs)"
      let bar = String(repeating: "#", count: Int((point.share * 20).rounded()))
      let row = Self.padded(clock, 12) + Self.padded(count, 12)
      return bar.isEmpty ? row : row + "  " + bar
    }
  }

  /// What the curve says, in a sentence or two.
  var conclusion: String {
    guard let first = search.curve.first, let (before, after) = search.jump else { return "" }
    if first.share >= Self.certain {
      return
        "inevitable from the start: \(first.failed) of \(first.runs) futures fail, whatever the links and faults do"
    }
    guard after.share - before.share >= Self.steep else {
      return
        "\(first.failed) of \(first.runs) futures fail from the start, and no single instant makes much of a difference"
    }
    let rise = "\(Self.percent(before.share)) to \(Self.percent(after.share))"
    return "inevitable from \(after.at.text) on: what happened between \(before.at.text) and "
      + "\(after.at.text) raised the failure from \(rise)"
  }

  /// The lines of a story around the rise: from ten seconds before it to the failure.
  static func excerpt(_ story: [StoryLine], of search: InevitableSearch) -> [StoryLine] {
    guard let (before, _) = search.jump else { return [] }
    let from = VirtualTime(nanoseconds: max(0, before.at.nanoseconds - 10_000_000_000))
    let to = VirtualTime(nanoseconds: max(0, search.finding.time))
    return Array(story.filter { $0.time >= from && $0.time <= to }.prefix(storyMax))
  }

  /// The members of `--json`.
  static func members(_ search: InevitableSearch, _ scenario: Scenario) -> [JSONMember] {
    let points = search.curve.map { point in
      JSONNode(
        .object([
          JSONMember("t", .integer(point.at.nanoseconds)), JSONMember("failed", .integer(Int64(point.failed))),
          JSONMember("runs", .integer(Int64(point.runs))),
        ]))
    }
    var members = [
      JSONMember("scenario", .string(scenario.name)), JSONMember("seed", .string(String(scenario.seed))),
      JSONMember("verdict", .string("fail")), JSONMember("invariant", .string(search.finding.invariant)),
      JSONMember("detail", .string(search.finding.detail)), JSONMember("time", .integer(search.finding.time)),
    ]
    if let (before, after) = search.jump {
      members.append(JSONMember("from", .integer(before.at.nanoseconds)))
      members.append(JSONMember("to", .integer(after.at.nanoseconds)))
      members.append(JSONMember("shareBefore", .plain(before.share)))
      members.append(JSONMember("shareAfter", .plain(after.share)))
    }
    members.append(JSONMember("curve", .array(points)))
    members.append(JSONMember("runs", .integer(Int64(search.runs))))
    members.append(JSONMember("stopped", .bool(search.wasStopped)))
    return members
  }

  /// The curve for a report's page: `{ points: [[t, failed, runs], ...], from, to, text }`, instants in microseconds.
  var page: JSONNode {
    let points = search.curve.map { point in
      ReportJSON.row([
        .integer(ReportCollector.microseconds(point.at)), .integer(Int64(point.failed)), .integer(Int64(point.runs)),
      ])
    }
    var members = [
      JSONMember("points", .array(points)), JSONMember("text", .string(conclusion)),
      JSONMember("invariant", .string(TerminalText.escape(search.finding.invariant))),
    ]
    if let (before, after) = search.jump, after.share - before.share >= Self.steep {
      members.append(JSONMember("from", .integer(ReportCollector.microseconds(before.at))))
      members.append(JSONMember("to", .integer(ReportCollector.microseconds(after.at))))
    }
    return JSONNode(.object(members))
  }

  private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
