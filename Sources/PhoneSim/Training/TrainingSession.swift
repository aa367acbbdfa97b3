package import CoachProtocol
package import Link

/// A session of any discipline, as the training history shows it.
package struct TrainingSession: Sendable, Equatable {
  package var id: Identifier
  package var discipline: TrainingDiscipline
  /// Nanoseconds since 1970 by the watch's clock.
  package var startDate: Int64
  package var endDate: Int64
  package var name: String
  /// Metres.
  package var totalDistance: Double
  /// Seconds, pauses excluded.
  package var totalDuration: Double
}

/// What of the training history is asked for: newest first, page by page.
package struct SessionQuery: Sendable, Equatable {
  /// Nanoseconds since 1970, both allowed.
  package var period: ClosedRange<Int64>
  /// Nil for all.
  package var discipline: TrainingDiscipline?
  /// The last session of the page before; nil for the first page.
  package var after: TrainingSession?
  /// Sessions of a page at most.
  package var countMax: Int

  package init(
    period: ClosedRange<Int64> = .min ... .max, discipline: TrainingDiscipline? = nil, after: TrainingSession? = nil,
    countMax: Int = 100
  ) {
    self.period = period
    self.discipline = discipline
    self.after = after
    self.countMax = countMax
  }
}

/// Totals of the sessions of a period.
package struct SessionStatistics: Sendable, Equatable {
  package var count = 0
  /// Metres.
  package var totalDistance = 0.0
  /// Seconds.
  package var totalDuration = 0.0
  /// Sessions of each discipline that has any.
  package var counts: [TrainingDiscipline: Int] = [:]
}

/// The mean score of a skill.
package struct SkillAverage: Sendable, Equatable {
  package var domain: String
  package var score: Double
  /// Of the newest ``rollingCount`` snapshots.
  package var rolling: Double
  /// How many snapshots it is the mean of.
  package var count: Int

  /// Snapshots of a rolling average.
  package static let rollingCount = 5
}

extension TrainingRecord {
  package var sessionCount: Int {
    TrainingDiscipline.allCases.reduce(0) { $0 + tables[TrainingCatalog.index(of: $1.table)].count }
  }

  private func all(_ period: ClosedRange<Int64>, _ discipline: TrainingDiscipline?) -> [TrainingSession] {
    TrainingDiscipline.allCases.filter { discipline == nil || $0 == discipline }.flatMap { discipline in
      rows(discipline.table).map { row in
        TrainingSession(
          id: row.id, discipline: discipline, startDate: row.integer("startDate") ?? 0,
          endDate: row.integer("endDate") ?? 0, name: row.text("name") ?? "",
          totalDistance: row.real("totalDistance") ?? 0, totalDuration: row.real("totalDuration") ?? 0)
      }
    }.filter { period.contains($0.startDate) }
  }

  /// A page of the training history, newest first; of equal dates, the greater identifier first.
  package func sessions(_ query: SessionQuery) -> [TrainingSession] {
    let sorted = all(query.period, query.discipline).sorted {
      ($0.startDate, $0.id.text) > ($1.startDate, $1.id.text)
    }
    let rest = sorted.filter { session in
      query.after.map { (session.startDate, session.id.text) < ($0.startDate, $0.id.text) } ?? true
    }
    return Array(rest.prefix(query.countMax))
  }

  /// The totals of a period.
  package func statistics(_ period: ClosedRange<Int64>, _ discipline: TrainingDiscipline? = nil) -> SessionStatistics {
    var statistics = SessionStatistics()
    for session in all(period, discipline).sorted(by: { $0.id < $1.id }) {
      statistics.count += 1
      statistics.totalDistance += session.totalDistance
      statistics.totalDuration += session.totalDuration
      statistics.counts[session.discipline, default: 0] += 1
    }
    return statistics
  }

  /// The athlete's averages, computed from the snapshots since a date in nanoseconds since 1970.
  package func skillAverages(since date: Int64 = .min) -> [SkillAverage] {
    let snapshots = rows("SkillSnapshot").filter { ($0.integer("recordedAt") ?? .min) >= date }
    return Set(snapshots.compactMap { $0.text("domain") }).sorted().map { domain in
      let newestFirst = snapshots.filter { $0.text("domain") == domain }.sorted {
        ($0.integer("recordedAt") ?? 0, $0.id.text) > ($1.integer("recordedAt") ?? 0, $1.id.text)
      }
      let scores = newestFirst.compactMap { $0.real("score") }
      func mean(_ scores: some Collection<Double>) -> Double { scores.reduce(0, +) / Double(max(1, scores.count)) }
      return SkillAverage(
        domain: domain, score: mean(scores), rolling: mean(scores.prefix(SkillAverage.rollingCount)),
        count: scores.count)
    }
  }
}
