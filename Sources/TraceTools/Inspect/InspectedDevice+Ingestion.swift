import CoachProtocol
import Console
import Link
import PhoneSim

/// Rows of the ingestion of Apple data.
extension InspectedDevice {
  /// Days of a trend.
  private static let trendDays = 7

  /// Adds what the app's screen Apple Health shows of its last days: sleep and its mean, energy as bars, meetings.
  private mutating func addAppleHealth(_ days: [(day: LocalDay, values: MeasuredValues)]) {
    func rounded(_ value: Double) -> JSONValue { .plain((value * 100).rounded() / 100) }
    var (slept, nights) = (0.0, 0.0)
    add("sleepTrend", days.filter { $0.values[.sleepHours] != nil }) { day, values in
      let hours = values[.sleepHours] ?? 0
      (slept, nights) = (slept + hours, nights + 1)
      return ["day": .string(day.text), "sleep_hours": rounded(hours), "mean": rounded(slept / nights)]
    }
    let burned = days.filter { $0.values[.caloriesBurned] != nil }
    let most = max(1, burned.compactMap { $0.values[.caloriesBurned] }.max() ?? 1)
    add("caloriesChart", burned) { day, values in
      let energy = values[.caloriesBurned] ?? 0
      let bar = String(repeating: "#", count: Int((energy / most * 20).rounded()))
      return ["day": .string(day.text), "calories_burned": rounded(energy), "bar": .string(bar)]
    }
    add("meetingTime", days.filter { ($0.values[.meetingCount] ?? 0) > 0 }) { day, values in
      let (hours, count) = (values[.meetingHours] ?? 0, values[.meetingCount] ?? 0)
      return [
        "day": .string(day.text), "meeting_hours": rounded(hours), "meeting_count": .plain(count),
        "hours_each": rounded(hours / count),
      ]
    }
  }

  /// Adds what the settings show, the days' measures, and what did not parse; empty in a phone that ingests nothing.
  mutating func addIngestion(_ record: IngestionRecord) {
    let measured = record.actions.values.reduce(0) { $0 + $1.values.count }
    guard record.syncedAt != nil || !record.rows.isEmpty || measured > 0 else { return }
    let rows = record.rows.values.sorted { $0.key < $1.key }
    let parsed = rows.count { $0.parsedAt != nil }
    let next = rows.lazy.filter { $0.parsedAt != nil }.compactMap(\.purgeAfter).min()
    addRow(
      "ingestion",
      [
        "lastSync": Self.seconds(record.syncedAt), "rows": .count(rows.count),
        "rawBytes": .integer(rows.reduce(0) { $0 + Int64($1.byteCount) }), "parsedRows": .count(parsed),
        "measurements": .count(measured), "failures": .count(rows.count { $0.failure != nil }),
        "nextPurge": .text(next.flatMap { DateText.utc(Double($0)) }), "parser": .count(record.parserVersion),
        "off": .texts(record.off.map(\.rawValue).sorted()), "alerts": .texts(record.alerts),
      ])
    let days = record.actions.sorted { $0.key < $1.key }
    add(
      "days",
      rows: days.suffix(StateInspection.listedMax).map { day, action in
        .init(["day": .string(day.text), "action": .string(action.id.text)])
          + AppleMeasure.allCases.compactMap { measure in
            action.values[measure].map { JSONMember(measure.rawValue, .plain($0)) }
          }
      }, of: days.count)
    addAppleHealth(days.suffix(Self.trendDays).map { ($0.key, $0.value.values) })
    let failed = rows.filter { $0.failure != nil }
    add("unreadable", failed.prefix(StateInspection.listedMax), of: failed.count) { row in
      [
        "id": .string(row.id.text), "type": .string(row.type.rawValue), "day": .string(row.day.text),
        "reason": .text(row.failure),
      ]
    }
  }
}
