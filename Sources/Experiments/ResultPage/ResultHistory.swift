import Console
import Foundation
import Link

/// What earlier runs of `test` and `sweep` came to: `history.jsonl` beside their page, a line for each run.
struct ResultHistory {
  /// One run.
  struct Entry: Equatable {
    /// `test` or `sweep`.
    var command: String
    /// When it ended, in ISO 8601.
    var at: String
    /// The commit of the tested sources; nil if unknown.
    var commit: String?
    /// How many scenarios or seeds were run.
    var runs: Int64
    var failed: Int64
    /// Real time, in seconds.
    var seconds: Double

    /// Runs a second; 0 for a run that took no time.
    var rate: Double { seconds > 0 ? Double(runs) / seconds : 0 }
  }

  static let fileName = "history.jsonl"
  /// The file is refused beyond this size.
  private static let bytesMax = 64 << 20

  /// All runs, the oldest first.
  private(set) var entries: [Entry] = []
  /// Lines that are no entries; they stay in the file.
  private(set) var unreadableCount = 0
  private var text: [UInt8] = []

  /// Reads the history of a folder; empty if there is none yet.
  init(folder: String) throws(Failure) {
    let path = "\(folder)/\(Self.fileName)"
    guard FileManager.default.fileExists(atPath: path) else { return }
    text = try FilePath.read(path, bytesMax: Self.bytesMax)
    for line in text.split(separator: UInt8(ascii: "\n")) {
      if let entry = Self.read(Array(line)) { entries.append(entry) } else { unreadableCount += 1 }
    }
  }

  /// Adds a run, and writes the file.
  mutating func add(_ entry: Entry, to folder: String) throws(Failure) {
    if let last = text.last, last != UInt8(ascii: "\n") { text.append(UInt8(ascii: "\n")) }
    text += JSONWriter.compact(JSONNode(.object(Self.members(entry)))) + [UInt8(ascii: "\n")]
    entries.append(entry)
    try OutputFile("\(folder)/\(Self.fileName)", as: .results).finish(text, "history")
  }

  private static func members(_ entry: Entry) -> [JSONMember] {
    .init([
      "command": .string(entry.command), "at": .string(entry.at), "commit": .text(entry.commit),
      "runs": .integer(entry.runs), "failed": .integer(entry.failed), "seconds": .decimal(entry.seconds),
    ])
  }

  private static func read(_ line: [UInt8]) -> Entry? {
    let collector = DiagnosticsCollector(file: fileName)
    guard let node = try? JSONParser.parse(line, dialect: .json), let reader = JSONObjectReader(node, into: collector),
      let command = reader.string("command", required: true), let at = reader.string("at", required: true),
      let runs = reader.integer("runs", in: 0 ... .max, required: true),
      let failed = reader.integer("failed", in: 0...runs, required: true),
      let seconds = reader.number("seconds", in: 0...1e9, required: true)
    else { return nil }
    let commit = reader.isNull("commit") ? nil : reader.string("commit")
    return Entry(command: command, at: at, commit: commit, runs: runs, failed: failed, seconds: seconds)
  }
}

/// The commit of the sources that are tested, for the history of results.
package enum CommitName {
  /// Where build servers name it.
  private static let variables = [
    "GITHUB_SHA", "CI_COMMIT_SHA", "BUILDKITE_COMMIT", "CIRCLE_SHA1", "BUILD_SOURCEVERSION", "GIT_COMMIT",
  ]
  private static let digitsMax = 12

  /// The first twelve digits of the commit that a build server names, or else of the repository in the working directory;
  /// nil if there is none.
  package static func find(_ environment: [String: String]) -> String? {
    for variable in variables {
      if let name = environment[variable].flatMap(digits) { return name }
    }
    return fromRepository().flatMap(digits)
  }

  /// Hexadecimal digits only: the name goes into a page.
  private static func digits(_ text: String) -> String? {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard (7...64).contains(trimmed.utf8.count), trimmed.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
    return String(trimmed.prefix(digitsMax))
  }

  private static func fromRepository() -> String? {
    let git = Process()
    git.executableURL = URL(filePath: "/usr/bin/env")
    git.arguments = ["git", "rev-parse", "HEAD"]
    let pipe = Pipe()
    git.standardInput = FileHandle.nullDevice
    git.standardOutput = pipe
    git.standardError = FileHandle.nullDevice
    guard (try? git.run()) != nil else { return nil }
    let data = (try? pipe.fileHandleForReading.readToEnd()) ?? nil
    git.waitUntilExit()
    return git.terminationStatus == 0 ? data.map { String(decoding: $0, as: UTF8.self) } : nil
  }
}
