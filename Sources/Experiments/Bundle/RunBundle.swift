import CBuild
package import Console
import Foundation
import Link
import LinkTransport
package import Simulator
import TraceTools

/// A run as one file to hand on, `NAME.wristwire`: a tar archive with its scenarios, recorded workout, traces, report and
/// manifest.
package struct RunBundle {
  package static let suffix = ".wristwire"
  static let original = (scenario: "scenario.json5", trace: "trace.jsonl")
  static let shrunk = (scenario: "shrunk.json5", trace: "shrunk.jsonl")
  static let report = "report.html"
  /// The recorded workout keeps its name, which is in the trace, in this folder.
  static let workoutFolder = "workout/"
  /// The largest bundle, in bytes: a health export of several years is smaller.
  static let bytesMax = 1 << 30
  /// More than a bundle has.
  private static let filesMax = 16

  package var manifest: BundleManifest
  /// Without the manifest.
  var files: [TarArchive.Member]

  /// The content of a file; nil if it is missing.
  subscript(name: String) -> [UInt8]? { files.first { $0.name == name }?.bytes }

  /// The trace of the run; every bundle has one.
  package var originalTrace: [UInt8] { self[Self.original.trace] ?? [] }

  /// The bundle's bytes; the same run gives the same ones.
  var bytes: [UInt8] {
    let manifest = TarArchive.Member(name: BundleManifest.fileName, bytes: Array(manifest.text.utf8))
    return TarArchive.bytes(of: [manifest] + files)
  }

  init(manifest: BundleManifest, files: [TarArchive.Member]) {
    self.manifest = manifest
    self.files = files
  }

  /// Reads a bundle, and checks that it is complete and undamaged.
  ///
  /// - Throws: ``Failure/input(_:)`` with the place, what was found and what was expected.
  package init(_ path: String) throws(Failure) {
    try self.init(try FilePath.read(path, bytesMax: Self.bytesMax), path: path)
  }

  /// Reads the bytes of a bundle.
  ///
  /// - Parameter path: The file, for messages.
  init(_ bytes: [UInt8], path: String) throws(Failure) {
    var members: [TarArchive.Member]
    do throws(TarArchive.Problem) { members = try TarArchive.read(bytes, membersMax: Self.filesMax) } catch {
      throw .input("\(path): \(error.text)")
    }
    for member in members where !Self.isAllowed(member.name) {
      throw .input("\(path): error: found a file \"\(member.name)\", expected only those of a bundle")
    }
    guard let index = members.firstIndex(where: { $0.name == BundleManifest.fileName }) else {
      throw .input("\(path): error: found no \(BundleManifest.fileName), expected a bundle of sim-runner")
    }
    manifest = try BundleManifest(members.remove(at: index).bytes, of: path)
    files = members
    try check(path)
  }

  private func check(_ path: String) throws(Failure) {
    for file in manifest.files {
      guard let bytes = self[file.name] else {
        throw .input("\(path): error: found no \"\(file.name)\", which \(BundleManifest.fileName) lists")
      }
      guard bytes.count == file.bytes, Digest.text(Digest.sha256(bytes)) == file.digest else {
        throw .input("\(path): error: found another \"\(file.name)\" than \(BundleManifest.fileName) lists")
      }
    }
    for file in files where !manifest.files.contains(where: { $0.name == file.name }) {
      throw .input("\(path): error: found \"\(file.name)\", which \(BundleManifest.fileName) does not list")
    }
    for (name, run) in manifest.runs {
      for file in [run.scenario, run.trace] where self[file] == nil {
        throw .input("\(path): error: found no \"\(file)\" of the \(name) run")
      }
      guard let trace = self[run.trace], Digest.text(Digest.sha256(trace)) == run.digest else {
        throw .input("\(path): error: found another digest of \"\(run.trace)\" than \(BundleManifest.fileName) has")
      }
    }
  }

  /// Whether a bundle can have a file of this name: none leads out of the folder that it is unpacked to.
  private static func isAllowed(_ name: String) -> Bool {
    let fixed = [
      BundleManifest.fileName, original.scenario, original.trace, shrunk.scenario, shrunk.trace, report,
    ]
    guard !fixed.contains(name) else { return true }
    guard name.hasPrefix(workoutFolder) else { return false }
    let file = name.dropFirst(workoutFolder.count)
    return !file.isEmpty && file != "." && file != ".." && !file.utf8.contains(UInt8(ascii: "/"))
  }

  /// Writes the files into a folder that exists, so that its scenarios run there.
  func unpack(to folder: String) throws(Failure) {
    do {
      for file in files {
        let path = URL(filePath: folder, directoryHint: .isDirectory).appending(path: file.name)
        try FileManager.default.createDirectory(
          at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(file.bytes).write(to: path)
      }
    } catch { throw .environment("\(folder): error: the bundle cannot be unpacked: \(error.systemText)") }
  }
}

/// `manifest.json` of a bundle: what was run, by which program, and the result.
package struct BundleManifest: Equatable {
  /// One run of the bundle.
  package struct Run: Equatable {
    /// The scenario's file in the bundle.
    var scenario: String
    /// The trace's file in the bundle.
    var trace: String
    /// SHA-256 of the trace, 64 hexadecimal digits.
    package var digest: String
    var verdict: String
    /// What went wrong, a sentence each.
    var findings: [String]
  }

  /// A file of the bundle beside the manifest.
  struct File: Equatable {
    var name: String
    var bytes: Int
    /// SHA-256, 64 hexadecimal digits.
    var digest: String
  }

  /// The format's version.
  static let version: Int64 = 1
  static let fileName = "manifest.json"
  /// The member by which a bundle is known.
  private static let mark = "wristwireBundle"

  package var scenario: String
  package var seed: UInt64
  /// The command that made the run, as one could type it.
  package var command: String
  var build: BuildIdentity
  var original: Run
  /// The same failure, minimized; nil if it was not.
  var shrunk: Run?
  var files: [File]

  /// The runs, the original first.
  var runs: [(name: String, run: Run)] { [("original", original)] + (shrunk.map { [("shrunk", $0)] } ?? []) }

  /// The file's text.
  var text: String {
    let fields: JSONFields = [
      Self.mark: .integer(Self.version), "scenario": .string(scenario), "seed": .string(String(seed)),
      "command": .string(command),
      "build": .fields([
        "version": .string(build.version), "commit": .text(build.commit), "sha256": .text(build.digest),
      ]), "original": Self.value(original), "shrunk": shrunk.map(Self.value),
      "files": .objects(files) { file in
        ["name": .string(file.name), "bytes": .count(file.bytes), "sha256": .string(file.digest)]
      },
    ]
    return JSONOutput.line([JSONMember](fields)) + "\n"
  }

  private static func value(_ run: Run) -> JSONValue {
    .fields([
      "scenario": .string(run.scenario), "trace": .string(run.trace), "sha256": .string(run.digest),
      "verdict": .string(run.verdict), "findings": .texts(run.findings),
    ])
  }
}

extension BundleManifest {
  /// Reads the file of a bundle; skips unknown keys.
  ///
  /// - Parameter path: The bundle, for messages.
  /// - Throws: ``Failure/problems(_:)`` with everything that is wrong, a line each.
  init(_ bytes: [UInt8], of path: String) throws(Failure) {
    let collector = DiagnosticsCollector(file: "\(path)/\(Self.fileName)")
    let node: JSONNode
    do throws(JSONError) { node = try JSONParser.parse(bytes, dialect: .json) } catch {
      throw .input("\(path)/\(Self.fileName):\(error.description)")
    }
    guard let reader = JSONObjectReader(node, into: collector) else {
      throw .problems(collector.diagnostics.lines)
    }
    if let value = reader.value(Self.mark, required: true), let version = value.integer(), version != Self.version {
      value.refuse(expected: "\(Self.version), the version that this program reads")
    }
    let scenario = reader.string("scenario", required: true)
    let seed = reader.unsigned("seed", required: true)
    let command = reader.string("command", required: true)
    let build = reader.object("build", required: true)
    let version = build?.string("version", required: true)
    let original = reader.object("original", required: true).flatMap(Self.run)
    let shrunk = reader.has("shrunk") ? reader.object("shrunk").flatMap(Self.run) : nil
    var files: [File] = []
    for element in reader.array("files", required: true) ?? [] {
      guard let file = element.object() else { continue }
      let name = file.string("name", required: true)
      let bytes = file.integer("bytes", in: 0 ... .max, required: true)
      let digest = file.string("sha256", required: true)
      if let name, let bytes, let digest { files.append(File(name: name, bytes: Int(bytes), digest: digest)) }
    }
    guard !collector.diagnostics.hasErrors, let scenario, let seed, let command, let build, let version, let original
    else { throw .problems(collector.diagnostics.lines) }
    self.init(
      scenario: scenario, seed: seed, command: command,
      build: BuildIdentity(
        version: version, commit: build.isNull("commit") ? nil : build.string("commit"),
        digest: build.isNull("sha256") ? nil : build.string("sha256")),
      original: original, shrunk: shrunk, files: files)
  }

  private static func run(_ reader: JSONObjectReader) -> Run? {
    let scenario = reader.string("scenario", required: true)
    let trace = reader.string("trace", required: true)
    let digest = reader.string("sha256", required: true)
    let verdict = reader.string("verdict", required: true)
    let findings = (reader.array("findings", required: true) ?? []).compactMap { $0.string() }
    guard let scenario, let trace, let digest, let verdict else { return nil }
    return Run(scenario: scenario, trace: trace, digest: digest, verdict: verdict, findings: findings)
  }
}

/// Which program this is: for `--version`, and for a bundle that another program will repeat.
package struct BuildIdentity: Equatable {
  /// The release's number.
  var version: String
  /// The commit of the sources; nil if the build did not name it.
  var commit: String?
  /// SHA-256 of the program's file, 64 hexadecimal digits; nil if it cannot be read.
  var digest: String?

  /// The commit that this program was built from, with `-dirty` behind it where the sources had changed; nil if unknown.
  static let commit: String? = cb_commit().map { String(cString: $0) }

  /// This program, whose file is read once.
  package static let own = BuildIdentity(
    version: Version.text, commit: commit, digest: WorkoutDigest.text(ofFile: ProcessRun.ownPath))

  /// The line that `--version` prints.
  package static var line: String { "sim-runner \(Version.text)" + (commit.map { " (commit \($0))" } ?? "") }
}

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
