import Console
import Foundation
import Link
import Simulator

/// `sim-runner docs`: writes reference pages and JSON Schemas from the catalogues, for developers.
enum DocsCommand: Command {
  static let name = "docs"
  static let about = "writes reference pages and JSON Schemas from the catalogues"
  static let usage = "[FOLDER] [--check]"
  static let isHidden = true
  static let options: [Option] = [.flag("--check", "write nothing; list the pages that would change")]
  static let details = """
    FOLDER is `docs` unless given. Exit status: 0; with --check 1 if a page would change.
    """

  /// The pages by file name, each made from the page as it is, of which some parts may be written by hand.
  static let pages: [(name: String, text: @Sendable (_ current: String) -> String)] = [
    ("scenarios.md", { _ in ScenarioReference.page }),
    ("expectations.md", { _ in ScenarioReference.expectationsPage }),
    ("athlete.md", { _ in ScenarioReference.athletePage }),
    ("internals/faults.md", { _ in ScenarioReference.faultModels }),
    ("internals/profiles.md", { _ in ProfileReference.page }),
    ("internals/checkers.md", { _ in CheckerReference.page }),
    ("internals/trace-format.md", { EventReference.page($0) }),
    ("internals/protocol.md", { QuirkReference.page($0) }),
    ("scenario.schema.json", { _ in ScenarioSchema.document }),
    ("trace.schema.json", { _ in EventReference.schema }),
    ("script.schema.json", { _ in ScenarioSchema.scriptDocument }),
  ]

  static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
    let folder = arguments.operands.isEmpty ? "docs" : try arguments.onlyOperand("the folder")
    let isCheck = arguments.has("--check")
    var differing = 0
    for page in pages {
      let path = "\(folder)/\(page.name)"
      differing += try write(path, isCheck: isCheck, page.text)
    }
    if FileManager.default.fileExists(atPath: "\(folder)/decisions") {
      let index = try DecisionIndex.page(of: "\(folder)/decisions")
      differing += try write("\(folder)/decisions/README.md", isCheck: isCheck) { _ in index }
    }
    if FileManager.default.fileExists(atPath: "\(folder)/documents.json5") {
      let table = try DocumentReference.page(of: "\(folder)/documents.json5")
      differing += try write("\(folder)/documents.md", isCheck: isCheck) { _ in table }
    }
    for name in ["tutorial.md", "../README.md"] where FileManager.default.fileExists(atPath: "\(folder)/\(name)") {
      differing += try write("\(folder)/\(name)", isCheck: isCheck, countInvariants)
    }
    return differing == 0 ? 0 : 1
  }

  /// Brings the number of invariants in the verdicts that a page shows up to date.
  private static func countInvariants(_ page: String) -> String {
    let count = RunJudge.invariantCount
    return page.replacing(/all \d+ invariants held/, with: "all \(count) invariants held")
      .replacing(/(\d+ invariants?) of \d+ broken/) { "\($0.output.1) of \(count) broken" }
  }

  /// Writes a file, or checks it.
  ///
  /// - Returns: How many files differ from what this command writes: 1 or 0.
  private static func write(_ path: String, isCheck: Bool, _ text: (String) -> String) throws(Failure) -> Int {
    let current = try? FilePath.read(path)
    let bytes = Array(text(String(decoding: current ?? [], as: UTF8.self)).utf8)
    guard isCheck else {
      let file = URL(filePath: path)
      do {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file, options: .atomic)
      } catch {
        throw .environment("\(path): error: cannot be written: \(error.systemText)")
      }
      return 0
    }
    guard current != bytes else { return 0 }
    Terminal.print("\(path): differs from what `sim-runner docs` writes")
    return 1
  }
}
