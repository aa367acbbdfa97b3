import CoachProtocol
import Link
import PhoneSim

/// Rows of the training sessions.
extension InspectedDevice {
  /// Adds the number of rows of each table, the sessions, the competition and the athlete's averages; nothing for a
  /// phone without sessions.
  mutating func addTraining(_ record: TrainingRecord) {
    guard !record.isEmpty else { return }
    let counts = zip(TrainingCatalog.all, record.tables).filter { !$1.isEmpty }
    sections.append(
      Section(
        name: "training",
        rows: [
          counts.map { JSONMember($0.name, .integer(Int64($1.count))) }
            + [JSONMember("incompleteReports", .integer(Int64(record.pending.count)))]
        ]))
    let sessions = SessionQuery(countMax: StateInspection.listedMax)
    let total = record.sessionCount
    sections.append(
      Section(
        name: "sessions", rows: record.sessions(sessions).map { Self.row($0) },
        total: total > StateInspection.listedMax ? total : nil))
    sections.append(Section(name: "competitions", rows: record.rows("Competition").map { Self.members($0) }))
    sections.append(
      Section(
        name: "skills",
        rows: record.skillAverages.map { average in
          [
            JSONMember("domain", .string(average.domain)), JSONMember("average", .plain(average.score)),
            JSONMember("snapshots", .integer(Int64(average.count))),
          ]
        }))
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
