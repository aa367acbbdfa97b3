package import CoachProtocol
package import Console
package import Link
import LinkStore
import LinkTransport
import PhoneSim

/// The training history of a period.
extension StateInspection {
  /// Sessions of a period, newest first, their totals, and the athlete's averages since its start.
  ///
  /// The database filters and sorts, as ``SessionQueryService`` says.
  ///
  /// - Parameters:
  ///   - folder: The state folder, or the phone's in it.
  ///   - days: The first and the last day in UTC, both included.
  ///   - discipline: Nil for all.
  /// - Throws: If the store cannot be read.
  package static func sessions(
    in folder: String, days: ClosedRange<LocalDay>, _ discipline: TrainingDiscipline?
  ) throws(Failure) -> SessionReport {
    let own = hasStore("\(folder)/phone") ? "\(folder)/phone" : folder
    guard hasStore(own) else {
      throw .input("\(folder): found no store of a phone, expected phone/\(StoreFile.name) as `run --state-dir` keeps")
    }
    let (begin, end) = (days.lowerBound.begin(offset: 0), LocalDay(days.upperBound.number + 1).begin(offset: 0))
    let period = begin...max(begin, end - 1)
    do throws(StoreError) {
      let copy = try updatedCopy(of: own, .phone)
      let service = SessionQueryService(try StoreFile.open(folder: copy.path, DeviceStore<PhoneTables>.components))
      return SessionReport(
        sessions: try service.sessions(SessionQuery(period: period, discipline: discipline, countMax: listedMax)),
        statistics: try service.statistics(period, discipline),
        averages: try service.skillAverages(since: period.lowerBound))
    } catch {
      throw error.cause == .busy ? .environment(error.text) : .input(error.text)
    }
  }

  /// What ``sessions(in:days:_:)`` finds.
  package struct SessionReport {
    var sessions: [TrainingSession]
    var statistics: SessionStatistics
    var averages: [SkillAverage]

    /// One object.
    package var members: [JSONMember] {
      let disciplines = TrainingDiscipline.allCases.compactMap { discipline in
        statistics.counts[discipline].map { JSONMember(discipline.rawValue, .count($0)) }
      }
      let totals: JSONFields = [
        "count": .count(statistics.count), "totalDistance": .plain(statistics.totalDistance),
        "totalDuration": .plain(statistics.totalDuration), "disciplines": .object(disciplines),
      ]
      return .init([
        "sessions": .objects(sessions) { session in
          [
            "id": .string(session.id.text), "discipline": .string(session.discipline.rawValue),
            "startDate": .string(LocalDay.dateText(session.startDate)), "name": .string(session.name),
            "totalDistance": .plain(session.totalDistance), "totalDuration": .plain(session.totalDuration),
          ]
        },
        "statistics": .fields(totals),
        "skills": .objects(averages) { average in
          [
            "domain": .string(average.domain), "average": .plain((average.score * 100).rounded() / 100),
            "rolling": .plain((average.rolling * 100).rounded() / 100),
            "snapshots": .count(average.count),
          ]
        },
      ])
    }

    /// One line a session, one for the totals, and one a skill.
    package var lines: [String] {
      sessions.map { session in
        "\(LocalDay.dateText(session.startDate))  \(session.discipline.rawValue)  \(Self.text(session.totalDistance)) m"
          + "  \(Self.text(session.totalDuration)) s"
      } + [
        "\(statistics.count) sessions, \(Self.text(statistics.totalDistance)) m, \(Self.text(statistics.totalDuration)) s"
      ]
        + averages.map { average in
          "\(average.domain) \(Self.text(average.score)) of \(average.count) snapshots, "
            + "\(Self.text(average.rolling)) of the newest \(min(average.count, SkillAverage.rollingCount))"
        }
    }

    private static func text(_ value: Double) -> String { String((value * 10).rounded() / 10) }
  }
}
