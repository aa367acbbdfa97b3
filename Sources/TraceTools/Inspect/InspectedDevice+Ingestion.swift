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
    sections.append(
      Section(
        name: "ingestion",
        rows: [
          [
            JSONMember("lastSync", record.syncedAt.map { .plain(($0 - .start).seconds) } ?? .null),
            JSONMember("rows", .integer(Int64(rows.count))),
            JSONMember("rawBytes", .integer(rows.reduce(0) { $0 + Int64($1.byteCount) })),
            JSONMember("parsedRows", .integer(Int64(parsed))), JSONMember("measurements", .integer(Int64(measured))),
            JSONMember("failures", .integer(Int64(rows.count { $0.failure != nil }))),
            JSONMember("nextPurge", next.map { JSONOutput.text(DateText.utc(Double($0))) } ?? .null),
            JSONMember("parser", .integer(Int64(record.parserVersion))),
            JSONMember("off", JSONOutput.texts(record.off.map(\.rawValue).sorted())),
          ]
        ]))
    let days = record.actions.sorted { $0.key < $1.key }
    sections.append(
      Section(
        name: "days",
        rows: days.suffix(StateInspection.listedMax).map { day, action in
          [JSONMember("day", .string(day.text)), JSONMember("action", .string(action.id.text))]
            + AppleMeasure.allCases.compactMap { measure in
              action.values[measure].map { JSONMember(measure.rawValue, .plain($0)) }
            }
        }, total: days.count > StateInspection.listedMax ? days.count : nil))
    let failed = rows.filter { $0.failure != nil }
    sections.append(
      Section(
        name: "unreadable",
        rows: failed.prefix(StateInspection.listedMax).map { row in
          [
            JSONMember("id", .string(row.id.text)), JSONMember("type", .string(row.type.rawValue)),
            JSONMember("day", .string(row.day.text)), JSONMember("reason", JSONOutput.text(row.failure)),
          ]
        }, total: failed.count > StateInspection.listedMax ? failed.count : nil))
  }
}
