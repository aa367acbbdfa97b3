import CoachProtocol
import Console
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
    add(
      prefix + "training",
      rows: [
        counts.map { JSONMember($0.name, .count($1.count)) }
          + [JSONMember("incompleteReports", .count(record.pending.count))]
      ])
    let sessions = record.sessions(SessionQuery(countMax: StateInspection.listedMax))
    add(prefix + "sessions", sessions, of: record.sessionCount) { session in
      [
        "id": .string(session.id.text), "discipline": .string(session.discipline.rawValue),
        "startDate": .string(LocalDay.dateText(session.startDate)), "distance": .plain(session.totalDistance),
        "duration": .plain(session.totalDuration),
      ]
    }
    add(prefix + "competitions", rows: record.rows("Competition").map { Self.members($0) })
    for (name, table) in Self.listed {
      let rows = record.rows(table)
      guard !rows.isEmpty else { continue }
      add(prefix + name, rows: rows.prefix(StateInspection.listedMax).map { Self.members($0) }, of: rows.count)
    }
    add(prefix + "skills", record.skillAverages()) { average in
      [
        "domain": .string(average.domain), "average": .plain((average.score * 100).rounded() / 100),
        "rolling": .plain((average.rolling * 100).rounded() / 100),
        "snapshots": .count(average.count),
      ]
    }
  }

  /// Adds the second phone's rows, and how far both phones agree; nothing without a second phone.
  mutating func addSecond(_ record: PhoneRecord) {
    let (first, second) = (record.training, record.secondTraining)
    guard !second.isEmpty else { return }
    var differing = 0
    for (one, two) in zip(first.tables, second.tables) {
      for id in Set(one.keys).union(two.keys) where one[id] != two[id] { differing += 1 }
    }
    addRow(
      "sync",
      [
        "exchanged": .count(second.synced.count), "queued": .count(first.queued.count),
        "queuedOnSecond": .count(second.queued.count), "differing": .count(differing),
      ])
    addTraining(second, prefix: "second.")
  }

  /// Rows that people add, by the name of their section.
  private static let listed = [
    ("competitionTasks", "CompetitionTask"), ("plannedWorkouts", "WorkoutTemplate"), ("photos", "RidePhoto"),
    ("targetScans", "TargetScanAnalysis"),
  ]

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
