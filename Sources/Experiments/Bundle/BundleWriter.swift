package import Simulator
import TraceTools
package import Console
import Foundation
import Link
import LinkTransport

/// Makes the bundle of a run.
///
/// It runs the scenario once more, from the files that go into the bundle. So its trace is the one that the bundle
/// gives on this machine, even if the first run depended on something else.
package struct BundleWriter {
  /// The run, with its seed.
  private let scenario: Scenario
  /// The same failure, minimized, if any.
  private let shrunk: Scenario?
  /// The command that made the run.
  private let command: String

  /// Limit of a recorded workout, in bytes.
  private static let workoutBytesMax = 256 << 20

  package init(scenario: Scenario, shrunk: Scenario?, command: String) {
    (self.scenario, self.shrunk, self.command) = (scenario, shrunk, command)
  }

  /// Makes the bundle, and writes it.
  package func write(to file: OutputFile) throws(Failure) {
    try file.finish(bundle().bytes)
  }

  /// Makes the bundle.
  func bundle() throws(Failure) -> RunBundle {
    let folder: TemporaryDirectory
    do throws(SystemCallError) { folder = try TemporaryDirectory() } catch { throw .environment("bundle: \(error)") }
    let workout = try workoutFile()
    if let workout { try RunBundle(manifest: Self.empty, files: [workout]).unpack(to: folder.path) }
    var files: [TarArchive.Member] = []
    let original = try make(
      scenario.settled, workout, names: RunBundle.original, in: folder.path, into: &files)
    var small: BundleManifest.Run?
    if let shrunk {
      small = try make(shrunk, workout, names: RunBundle.shrunk, in: folder.path, into: &files)
    }
    files.append(try report(of: "\(folder.path)/\(RunBundle.original.trace)"))
    if let workout { files.append(workout) }
    let manifest = BundleManifest(
      scenario: scenario.name, seed: scenario.seed, command: command, build: .own, original: original, shrunk: small,
      files: files.map {
        BundleManifest.File(name: $0.name, bytes: $0.bytes.count, digest: Digest.text(Digest.sha256($0.bytes)))
      })
    withExtendedLifetime(folder) {}
    return RunBundle(manifest: manifest, files: files)
  }

  private static let empty = BundleManifest(
    scenario: "", seed: 0, command: "", build: BuildIdentity(version: ""),
    original: BundleManifest.Run(scenario: "", trace: "", digest: "", verdict: "", findings: []), files: [])

  /// The recorded workout as a file of the bundle; nil for a run without one.
  private func workoutFile() throws(Failure) -> TarArchive.Member? {
    guard let (_, path) = scenario.workout.source.file else { return nil }
    guard !ScenarioInput.isFolder(path) else {
      throw .input("\(path): error: found a folder, expected a recorded workout in one file; a bundle has no folders")
    }
    let name = "\(RunBundle.workoutFolder)\(URL(filePath: path).lastPathComponent)"
    guard name.utf8.count <= TarArchive.nameBytesMax else {
      throw .input(
        "\(path): error: found a name of \(name.utf8.count - RunBundle.workoutFolder.utf8.count) bytes, expected at most "
          + "\(TarArchive.nameBytesMax - RunBundle.workoutFolder.utf8.count) for a bundle")
    }
    return TarArchive.Member(name: name, bytes: try FilePath.read(path, bytesMax: Self.workoutBytesMax))
  }

  /// Writes a scenario into the folder, runs it from there, and adds it with its trace.
  private func make(
    _ scenario: Scenario, _ workout: TarArchive.Member?, names: (scenario: String, trace: String), in folder: String,
    into files: inout [TarArchive.Member]
  ) throws(Failure) -> BundleManifest.Run {
    // Programs are named by absolute paths: they are not in the bundle.
    var node = SavedScenario.node(SavedScenario.marked(scenario), in: "/")
    if let workout, let (key, _) = scenario.workout.source.file {
      node = node.replacing(["workout", "source", key], with: JSONNode(.string(workout.name)))
    }
    let text = TarArchive.Member(
      name: names.scenario, bytes: Array(JSONWriter.pretty(node, width: 120).utf8))
    try RunBundle(manifest: Self.empty, files: [text]).unpack(to: folder)
    let (outcome, trace) = try BundledRun.run("\(folder)/\(names.scenario)")
    guard !outcome.wasStopped else { throw .environment("bundle: stopped before it was complete, and not written") }
    let kept = TarArchive.Member(name: names.trace, bytes: trace)
    // The report is made from the trace's file.
    try RunBundle(manifest: Self.empty, files: [kept]).unpack(to: folder)
    files += [text, kept]
    return BundleManifest.Run(
      scenario: names.scenario, trace: names.trace, digest: Digest.text(Digest.sha256(trace)),
      verdict: BundledRun.verdict(outcome), findings: BundledRun.findings(outcome))
  }

  private func report(of trace: String) throws(Failure) -> TarArchive.Member {
    var page: [UInt8] = []
    _ = try TraceExport.run(trace, as: HTMLExporter.self, window: ExportWindow()) { page += $0 }
    return TarArchive.Member(name: RunBundle.report, bytes: page)
  }
}

/// One run from a bundle's folder.
package enum BundledRun {
  /// Runs a scenario's file.
  ///
  /// - Parameter change: What the command line changes of it.
  /// - Returns: The outcome, and the trace.
  static func run(
    _ path: String, change: (inout Scenario) throws(Failure) -> Void = { _ in }
  ) throws(Failure) -> (outcome: RunOutcome, trace: [UInt8]) {
    var scenario = try Scenario.load(path)
    try change(&scenario)
    let trace = Text()
    var options = RunOptions()
    options.showsPrograms = false
    options.isStoppable = true
    options.output = { trace.bytes += $0 }
    let outcome = try ScenarioRun.run(scenario, options)
    return (outcome, trace.bytes)
  }

  private final class Text { var bytes: [UInt8] = [] }

  /// `pass` or `fail`.
  package static func verdict(_ outcome: RunOutcome) -> String { SeedRun.hasPassed(outcome) ? "pass" : "fail" }

  /// What went wrong, a sentence each.
  package static func findings(_ outcome: RunOutcome) -> [String] {
    guard !SeedRun.hasPassed(outcome) else { return [] }
    return SeedRun.findings(outcome).map { shown in
      let finding = shown.finding
      let moment = finding.time < 0 ? "" : " at \(VirtualTime(nanoseconds: finding.time).text)"
      return "\(finding.invariant)\(moment): \(finding.detail)"
    }
  }
}
