import CoachProtocol
import Link

/// What a session shows of a skill: one number from its rows, so that a changed session gives a new one.
struct SkillScore {
  /// One of the document's subscores of a drill.
  var domain: String
  /// 0 to 100.
  var score: Double
  /// The numbers behind it.
  var metrics: [JSONMember]

  /// The score of a session; nil if it has too few parts to tell.
  ///
  /// - Parameters:
  ///   - discipline: Of the session.
  ///   - session: The session's row.
  ///   - parts: The rows of its parts.
  init?(_ discipline: TrainingDiscipline, _ session: TrainingRow, parts: [TrainingRow]) {
    func of(_ table: String) -> [TrainingRow] { parts.filter { $0.entity.name == table } }
    switch discipline {
    case .running, .swimming:
      let times = of("Split").compactMap { $0.real("duration") }
      guard times.count > 1, let fastest = times.min(), let slowest = times.max(), slowest > 0 else { return nil }
      self.init("rhythm", fastest, of: slowest, "fastest", "slowest")
    case .riding:
      // A sum of whole nanoseconds: one of fractions depends on the order of the rows, which two phones have differently.
      func seconds(_ rein: Rein) -> Double {
        let nanoseconds = of("ReinSegment").filter { $0.text("rein") == rein.text }.reduce(Int64(0)) { sum, row in
          sum +| ((row.integer("endDate") ?? 0) -| (row.integer("startDate") ?? 0))
        }
        return Double(nanoseconds) / 1e9
      }
      let (left, right) = (seconds(.left), seconds(.right))
      guard max(left, right) > 0 else { return nil }
      self.init("symmetry", min(left, right), of: max(left, right), "shorter", "longer")
    case .shooting:
      let count = of("Shot").count
      guard count > 0, let total = session.integer("totalScore") else { return nil }
      self.init("stability", Double(total), of: Double(count * 10), "total", "possible")
    }
  }

  private init(_ domain: String, _ part: Double, of whole: Double, _ first: String, _ second: String) {
    self.domain = domain
    score = min(100, max(0, 100 * part / whole))
    metrics = JSONMember.list([first: part, second: whole])
  }

  /// The session's snapshot.
  func row(
    _ discipline: TrainingDiscipline, _ session: TrainingRow, athlete: Identifier?
  ) -> TrainingRow {
    TrainingRow(
      "SkillSnapshot", Identifier(of: session.id, "SkillSnapshot", 0),
      [
        "recordedAt": session["endDate"], "domain": .text(domain), "score": .real(score),
        "discipline": .text(discipline.rawValue), "sourceSessionID": .id(session.id),
        "sourceSessionType": .text(discipline.table),
        "contributingMetrics": .text(JSONValue.object(metrics).compactText),
        "athleteProfile": .id(athlete),
      ])
  }
}

/// What exercises show of skills.
extension TrainingBook {
  /// The subscores of an exercise, which are domains of skills.
  private static let subscores = [
    "stability", "symmetry", "endurance", "coordination", "breathing", "rhythm", "reaction",
  ]

  /// Stores a snapshot for each subscore of an exercise, and for the balance of an exercise of that name.
  mutating func updateSkills(ofDrill drill: TrainingRow, _ orders: inout Orders) {
    var scores = Self.subscores.compactMap { domain in drill.real(domain).map { (domain, $0) } }
    if drill.text("drillType") == "balance", let mean = drill.real("stability") { scores.append(("balance", mean)) }
    for (domain, score) in scores {
      let row = TrainingRow(
        "SkillSnapshot", Identifier(of: drill.id, "SkillSnapshot/\(domain)", 0),
        [
          "recordedAt": drill["endDate"], "domain": .text(domain), "score": .real(score),
          "discipline": drill["discipline"], "sourceSessionID": .id(drill.id),
          "sourceSessionType": .text("DrillSession"),
          "contributingMetrics": .text(JSONValue.object(JSONMember.list([domain: score])).compactText),
          "athleteProfile": .id(athlete),
        ])
      guard record.row("SkillSnapshot", row.id) != row else { continue }
      put(row, &orders)
    }
  }

  /// The stored scores of an exercise, by domain; an empty object without any.
  func skills(ofDrill id: Identifier) -> JSONText {
    let rows = record.rows("SkillSnapshot").filter { $0.identifier("sourceSessionID") == id }
    let scores = rows.compactMap { row -> JSONMember? in
      guard let domain = row.text("domain"), let score = row.real("score") else { return nil }
      return JSONMember(domain, .plain(score))
    }
    return JSONText(JSONValue.object(scores.sorted { $0.key < $1.key }).compactText)
  }
}
