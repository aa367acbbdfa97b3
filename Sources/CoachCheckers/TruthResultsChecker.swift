import CoachProtocol
import CoachReference
package import Link

/// `truth-results`: scores and lists say what the athlete did and entered.
package struct TruthResultsChecker: ChecksConditions {
  package static let invariant = "truth-results"
  package static let about =
    "A ride shows the score that was entered last, whatever the clock says; a competition shows the rings that were shot, unless a shot was corrected; the list of runs has no other workouts."

  var conditions: TruthConditions
  /// Rings of the athlete's workouts, in thousandths.
  private var rings: Set<Int64> = []
  private var ringsLine = 0
  /// When shots may have been corrected.
  private var corrections: [VirtualTime] = []
  /// When the first of the athlete's workouts with rings ended; nil before.
  private var shotAt: VirtualTime?
  /// What was entered last, when, and its line.
  private var entered: (score: Int64, at: VirtualTime, line: Int)?
  /// The line of each stored session of another discipline than running.
  private var others: [Identifier: Int] = [:]

  package init(header: TraceHeader) {
    conditions = TruthConditions(header: header)
    let edits = header.extra("phone")?["training"]?["sync"]?["edits"]
    guard case .array(let elements)? = edits?.value else { return }
    corrections = elements.filter { $0["do"]?.text == "correctShot" }.map {
      .start + (TruthConditions.span($0["at"]) ?? .zero)
    }
  }

  package mutating func trueWorkoutEnded(_ ended: TrueWorkoutEnded, at event: Occurrence, into report: inout Report) {
    conditions.observeAct(at: event)
    guard let score = ended.score else { return }
    rings.insert(score &* 1_000)
    ringsLine = event.line
    shotAt = shotAt ?? event.time
  }

  package mutating func trueMeal(_: TrueMeal, at event: Occurrence, into report: inout Report) {
    conditions.observeAct(at: event)
  }

  package mutating func trueMealRemoved(_: TrueMealRemoved, at event: Occurrence, into report: inout Report) {
    conditions.observeAct(at: event)
  }

  package mutating func trueScored(_ scored: TrueScored, at event: Occurrence, into report: inout Report) {
    if scored.discipline == "riding" {
      entered = (scored.score, event.time, event.line)
    } else {
      corrections.append(event.time)
    }
  }

  package mutating func trainingStored(_ session: TrainingStored, at event: Occurrence, into report: inout Report) {
    if session.discipline != "running" { others[session.workoutId] = event.line }
  }

  /// Whether a shot may have been corrected since the first was shot.
  private func isCorrected(at now: VirtualTime) -> Bool {
    corrections.contains { $0 <= now && $0 >= shotAt ?? .start }
  }

  package mutating func trainingEdited(_ edit: TrainingEdited, at event: Occurrence, into report: inout Report) {
    guard edit.what == "score", edit.phone == nil, let entered, entered.at == event.time, edit.result != entered.score
    else { return }
    report.add(
      "a ride shows \(Self.text(edit.result)), and \(Self.text(entered.score)) was entered", at: event.time,
      lines: [entered.line, event.line])
  }

  package mutating func competitionUpdated(
    _ competition: CompetitionUpdated, at event: Occurrence, into report: inout Report
  ) {
    guard competition.discipline == "shooting", !isCorrected(at: event.time),
      !conditions.isUnknown, !rings.isEmpty,
      let result = competition.result, !rings.contains(result)
    else { return }
    report.add(
      "a competition shows \(Self.text(result)) rings, and so many were never shot", at: event.time,
      lines: [ringsLine, event.line])
  }

  package mutating func historyShown(_ shown: HistoryShown, at event: Occurrence, into report: inout Report) {
    guard !others.isEmpty else { return }
    judge(shown, at: event.time, event.line, &report)
  }

  private func judge(_ shown: HistoryShown, at now: VirtualTime, _ line: Int, _ report: inout Report) {
    guard let node = try? JSONParser.parse(shown.rows.text, dialect: .json), case .array(let rows) = node.value else {
      return
    }
    for row in rows {
      guard let id = row["id"]?.text.flatMap({ Identifier(text: $0) }), let stored = others[id] else { continue }
      report.add("the list of runs has a workout of another discipline", at: now, lines: [stored, line])
      return
    }
  }

  private static func text(_ thousandths: Int64?) -> String {
    guard let thousandths else { return "nothing" }
    return JSONValue.plain(Double(thousandths) / 1_000).compactText
  }
}
