package import CoachProtocol
package import Link
package import LinkStore

/// Queries of the training history: the database filters, sorts and cuts pages.
///
/// Each of the four tables is read by its index of dates, newest first, and SQLite merges them: a page costs its own
/// rows, however many there are. A page continues after the last session of the one before it, so that one that is
/// stored in between moves nothing.
package struct SessionQueryService {
  private let database: Database

  package init(_ database: Database) { self.database = database }

  /// Number of sessions in memory at a time, at most.
  package static let countMax = 10_000

  private static let columns = "id, startDate, endDate, name, totalDistance, totalDuration"

  /// The SQL of a page: of one discipline, or of all.
  package static func sql(_ discipline: TrainingDiscipline?) -> String {
    let tables = TrainingDiscipline.allCases.filter { discipline == nil || $0 == discipline }
    // A row value is compared by the index (startDate, id).
    let selects = tables.map {
      "SELECT '\($0.rawValue)' AS discipline, \(columns) FROM \($0.table) "
        + "WHERE startDate >= ?1 AND (startDate, id) < (?2, ?3)"
    }
    return selects.joined(separator: " UNION ALL ") + " ORDER BY startDate DESC, id DESC LIMIT ?4"
  }

  /// A page of the training history, newest first.
  package func sessions(_ query: SessionQuery) throws(StoreError) -> [TrainingSession] {
    let statement = Statement(database, Self.sql(query.discipline))
    // "~" is after every identifier of that date.
    var last = (date: query.period.upperBound, id: "~")
    if let after = query.after, after.startDate <= last.date { last = (after.startDate, after.id.text) }
    statement.bind(query.period.lowerBound, last.date, last.id, min(query.countMax, Self.countMax))
    return try statement.load { (row) throws(StoreError) in
      guard let discipline = TrainingDiscipline(rawValue: row.text(0)), let id = Identifier(text: row.text(1)) else {
        throw StoreError(.corrupt, "a session of the store has no identifier")
      }
      return TrainingSession(
        id: id, discipline: discipline, startDate: row.int64(2), endDate: row.int64(3), name: row.text(4),
        totalDistance: row.double(5), totalDuration: row.double(6))
    }
  }

  /// The totals of a period, of one discipline or of all.
  package func statistics(
    _ period: ClosedRange<Int64>, _ discipline: TrainingDiscipline? = nil
  ) throws(StoreError) -> SessionStatistics {
    var statistics = SessionStatistics()
    for one in TrainingDiscipline.allCases where discipline == nil || one == discipline {
      let statement = Statement(
        database,
        "SELECT count(*), total(totalDistance), total(totalDuration) FROM \(one.table) WHERE startDate BETWEEN ?1 AND ?2"
      )
      statement.bind(period.lowerBound, period.upperBound)
      while try statement.step() {
        let count = Int(statement.int64(0))
        guard count > 0 else { continue }
        statistics.counts[one] = count
        statistics.count += count
        statistics.totalDistance += statement.double(1)
        statistics.totalDuration += statement.double(2)
      }
    }
    return statistics
  }

  /// The mean of each skill, from the snapshots since a date in nanoseconds since 1970, and from the newest of them.
  package func skillAverages(since date: Int64) throws(StoreError) -> [SkillAverage] {
    let statement = Statement(
      database,
      """
      SELECT domain, avg(score), avg(CASE WHEN place <= ?2 THEN score END), count(*) FROM (
        SELECT domain, score, row_number() OVER (PARTITION BY domain ORDER BY recordedAt DESC, id DESC) AS place
        FROM SkillSnapshot WHERE recordedAt >= ?1)
      GROUP BY domain ORDER BY domain
      """)
    statement.bind(date, Int64(SkillAverage.rollingCount))
    return try statement.load {
      SkillAverage(domain: $0.text(0), score: $0.double(1), rolling: $0.double(2), count: Int($0.int64(3)))
    }
  }
}
