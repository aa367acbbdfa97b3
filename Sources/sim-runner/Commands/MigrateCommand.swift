import Console
import Foundation
import Link
import PhoneSim

/// `sim-runner migrate`: moves a phone's store from TetraTrack's old shape to the unified tables.
enum MigrateCommand: Command {
  static let name = "migrate"
  static let about = "moves a phone's store from the old shape of the training tables to the new one"
  static let usage = "STATE_DIR [--phase PHASE]... [--check] [--json]"
  static let options: [Option] = [
    .flag("--check", "migrate a copy, report what would happen, and change nothing"),
    .flag("--json", "one JSON object on standard output"),
    .value("--phase", "PHASE", "only this phase; repeat the option for several"),
  ]
  static let details = """
    STATE_DIR is the folder of `run --state-dir`, or the folder of the phone in it. Each phase copies old tables in
    batches, compares counts and sums, and then drops the old tables:
    \(MigrationPhase.allCases.map { "\($0.rawValue): \($0.about)" }.joined(separator: "\n"))
    Without --phase all of them run, in this order. G needs F. Before D and E the store is backed up beside itself, as
    \(OldShapeMigration.backupName), unless that file is there. A migration that was killed continues when it is
    repeated; repeated after its end, it changes nothing. Rows that the new tables cannot hold are reported and kept in
    the tables MigrationFinding and MigrationValue. docs/built-in-apps.md describes the tables, and how to go back.
    Exit status: 0 all figures agree; 1 figures differ, and the old tables of that phase are still there; 2 there is no
    such store, it cannot be read, or another process has it open; 3 it cannot be written.
    """

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    var folder = FilePath.resolve(
      try arguments.onlyOperand("the state folder"), in: FileManager.default.currentDirectoryPath)
    // As the shell completes it: paths in the report have single slashes.
    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
    let run = MigrationRun(folder: folder, phases: try phases(arguments), isCheck: arguments.has("--check"))
    let screen = Screen(onStandardError: arguments.has("--json"))
    let report = try run.migrate { progress in screen.progress { MigrationText.bar(progress) } }
    screen.endProgress()
    if arguments.has("--json") {
      JSONOutput.print(MigrationText.members(report, store: run.store, isCheck: run.isCheck))
    } else {
      for line in MigrationText.lines(report, store: run.store, isCheck: run.isCheck) { Terminal.print(line) }
    }
    return report.agrees ? 0 : 1
  }

  private static func phases(_ arguments: Arguments) throws(Failure) -> Set<MigrationPhase> {
    let names = arguments.values("--phase")
    guard !names.isEmpty else { return Set(MigrationPhase.allCases) }
    var phases: Set<MigrationPhase> = []
    for name in names {
      guard let phase = MigrationPhase(rawValue: name) else {
        throw .input("--phase: found \"\(name)\", expected one of A, B, C, D, E, F, G")
      }
      phases.insert(phase)
    }
    return phases
  }
}
