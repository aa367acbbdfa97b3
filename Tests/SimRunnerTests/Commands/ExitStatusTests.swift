import CoachProtocol
import Foundation
import Link
import LinkTestSupport
import Testing

@testable import Console

/// The tool as its users meet it: arguments in, streams and an exit status out.
@Suite(.serialized) struct ExitStatusTests {
  private static let short = """
    { scenario: "short", duration: "2m", workout: { source: { model: { distance: 200, pace: "5:00/km" } } },
      link: { profile: "ideal" }, expect: [EXPECTATION] }
    """

  private static func file(_ expectation: String) -> [String: String] {
    ["short.json5": short.replacingOccurrences(of: "EXPECTATION", with: expectation)]
  }

  @Test func `0 when all held, with the story on standard output and nothing on standard error`() throws {
    let result = try Tool.run(["run", "short.json5"], files: Self.file("{ count: \"run.finished\", exactly: 1 }"))
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(result.output.contains("watch  the workout is saved: 0.20 km"))
    #expect(result.output.contains("\nPASS  all "))
    #expect(!result.output.contains("\u{1B}"))
  }

  @Test func `1 when an expectation fails, with what shows it and the command that repeats it`() throws {
    let result = try Tool.run(
      ["run", "short.json5", "--seed", "9"], files: Self.file("{ never: \"run.finished\" }"))
    #expect(result.status == 1)
    #expect(result.output.contains("\nFAIL  "))
    // First in words, then why, then as the scenario has it, with its place.
    let words = "It never happens that the phone knows that the run is over and saved"
    #expect(result.output.contains("\nnot met: \(words)\n  run.finished at 1m4.005s\n"))
    #expect(result.output.contains("\n  short.json5:2:40: expectation 1: "))
    #expect(result.output.contains(#": expectation 1: {"never":"run.finished"}"#))
    #expect(result.output.contains(#""event":"run.finished""#))
    #expect(result.output.contains("around it:"))
    #expect(result.output.contains("To repeat it:\n  \(Tool.path) run short.json5 --seed 9\n"))
  }

