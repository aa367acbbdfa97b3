import Foundation

/// A record of a Health export: a quantity or a category.
package struct HealthExportRecord: Sendable {
  /// Its name in the export: `HKQuantityTypeIdentifierActiveEnergyBurned`.
  package var type: String
  /// In seconds since 1970.
  package var start: Double
  /// At least `start`.
  package var end: Double
  /// As in the export; empty if it has none.
  package var value: String
  /// The value in kilocalories or minutes; nil unless its unit is one of energy or time.
  package var amount: Double?
  package var source: String
  /// What local time added to UTC by its start, in seconds; nil if that has no zone.
  package var offset: Int64?
}

/// All records of a Health export, in one pass.
package enum HealthExportRecords {
  /// The date and time zone of an export, and what was skipped.
  package struct Outcome: Sendable {
    /// When the export was made, in seconds since 1970; nil if the export does not say.
    package var exportedAt: Double?
    /// The offset of its local time from UTC, in seconds.
    package var offset: Int64 = 0
    package var findings: [String] = []
  }

  /// Passes on each record of the wanted types.
  ///
  /// A record within a correlation is left out, since exports repeat it outside. So is one without valid dates, which is counted.
  ///
  /// - Parameters:
  ///   - path: The export's file, or the folder that it was unpacked to.
  ///   - body: Returns false to end the reading.
  package static func read(
    path: String, types: Set<String>, _ body: (HealthExportRecord) -> Bool
  ) throws(ImportError) -> Outcome {
    var isFolder: ObjCBool = false
    var file = path
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      guard let export = HealthFolder.export(in: path) else {
        throw ImportError(file: path, found: "a folder without a Health export", expected: "one with export.xml")
      }
      file = export
    }
    let handle = try ImporterCatalog.openFile(file, named: file)
    defer { try? handle.close() }
    guard let head = try? handle.read(upToCount: ImporterCatalog.headBytes), let _ = try? handle.seek(toOffset: 0),
      HealthImporter.canRead([UInt8](head), fileName: file)
    else { throw ImportError(file: file, found: "another kind of file", expected: "a Health export (export.xml)") }
    var reader = HealthExportReader(ByteSource(handle))
    do throws(XMLStream.Problem) { return try reader.readAll(types, body) } catch {
      throw HealthImporter.failure(error, file)
    }
  }
}

extension HealthExportReader {
  fileprivate mutating func readAll(
    _ types: Set<String>, _ body: (HealthExportRecord) -> Bool
  ) throws(XMLStream.Problem) -> HealthExportRecords.Outcome {
    var outcome = HealthExportRecords.Outcome()
    var undated = 0
    reading: while let tag = try nextTag() {
      switch tag {
      case .begin("ExportDate"):
        guard let text = text("value"), outcome.exportedAt == nil else { continue }
        outcome.exportedAt = TimeText.parse(Array(text.utf8))
        outcome.offset = Self.offset(of: text) ?? 0
      case .begin("Record") where !open.dropLast().contains("Correlation"):
        guard let type = text("type"), types.contains(type) else { continue }
        guard let start = time("startDate"), let end = time("endDate"), start <= end else {
          undated += 1
          continue
        }
        let (value, unit) = (text("value") ?? "", text("unit"))
        let amount =
          HealthUnits.value(value, unit: unit, .energy) ?? HealthUnits.value(value, unit: unit, .time).map { $0 / 60 }
        let record = HealthExportRecord(
          type: type, start: start, end: end, value: value, amount: amount,
          source: (text("sourceName") ?? "").normalizedSource, offset: text("startDate").flatMap(Self.offset))
        guard body(record) else { break reading }
      case .begin, .end: continue
      }
    }
    var findings = findings()
    findings.add(undated, "record has no valid dates", "records have no valid dates")
    outcome.findings = findings.lines
    return outcome
  }

  /// The zone of `2026-04-12 08:30:00 +0200`, in seconds; nil without one.
  private static func offset(of text: String) -> Int64? {
    guard let zone = text.split(separator: " ").last, zone.count == 5, let sign = ["+": 1, "-": -1][zone.prefix(1)],
      let number = Int64(zone.dropFirst()), number >= 0, number / 100 <= 14, number % 100 < 60
    else { return nil }
    return Int64(sign) * (number / 100 * 3_600 + number % 100 * 60)
  }
}
