import Console
import Foundation
import Link
import LinkStore
import LinkTransport
import PhoneSim
import WatchSim

/// Feeds a Health export to the phone's ingestion: `import EXPORT --into STATE_DIR`.
struct HealthIngest {
  /// The names in an export of the types that the app ingests; no export has calendar entries or reminders.
  private static let types: [String: AppleDataType] = [
    "HKCategoryTypeIdentifierSleepAnalysis": .sleep,
    "HKQuantityTypeIdentifierActiveEnergyBurned": .calories,
    "HKQuantityTypeIdentifierAppleExerciseTime": .exercise,
    "HKCategoryTypeIdentifierMindfulSession": .mindfulness,
  ]

  /// The app's names of the stages of sleep; an unknown stage keeps its name, so that its row does not parse.
  private static let stages = [
    "InBed": "inBed", "Asleep": "asleep", "AsleepUnspecified": "asleep", "AsleepCore": "core", "AsleepDeep": "deep",
    "AsleepREM": "REM", "Awake": "awake",
  ]

  private let path: String
  private let data: RecordedAppleData
  private let findings: [String]
  /// The phone's clock, in nanoseconds since 1970.
  private let clock: Int64

  /// Reads the export.
  ///
  /// - Throws: ``Failure/input(_:)`` for a file that is no export, or has no record of these types.
  init(path: String) throws(Failure) {
    self.path = path
    var samples: [(type: AppleDataType, record: HealthExportRecord)] = []
    var skipped = 0
    var isFull = false
    let outcome: HealthExportRecords.Outcome
    do throws(ImportError) {
      outcome = try HealthExportRecords.read(path: path, types: Set(Self.types.keys)) { record in
        guard samples.count < RecordedAppleData.samplesMax else {
          isFull = true
          return false
        }
        guard let type = Self.types[record.type] else { return true }
        let isQuantity = type == .calories || type == .exercise
        if isQuantity, record.amount == nil { skipped += 1 } else { samples.append((type, record)) }
        return true
      }
    } catch { throw .input(error.description) }
    guard !isFull else {
      throw .input(
        "\(TerminalText.escape(path)): error: found more than \(RecordedAppleData.samplesMax) records to ingest, expected at most that many"
      )
    }
    guard let last = samples.map(\.record.end).max() else {
      throw .input(
        "\(TerminalText.escape(path)): error: found no records of sleep, active energy, exercise time or mindfulness, expected some"
      )
    }
    var data = RecordedAppleData(offset: outcome.offset)
    for (type, record) in samples {
      _ = data.add(
        type, start: Self.seconds(record.start), end: Self.seconds(record.end), value: Self.value(record, type),
        amount: record.amount ?? 0, source: record.source, offset: record.offset)
    }
    self.data = data
    findings =
      outcome.findings
      + (skipped > 0 ? ["\(PlainText.count(skipped, "quantity")) without a number of a known unit"] : [])
    clock = Self.seconds(outcome.exportedAt ?? last) * 1_000_000_000
  }

  /// Whole seconds; bounded so that their nanoseconds fit 64 bits.
  private static func seconds(_ time: Double) -> Int64 { Int64(min(max(time, 0), 9_000_000_000)) }

  private static func value(_ record: HealthExportRecord, _ type: AppleDataType) -> String {
    guard type == .sleep else { return type == .mindfulness ? "notApplicable" : "" }
    let prefix = "HKCategoryValueSleepAnalysis"
    let stage = record.value.hasPrefix(prefix) ? String(record.value.dropFirst(prefix.count)) : record.value
    return stages[stage] ?? String(stage.prefix(40))
  }

  /// Ingests the samples into the store of the phone in a state folder; both are created if missing.
  ///
  /// - Throws: ``Failure/environment(_:)`` for a store that is in use or cannot be written, ``Failure/input(_:)`` for a damaged one.
  func ingest(into folder: String) throws(Failure) -> Outcome {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch CocoaError.fileWriteFileExists {
      // The folder of a run, or of an earlier import.
    } catch {
      throw .input("--into \(TerminalText.escape(folder)): error: cannot be made: \(SystemText.of(errno))")
    }
    do throws(StoreError) {
      var phone = try AppleDataImport(data, clock: clock, folder: "\(folder)/\(NodeRole.phone.text)")
      return Outcome(path: path, samples: data.count, findings: findings, summary: try phone.run())
    } catch {
      throw error.cause == .corrupt ? .input(error.text) : .environment(error.text)
    }
  }

  /// The result of an import.
  struct Outcome {
    var path: String
    var samples: Int
    var findings: [String]
    var summary: AppleDataImport.Summary

    var members: JSONFields {
      [
        "samples": .count(samples), "newRows": .count(summary.new), "changedRows": .count(summary.changed),
        "sameRows": .count(summary.same), "parsed": .count(summary.parsed), "failed": .count(summary.failed),
        "failures": .texts(summary.failures.map { "\($0.type.rawValue) \($0.day): \($0.reason)" }),
        "findings": .texts(findings),
      ]
    }

    var lines: [String] {
      var lines = [Terminal.styled(TerminalText.escape(path), .bold)]
      lines += PlainText.columns(
        [
          ["samples", "\(samples)"],
          ["rows", "\(summary.new) new, \(summary.changed) changed, \(summary.same) unchanged"],
          ["parsed", "\(summary.parsed)"], ["not parsed", "\(summary.failed)"],
        ], indent: 2)
      lines += summary.failures.map { "  - \($0.type.rawValue) of \($0.day): \(TerminalText.escape($0.reason))" }
      if summary.failed > summary.failures.count {
        lines.append("  - and \(PlainText.count(summary.failed - summary.failures.count, "other"))")
      }
      return lines + findings.map { "  - \(TerminalText.escape($0))" }
    }
  }
}