  @Test(arguments: [
    ["run"], ["run", "nowhere.json5"], ["run", "a", "b"], ["run", "short.json5", "--sed", "1"],
    ["run", "short.json5", "--seed", "-1"], ["run", "short.json5", "--seed"], ["run", "short.json5", "--time", "fast"],
    ["run", "short.json5", "--mode", "threads"], ["run", "short.json5", "--report", "."],
    ["run", "short.json5", "--mode", "in-process", "--watch-cmd", "x"], ["run", "short.json5", "--watch-cmd", "'x"],
    ["run", "short.json5", "--trace", "/nowhere/at/all.jsonl"], ["run", "short.json5", "--trace", "."],
    ["runn"], ["--sed", "1"], ["demo", "x"], ["demo", "day", "x"], ["test"], ["test", "nowhere"],
    ["test", "short.json5", "--jobs", "0"],
    ["test", "short.json5", "--filter", "long"], ["watch", "--socket", "/nowhere"], ["watch", "x"],
    ["run", "short.json5", "--trace", "./short.json5"], ["run", "short.json5", "--report", "short.json5"],
    ["run", "short.json5", "--trace", "a", "--report", "./a"], ["test", "short.json5", "--junit", "short.json5"],
    ["sweep", "short.json5", "--seeds", "0..<2", "--out", "short.json5"],
    ["sweep", "short.json5", "--seeds", "0..<2", "--out", "a", "--coverage", "a"],
    ["shrink", "short.json5", "--out", "./short.json5"], ["run", "short.json5", "--save", "short.json5"],
    ["run", "short.json5", "--save", "a", "--trace", "a"], ["test", "short.json5", "--traces", "short.json5"],
    ["test", "short.json5", "--traces", "short.json5/inside"], ["test", "short.json5", "--traces", ""],
    ["sweep", "short.json5", "--seeds", "0..<2", "--failures", "short.json5"],
    ["run", "short.json5", "--trace", "-"], ["shrink", "short.json5", "--out", "-"],
    ["shrink", "short.json5", "--out", "/nowhere/at/all.json5"],
  ])
  func `2 for bad usage, with a word on standard error and nothing else`(arguments: [String]) throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    // A good one: nothing else is wrong.
    let text = try #require(Self.file("")["short.json5"])
    try Data(text.utf8).write(to: folder.appending(path: "short.json5"))
    let result = try Tool(arguments, in: folder).finish()
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(!result.errors.isEmpty)
    #expect(try Tool.leftovers(in: folder, besides: ["short.json5"]) == [])
    #expect(try String(contentsOf: folder.appending(path: "short.json5"), encoding: .utf8) == text)
  }

  @Test func `2 for a bad scenario, which leaves no trace behind`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("{ scenario: 3 }".utf8).write(to: folder.appending(path: "bad.json5"))
    let result = try Tool(["run", "bad.json5", "--trace", "t.jsonl", "--json"], in: folder).finish()
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("bad.json5:1:"))
    #expect(try Tool.leftovers(in: folder) == ["bad.json5"])
  }

  @Test func `3 for a disk that takes no trace`() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let result = try Tool.run(["run", "short.json5", "--trace", "/dev/full", "--json"], files: Self.file(""))
    #expect(result.status == 3)
    #expect(result.output.contains("\"error\":\"the trace cannot be written: "))
  }

  @Test(arguments: [7, 9, 11])
  func `3 for too many open files, which is what the error says`(limit: Int) throws {
    for words in [
      "run short.json5", "run short.json5 --mode in-process --state-dir state",
      "sweep short.json5 --seeds '0..<4' --jobs 4",
    ] {
      let folder = try TemporaryFolder()
      try folder.write("short.json5", Self.file("")["short.json5"] ?? "")
      let shell = Process()
      shell.executableURL = URL(filePath: "/bin/sh")
      shell.arguments = ["-c", "ulimit -n \(limit); exec '\(Tool.path)' \(words)"]
      // Opened before the limit holds, so that the shell needs no more.
      let file = try FileHandle(forWritingTo: URL(filePath: folder.write("out", "")))
      (shell.standardOutput, shell.standardError, shell.standardInput) = (file, file, FileHandle.nullDevice)
      shell.currentDirectoryURL = folder.url
      try shell.run(killedAfter: 300)
      shell.waitUntilExit()
      let output = try String(contentsOfFile: folder.path("out"), encoding: .utf8)
      if shell.terminationStatus == 0 { continue }
      #expect(shell.terminationStatus == 3)
      #expect(output.contains("Too many open files") && output.contains("ulimit -n"), "\(words): \(output)")
    }
  }

  @Test(arguments: [
    "run short.json5 --mode in-process --trace t", "run short.json5 --trace t", "run short.json5 --state-dir state",
    "sweep short.json5 --seeds '0..<2' --jobs 1",
  ])
  func `3 for a limit of file sizes, which is what the error says`(words: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("short.json5", Self.file("")["short.json5"] ?? "")
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/bash")
    shell.arguments = ["-c", "ulimit -f 2; '\(Tool.path)' \(words) 2>&1 | cat; exit ${PIPESTATUS[0]}"]
    let pipe = Pipe()
    (shell.standardOutput, shell.standardError, shell.standardInput) = (pipe, pipe, FileHandle.nullDevice)
    shell.currentDirectoryURL = folder.url
    try shell.run(killedAfter: 300)
    let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 3, "\(words): \(output)")
    #expect(output.contains("a file may have 2048 bytes here; raise that with ulimit -f"), "\(words): \(output)")
  }

  @Test(arguments: ["test short.json5", "run short.json5 --json", "plants --json", "--help"])
  func `3 for a standard output that takes nothing, and a reader that went away is none`(words: String) throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data((Self.file("")["short.json5"] ?? "").utf8).write(to: folder.appending(path: "short.json5"))
    func status(_ line: String) throws -> Int32 {
      let shell = Process()
      shell.executableURL = URL(filePath: "/bin/bash")
      shell.arguments = ["-c", line]
      shell.currentDirectoryURL = folder
      try shell.run(killedAfter: 300)
      shell.waitUntilExit()
      return shell.terminationStatus
    }
    #expect(try status("'\(Tool.path)' \(words) >/dev/full 2>errors") == 3)
    let errors = try String(contentsOf: folder.appending(path: "errors"), encoding: .utf8)
    #expect(errors.hasSuffix("standard output: error: cannot be written: No space left on device\n"), "\(errors)")
    // What prints and runs nothing may end by the signal, as `cat` does.
    let left = try status("'\(Tool.path)' \(words) 2>/dev/null | true; exit ${PIPESTATUS[0]}")
    #expect(left == 0 || left == 128 + SIGPIPE)
  }

  @Test func `one JSON object on standard output, the story on standard error`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = Self.file("{ never: \"run.finished\" }")["short.json5"] ?? ""
    try Data(text.utf8).write(to: folder.appending(path: "short.json5"))
    let seed = "18446744073709551615"
    let result = try Tool(["run", "short.json5", "--json", "--seed", seed, "--trace", "t.jsonl"], in: folder).finish()
    #expect(result.status == 1)
    #expect(result.errors.contains("the workout is saved"))
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 2 && lines.last == "")
    let object = try JSONParser.parse(result.output, dialect: .json)
    #expect(object["scenario"]?.text == "short")
    #expect(object["seed"]?.text == seed)
    #expect(object["verdict"]?.text == "fail")
    #expect(object["violations"]?.elements.isEmpty == true)
    #expect(object["expectations"]?.elements.first?["passed"]?.value == .bool(false))
    #expect((object["simulatedSeconds"]?.double ?? 0) > 60)
    #expect((object["wallSeconds"]?.double ?? 0) > 0)
    let trace = try Data(contentsOf: folder.appending(path: "t.jsonl"))
    #expect(object["traceDigest"]?.text == Digest.text(Digest.sha256([UInt8](trace))))
    let events = String(decoding: trace, as: UTF8.self).split(separator: "\n").dropFirst()
    #expect(object["events"]?.double == Double(events.count))
    #expect(
      object["counters"]?["frame.sent"]?.double
        == Double(events.count { $0.contains("\"event\":\"frame.sent\"") }))
    #expect(events.last?.contains("\"event\":\"end\"") == true)
    #expect(try Tool.leftovers(in: folder) == ["short.json5", "t.jsonl"])
  }
}
