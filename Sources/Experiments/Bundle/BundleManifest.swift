import CBuild
import Console
import Foundation
import Link
import Simulator

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
