import Console
import Foundation
import Link
import LinkStore
import LinkTransport
import PhoneSim

/// Finds the phone's store in a state folder, and migrates it or a copy.
struct MigrationRun {
  /// The phone's folder.
  private let folder: String
  private let phases: Set<MigrationPhase>
  /// Whether a copy is migrated.
  let isCheck: Bool

  /// The path of the store.
  var store: String { "\(folder)/\(StoreFile.name)" }

  /// - Parameter folder: The state folder, or the phone's folder in it.
  init(folder: String, phases: Set<MigrationPhase>, isCheck: Bool) {
    let own = "\(folder)/\(NodeRole.phone.text)"
    let isPhone = FileManager.default.fileExists(atPath: "\(folder)/\(StoreFile.name)")
    self.folder = isPhone && !FileManager.default.fileExists(atPath: "\(own)/\(StoreFile.name)") ? folder : own
    self.phases = phases
    self.isCheck = isCheck
  }

  /// Runs the phases.
  ///
  /// - Throws: ``Failure/input(_:)`` for a store that is missing, damaged, newer or in use, and for a phase whose dependency
  ///   is not done; ``Failure/environment(_:)`` for a disk that is full or cannot be written.
  func migrate(_ progress: (MigrationProgress) -> Void) throws(Failure) -> MigrationReport {
    do throws(StoreError) {
      try StoreFile.requireStore(in: folder)
      if isCheck { return try migrateCopy(progress) }
      return try OldShapeMigration(folder: folder)
        .run(phases, backup: "\(folder)/\(OldShapeMigration.backupName)", progress: progress)
    } catch {
      throw error.cause == .full ? .environment(error.text) : .input(error.text)
    }
  }

  private func migrateCopy(_ progress: (MigrationProgress) -> Void) throws(StoreError) -> MigrationReport {
    let copy = try copyStore()
    return try OldShapeMigration(folder: copy.path).run(phases, progress: progress)
  }

  /// Copies the store with its log, while no other process can open it.
  private func copyStore() throws(StoreError) -> TemporaryDirectory {
    var reader: DeviceReader<PhoneTables>?
    do throws(StoreError) {
      reader = try DeviceReader<PhoneTables>(folder: folder)
    } catch {
      // Its own tables are migrated in the copy.
      guard error.cause == .older else { throw error }
    }
    defer { withExtendedLifetime(reader) {} }
    do {
      let copy = try TemporaryDirectory()
      for name in [StoreFile.name, StoreFile.name + "-wal"]
      where FileManager.default.fileExists(atPath: "\(folder)/\(name)") {
        try FileManager.default.copyItem(atPath: "\(folder)/\(name)", toPath: "\(copy.path)/\(name)")
      }
      return copy
    } catch {
      throw error as? StoreError ?? StoreError(.system, "\(store): cannot be copied: \(error.systemText)")
    }
  }
}

/// A migration's progress and result, for people and programs.
enum MigrationText {
  private static let barWidth = 30

  /// The progress line: phase, table, a bar and the rows.
  static func bar(_ progress: MigrationProgress) -> String {
    guard progress.of > 0 else { return "\(progress.phase.rawValue)  comparing counts and sums" }
    let share = min(1, max(0, Double(progress.rows) / Double(progress.of)))
    let filled = Int(share * Double(barWidth))
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: barWidth - filled)
    return "\(progress.phase.rawValue)  [\(bar)] \(Int(share * 100)) %  \(progress.table): "
      + "\(StoryText.count(progress.rows)) of \(StoryText.count(progress.of)) rows"
  }

  static func lines(_ report: MigrationReport, store: String, isCheck: Bool) -> [String] {
    var lines = [Terminal.styled(TerminalText.escape(store), .bold) + (isCheck ? " (a copy of it)" : "")]
    guard !report.phases.isEmpty else { return lines + ["  has no table of the old shape: nothing to migrate"] }
    if let backup = report.backup { lines.append("  backup: \(TerminalText.escape(backup))") }
    for phase in report.phases {
      lines.append("  \(phase.phase.rawValue)  \(phase.phase.about)\(state(phase))")
      if !phase.tables.isEmpty { lines += PlainText.columns(phase.tables.map(cells), indent: 5) }
      for table in phase.tables {
        lines += table.findings.map {
          "     - \(table.source) row \($0.row): \($0.isMoved ? "" : "kept: ")\($0.reason)"
        }
        let others = Int(clamping: table.kept + table.noted) - table.findings.count
        if others > 0 { lines.append("     - and about \(PlainText.count(others, "other")) of \(table.source)") }
      }
      lines += phase.tables.flatMap(\.differences).map { "     \(Terminal.styled("differs", .red)): \($0)" }
    }
    if !report.agrees { lines.append("  The old tables of that phase are still there.") }
    return lines
  }

  private static func state(_ phase: MigrationReport.Phase) -> String {
    if phase.newIndexes > 0 { return ": \(StoryText.count(phase.newIndexes, "index", "indexes")) created" }
    return phase.tables.isEmpty ? ": nothing to do" : ""
  }

  private static func cells(_ table: MigrationReport.Table) -> [String] {
    let isDerived = table.target.isEmpty
    return [
      table.source, isDerived ? "-> derived" : "-> \(table.target)", "\(StoryText.count(table.rows)) rows",
      "\(StoryText.count(table.moved)) \(isDerived ? "agree" : "moved")", "\(table.kept) kept",
      "\(table.noted) noted",
      table.differences.isEmpty
        ? isDerived ? "" : "\(PlainText.count(table.sums.count, "column")) with equal sums" : "differs",
    ]
  }

  static func members(_ report: MigrationReport, store: String, isCheck: Bool) -> JSONFields {
    [
      "store": .string(store), "isCopy": .bool(isCheck), "agrees": .bool(report.agrees), "backup": .text(report.backup),
      "phases": .objects(report.phases) { phase in
        [
          "phase": .string(phase.phase.rawValue), "newIndexes": .count(phase.newIndexes), "agrees": .bool(phase.agrees),
          "tables": .objects(phase.tables, members),
        ]
      },
    ]
  }

  private static func members(_ table: MigrationReport.Table) -> JSONFields {
    [
      "source": .string(table.source), "target": table.target.isEmpty ? .null : .string(table.target),
      "rows": .integer(table.rows), "moved": .integer(table.moved), "kept": .integer(table.kept),
      "noted": .integer(table.noted),
      "sums": .objects(table.sums) { sum in
        ["column": .string(sum.column), "count": .integer(sum.count), "sum": .decimal(sum.sum)]
      }, "differences": .texts(table.differences),
      "findings": .objects(table.findings) { finding in
        ["row": .integer(finding.row), "isMoved": .bool(finding.isMoved), "reason": .string(finding.reason)]
      },
    ]
  }
}
