import CoachProtocol
import Link
import PhoneSim

/// Rows of the training sessions.
extension InspectedDevice {
  /// Adds the number of rows of each table, the sessions, the competition and the athlete's averages; nothing for a
  /// phone without sessions.
  ///
  /// - Parameter prefix: Before the names of the sections.
  mutating func addTraining(_ record: TrainingRecord, prefix: String = "") {
    guard !record.isEmpty else { return }
    let counts = zip(TrainingCatalog.all, record.tables).filter { !$1.isEmpty }
    sections.append(
      Section(
        name: prefix + "training",
        rows: [
          counts.map { JSONMember($0.name, .integer(Int64($1.count))) }
            + [JSONMember("incompleteReports", .integer(Int64(record.pending.count)))]
        ]))
    let sessions = SessionQuery(countMax: StateInspection.listedMax)
    let total = record.sessionCount
    sections.append(
      Section(
        name: prefix + "sessions", rows: record.sessions(sessions).map { Self.row($0) },
        total: total > StateInspection.listedMax ? total : nil))
    sections.append(Section(name: prefix + "competitions", rows: record.rows("Competition").map { Self.members($0) }))
    for (name, table) in Self.listed { addList(prefix + name, record.rows(table)) }
    sections.append(
      Section(
        name: prefix + "skills",
        rows: record.skillAverages.map { average in
          [
            JSONMember("domain", .string(average.domain)),
            JSONMember("average", .plain((average.score * 100).rounded() / 100)),
            JSONMember("snapshots", .integer(Int64(average.count))),
          ]
        }))
  }

  /// Adds the second phone's rows, and how far both phones agree; nothing without a second phone.
  mutating func addSecond(_ record: PhoneRecord) {
    let (first, second) = (record.training, record.secondTraining)
    guard !second.isEmpty else { return }
    var differing = 0
    for (one, two) in zip(first.tables, second.tables) {
      for id in Set(one.keys).union(two.keys) where one[id] != two[id] { differing += 1 }
    }
    sections.append(
      Section(
        name: "sync",
        rows: [
          [
            JSONMember("exchanged", .integer(Int64(second.synced.count))),
            JSONMember("queued", .integer(Int64(first.queued.count))),
            JSONMember("queuedOnSecond", .integer(Int64(second.queued.count))),
            JSONMember("differing", .integer(Int64(differing))),
          ]
        ]))
    addTraining(second, prefix: "second.")
  }

  /// Rows that people add, by the name of their section.
  private static let listed = [
    ("competitionTasks", "CompetitionTask"), ("plannedWorkouts", "WorkoutTemplate"), ("photos", "RidePhoto"),
    ("targetScans", "TargetScanAnalysis"),
  ]

  /// Adds the rows of a table; nothing if it has none.
  private mutating func addList(_ name: String, _ rows: [TrainingRow]) {
    guard !rows.isEmpty else { return }
    let shown = rows.prefix(StateInspection.listedMax).map { Self.members($0) }
    sections.append(Section(name: name, rows: shown, total: rows.count > shown.count ? rows.count : nil))
  }

  private static func row(_ session: TrainingSession) -> [JSONMember] {
    [
      JSONMember("id", .string(session.id.text)), JSONMember("discipline", .string(session.discipline.rawValue)),
      JSONMember("startDate", .string(LocalDay.dateText(session.startDate))),
      JSONMember("distance", .plain(session.totalDistance)), JSONMember("duration", .plain(session.totalDuration)),
    ]
  }

  /// A row's columns that have a value.
  private static func members(_ row: TrainingRow) -> [JSONMember] {
    [JSONMember("id", .string(row.id.text))]
      + zip(row.entity.columns, row.values).compactMap { column, value in
        switch (column.kind, value) {
        case (_, .null): nil
        case (.date, .integer(let date)): JSONMember(column.name, .string(LocalDay.dateText(date)))
        case (_, .integer(let number)): JSONMember(column.name, .integer(number))
        case (_, .real(let number)): JSONMember(column.name, .plain(number))
        case (_, .text(let text)): JSONMember(column.name, .string(text))
        }
      }
  }
}
