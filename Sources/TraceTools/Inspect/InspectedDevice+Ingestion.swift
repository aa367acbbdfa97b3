import CoachProtocol
import Console
import Link
import PhoneSim

/// Rows of the ingestion of Apple data.
extension InspectedDevice {
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
    let failed = rows.filter { $0.failure != nil }
    add("unreadable", failed.prefix(StateInspection.listedMax), of: failed.count) { row in
      [
        "id": .string(row.id.text), "type": .string(row.type.rawValue), "day": .string(row.day.text),
        "reason": .text(row.failure),
      ]
    }
  }
}
