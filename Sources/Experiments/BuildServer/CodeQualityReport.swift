package import Console
import CSystem
import Link

/// Findings in GitLab's code quality format, a subset of Code Climate's: a merge request shows them beside the code.
package enum CodeQualityReport {
  /// The option of commands that write one.
  package static let option = Option.output(
    "--code-quality", "FILE", "write what is wrong here, as GitLab's code quality JSON")

  /// The document: an array, empty without findings.
  static func text(_ findings: [BuildFinding]) -> String {
    var seen: [String: Int] = [:]
    let entries = findings.map { finding -> JSONNode in
      // Fingerprints contain no line numbers: GitLab drops entries with a known fingerprint, and compares them between
      // branches.
      let key = [finding.check, finding.file, finding.text].joined(separator: "\u{0}")
      let count = seen[key, default: 0]
      seen[key] = count + 1
      let fingerprint = Digest.text(Digest.sha256(Array("\(key)\u{0}\(count)".utf8)))
      return JSONNode(
        .fields([
          "description": .string("\(finding.title): \(finding.text)"), "check_name": .string(finding.check),
          "fingerprint": .string(fingerprint), "severity": .string(finding.severity == .error ? "major" : "minor"),
          "location": .fields([
            "path": .string(relative(finding.file)), "lines": .fields(["begin": .count(finding.line ?? 1)]),
          ]),
        ]))
    }
    return String(decoding: JSONWriter.compact(JSONNode(.array(entries))), as: UTF8.self) + "\n"
  }

  /// GitLab wants paths without a leading `./`.
  private static func relative(_ path: String) -> String { path.hasPrefix("./") ? String(path.dropFirst(2)) : path }

  /// Opens the file that the option names, before the runs, so that an unwritable report is noticed at once.
  package static func file(_ arguments: Arguments) throws(Failure) -> OutputFile? {
    try OutputFile(named: arguments.value(option.name), as: .report)
  }

  /// Writes the document to the file that the option names.
  package static func write(_ findings: [BuildFinding], to file: OutputFile) throws(Failure) {
    try file.finish(Array(text(findings).utf8))
  }
}
