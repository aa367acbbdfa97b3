import Foundation
import Link
import LinkTestSupport
import Testing

/// The golden traces in `traces/`: what a run of them writes today is what it wrote when they were made.
///
/// With `WRISTWIRE_REGENERATE=1` in the environment the traces and their digests in `traces/README.md` are
/// rewritten instead; review the change in `git diff`.
@Suite struct GoldenTraceTests {
  private static let isRegenerating = ProcessInfo.processInfo.environment["WRISTWIRE_REGENERATE"] == "1"

  @Test(arguments: GoldenTrace.all, ["in-process", "processes"])
  func `a run writes the golden trace again, line by line`(golden: GoldenTrace, mode: String) throws {
    let run = try golden.run(mode: mode)
    #expect(run.status == 0, "\(golden.name), \(mode): exit status \(run.status)\n\(run.said)")
    if Self.isRegenerating {
      if mode == "in-process" { try golden.replace(with: run.trace) }
    } else {
      let kept = try String(contentsOf: golden.trace, encoding: .utf8)
      let difference = LineDifference.text(kept, run.trace)
      #expect(difference == nil, "\(golden.name), \(mode): - is golden, + is this run\n\(difference ?? "")")
    }
  }

  @Test(.enabled(if: !isRegenerating), arguments: GoldenTrace.all)
  func `the digest in the list is the file's`(golden: GoldenTrace) throws {
    let bytes = try Data(contentsOf: golden.trace)
    let listed = try #require(try golden.listedDigest(), "traces/README.md has no row with \(golden.name).jsonl")
    #expect(listed == Digest.text(Digest.sha256([UInt8](bytes))), "\(golden.name).jsonl")
  }

  @Test(.enabled(if: !isRegenerating), arguments: GoldenTrace.all)
  func `a golden trace is small`(golden: GoldenTrace) throws {
    let bytes = try Data(contentsOf: golden.trace).count
    #expect(bytes < 160_000, "\(golden.name).jsonl: a repository keeps every version of it")
  }

  @Test(.enabled(if: !isRegenerating))
  func `every trace has its scenario and every scenario its trace`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: GoldenTrace.folder.path)
    let traces = files.filter { $0.hasSuffix(".jsonl") }.map { String($0.dropLast(6)) }
    #expect(traces.sorted() == GoldenTrace.all.map(\.name))
    #expect(traces.count >= 3)
  }

  @Test func `a difference of lines shows what went and what came, and where`() {
    #expect(LineDifference.text("a\nb\nc\n", "a\nb\nc\n") == nil)
    #expect(LineDifference.text("a\nb\nc\n", "a\nB\nc\n") == "line 2\n  a\n- b\n+ B\n")
    #expect(LineDifference.text("a\nb\n", "a\n") == "line 2\n  a\n- b\n")
    #expect(LineDifference.text("", "a\n") == "line 1\n+ a\n")
    #expect(LineDifference.text("a\n", "a") == "only the line end after the last line differs")
  }
}

/// One scenario in `traces/` and the trace it made.
struct GoldenTrace: Sendable, CustomTestStringConvertible {
  /// The files' name without its ending.
  let name: String

  /// The folder that holds them.
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "traces")

  /// Every scenario there is, by name.
  static let all: [GoldenTrace] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".json5") }.map { GoldenTrace(name: String($0.dropLast(6))) }
      .sorted { $0.name < $1.name }
  }()

  var trace: URL { Self.folder.appending(path: "\(name).jsonl") }
  var testDescription: String { name }
  private var scenario: URL { Self.folder.appending(path: "\(name).json5") }
  private static let list = folder.appending(path: "README.md")

  /// The program under test, which is built beside the tests.
  private static var program: URL {
    URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "sim-runner")
  }

  /// Runs the scenario in a fresh process, as a user would.
  ///
  /// - Returns: The exit status, what was printed, and the trace; empty where none was written.
  func run(mode: String) throws -> (status: Int32, said: String, trace: String) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "golden-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let written = folder.appending(path: "trace.jsonl")
    let printed = folder.appending(path: "printed")
    _ = FileManager.default.createFile(atPath: printed.path, contents: nil)
    let output = try FileHandle(forWritingTo: printed)
    let process = Process()
    process.executableURL = Self.program
    process.arguments = ["run", scenario.path, "--mode", mode, "--trace", written.path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run(killedAfter: 300)
    process.waitUntilExit()
    try output.close()
    let said = String(decoding: try Data(contentsOf: printed), as: UTF8.self)
    let trace = (try? String(contentsOf: written, encoding: .utf8)) ?? ""
    return (process.terminationStatus, said, trace)
  }

  /// The digest that the list gives; nil where it has no row for the trace.
  func listedDigest() throws -> String? {
    let text = try String(contentsOf: Self.list, encoding: .utf8)
    guard let row = text.split(separator: "\n").first(where: { $0.contains("](\(name).jsonl)") }) else { return nil }
    return row.split { !$0.isHexDigit }.last { $0.count == 64 }.map(String.init)
  }

  /// Puts a new trace, and its digest in the list, in the place of the old ones.
  func replace(with text: String) throws {
    try Data(text.utf8).write(to: trace)
    let digest = Digest.text(Digest.sha256(Array(text.utf8)))
    // Tests run side by side, and the list is one file.
    try Self.listLock.withLock {
      let old = try #require(try listedDigest(), "traces/README.md has no row with \(name).jsonl and a digest")
      let list = try String(contentsOf: Self.list, encoding: .utf8)
      try Data(list.replacing(old, with: digest).utf8).write(to: Self.list)
    }
  }

  private static let listLock = NSLock()
}

/// What differs between two texts of lines, for a reader.
enum LineDifference {
  /// How many lines of each side are shown.
  private static let shownMax = 12
  private static let contextMax = 3

  /// Returns nil for equal texts.
  ///
  /// What both have at their beginning and end is left out, besides a few lines of context before.
  static func text(_ old: String, _ new: String) -> String? {
    guard old != new else { return nil }
    let before = lines(old)
    let after = lines(new)
    guard before != after else { return "only the line end after the last line differs" }
    let shorter = min(before.count, after.count)
    var same = 0
    while same < shorter, before[same] == after[same] { same += 1 }
    var sameAtEnd = 0
    while sameAtEnd < shorter - same, before[before.count - 1 - sameAtEnd] == after[after.count - 1 - sameAtEnd] {
      sameAtEnd += 1
    }
    var text = "line \(same + 1)\n"
    for line in before[max(0, same - contextMax)..<same] { text += "  \(line)\n" }
    text += shown(before[same..<(before.count - sameAtEnd)], mark: "-")
    text += shown(after[same..<(after.count - sameAtEnd)], mark: "+")
    return text
  }

  private static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: true)
  }

  private static func shown(_ lines: ArraySlice<Substring>, mark: String) -> String {
    var text = ""
    for line in lines.prefix(shownMax) { text += "\(mark) \(line)\n" }
    if lines.count > shownMax { text += "\(mark) ... and \(lines.count - shownMax) more lines\n" }
    return text
  }
}
