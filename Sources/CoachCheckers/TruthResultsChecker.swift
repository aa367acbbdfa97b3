import CoachProtocol
import CoachReference
package import Link

/// `truth-results`: scores and lists say what the athlete did and entered.
package struct TruthResultsChecker: ChecksConditions {
  package static let invariant = "truth-results"
  package static let about =
    "A ride shows the score that was entered last, whatever the clock says; a competition shows the rings that were shot, unless a shot was corrected; the list of runs has every run with its true time and distance, and no other workouts; an exercise has the scores that were entered, and for its stability otherwise the mean of the scored sets."

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

  /// The watch's workouts in the order in which they began, and what the athlete did, by its number from 1.
  private var recorded: [Identifier] = []
  private var done: [Int64: (ended: TrueWorkoutEnded, line: Int)] = [:]
  /// The lines of the rows, and of the stored runs, that were not removed.
  private var rows: Set<Identifier> = []
  private var runs: [Identifier: Int] = [:]
  /// Whether the watch's app died at some time, which may have made a press come later.
  private var hasDied = false
  /// The exercises that the athlete logs on this phone, and when.
  private var drills: [(at: VirtualTime, drill: ReferenceDrill)] = []

  package init(header: TraceHeader) {
    conditions = TruthConditions(header: header)
    for act in header.extra("phone")?["events"]?.elements ?? [] {
      guard let drill = ReferenceDrill(act), let at = TruthConditions.span(act["at"]) else { continue }
      drills.append((.start + at, drill))
    }
    let edits = header.extra("phone")?["training"]?["sync"]?["edits"]
    guard case .array(let elements)? = edits?.value else { return }
    corrections = elements.filter { $0["do"]?.text == "correctShot" }.map {
      .start + (TruthConditions.span($0["at"]) ?? .zero)
    }
  }

  package mutating func trueWorkoutEnded(_ ended: TrueWorkoutEnded, at event: Occurrence, into report: inout Report) {
    conditions.observeAct(at: event)
    done[ended.workout] = (ended, event.line)
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
    if session.discipline == "running" {
      runs[session.workoutId] = event.line
    } else {
      others[session.workoutId] = event.line
    }
  }

  package mutating func trainingRemoved(_ removed: TrainingRemoved, at event: Occurrence, into report: inout Report) {
    runs[removed.sessionId] = nil
  }

  package mutating func workoutState(_ state: WorkoutStateChanged, at event: Occurrence, into report: inout Report) {
    if state.from == "preparing", state.to == "running" { recorded.append(state.workoutId) }
  }

  package mutating func runOpened(_ run: RunOpened, at event: Occurrence, into report: inout Report) {
    rows.insert(run.workoutId)
  }

  package mutating func runRecorded(_ run: RunRecorded, at event: Occurrence, into report: inout Report) {
    rows.insert(run.workoutId)
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    conditions.observe(change, at: event)
    if change.isUp(.watch) == false { hasDied = true }
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

  package mutating func trainingDrill(_ logged: TrainingDrill, at event: Occurrence, into report: inout Report) {
    guard logged.phone == nil, let text = logged.scores?.text,
      let stated = try? JSONParser.parse(text, dialect: .json)
    else { return }
    // Two of one instant may be recorded in any order.
    let meant = drills.filter {
      $0.at == event.time && $0.drill.discipline == logged.discipline && $0.drill.drillType == logged.drillType
    }
    let flaws = meant.map { $0.drill.flaw(of: stated) }
    guard let first = flaws.first, let flaw = first, flaws.allSatisfy({ $0 != nil }) else { return }
    let (has, entered) = (Self.plain(flaw.stated), Self.plain(flaw.entered))
    report.add(
      "an exercise has \(has) for its \(flaw.name), and the athlete's entries say \(entered)", at: event.time,
      lines: [event.line])
  }

  private static func plain(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "nothing" }
    return JSONValue.plain((value * 1_000).rounded() / 1_000).compactText
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
    guard !others.isEmpty || !recorded.isEmpty else { return }
    judge(shown, at: event.time, event.line, &report)
  }

  /// Judges a run of the list by what its athlete did; nil if it is right, or not known.
  private func flaw(of row: JSONNode, _ id: Identifier) -> (why: String, line: Int)? {
    guard let index = recorded.firstIndex(of: id), let (ended, line) = done[Int64(index) + 1],
      let duration = row["duration"]?.double, let distance = row["distance"]?.double
    else { return nil }
    // As in `truth-runs`: a watch measures once a second.
    let seconds = 2 + 2 * Double(ended.stops) + (hasDied ? 10 : 0)
    if abs(duration - Double(ended.active) / 1_000) > seconds {
      return ("a time of \(Self.text(Int64(duration * 1_000))) s, and it took \(Self.text(ended.active)) s", line)
    }
    guard abs(distance - Double(ended.distance) / 1_000) > 0.02 + (hasDied ? 200 : 0) else { return nil }
    return ("\(Self.text(Int64(distance * 1_000))) m, and it was \(Self.text(ended.distance)) m", line)
  }

  private func judge(_ shown: HistoryShown, at now: VirtualTime, _ line: Int, _ report: inout Report) {
    guard let node = try? JSONParser.parse(shown.rows.text, dialect: .json), case .array(let rows) = node.value else {
      return
    }
    var listed: Set<Identifier> = []
    for row in rows {
      guard let id = row["id"]?.text.flatMap({ Identifier(text: $0) }) else { continue }
      listed.insert(id)
      if let stored = others[id] {
        return report.add("the list of runs has a workout of another discipline", at: now, lines: [stored, line])
      }
      if !conditions.isUnknown, let (why, truth) = flaw(of: row, id) {
        return report.add("the list of runs has a run with \(why)", at: now, lines: [truth, line])
      }
    }
    guard !conditions.isUnknown, let missing = recorded.first(where: { isKnown($0) && !listed.contains($0) }),
      let stored = runs[missing]
    else { return }
    report.add("the list of runs lacks a run that is stored", at: now, lines: [stored, line])
  }

  /// Whether a run is in the phone's store, with its row and its session.
  private func isKnown(_ id: Identifier) -> Bool { self.rows.contains(id) && runs[id] != nil }

  private static func text(_ thousandths: Int64?) -> String {
    guard let thousandths else { return "nothing" }
    return JSONValue.plain(Double(thousandths) / 1_000).compactText
  }
}
