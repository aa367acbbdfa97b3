import Foundation
import Link
import LinkTestSupport
import Testing

@testable import Simulator

@Suite(.serialized) struct InterruptTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP], RunOptions.Mode.allCases)
  func `a signal ends a run in good order`(signal: Int32, mode: RunOptions.Mode) throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let tool = try Tool(
      ["run", Tool.scenario("demo"), "--mode", mode.rawValue, "--time", "real", "--trace", "t.jsonl"], in: folder)
    try waitUntil("the first line of the story") { tool.output().contains("gets ready for a workout") }
    kill(tool.number, signal)
    let result = tool.finish()
    #expect(result.status == 128 + signal)
    #expect(result.output.contains("STOPPED"))
    #expect(try Tool.leftovers(in: folder) == ["t.jsonl"])
    #expect(Tool.processes(of: folder) == [])
    let trace = try String(contentsOf: folder.appending(path: "t.jsonl"), encoding: .utf8)
    #expect(trace.hasSuffix("\n"))
    let end = "\"node\":\"runner\",\"event\":\"end\",\"verdict\":\"unknown\","
    #expect(trace.split(separator: "\n").last?.contains(end) == true)
    // Only the progress line may be on standard error: no node says that it was stopped.
    #expect(!result.errors.contains("sim-runner"), "\(result.errors)")
    let check = try CommandChild.call(["check", folder.appending(path: "t.jsonl").path()])
    #expect(check.status == 1 && check.output.contains("unknown: "), "\(check.output)")
    #expect(check.errors.contains("it was stopped") && !check.errors.contains("of itself"), "\(check.errors)")
  }

  @Test func `SIGHUP ends no run that was started by nohup`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("{ scenario: \"s\", duration: \"10s\" }".utf8).write(to: folder.appending(path: "s.json5"))
    let printed = folder.appending(path: "printed").path()
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    // `exec` keeps the process number, and what is ignored stays ignored.
    let run = "exec '\(Tool.path)' run s.json5 --mode in-process --time 5x >'\(printed)'"
    shell.arguments = ["-c", "trap '' HUP; \(run)"]
    shell.currentDirectoryURL = folder
    shell.standardError = FileHandle.nullDevice
    try shell.run(killedAfter: 300)
    try waitUntil("the first line of the story") {
      try FileManager.default.fileExists(atPath: printed)
        && String(contentsOfFile: printed, encoding: .utf8).contains("gets ready for a workout")
    }
    kill(shell.processIdentifier, SIGHUP)
    shell.waitUntilExit()
    #expect(shell.terminationReason == .exit && shell.terminationStatus == 0)
  }

  @Test func `a signal before the nodes have joined`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let tool = try Tool(
      ["run", Tool.scenario("demo"), "--watch-cmd", "sh -c 'echo here; sleep 600'", "--trace", "t.jsonl"], in: folder)
    let errors = folder.appending(path: "err.txt")
    try waitUntil("the watch's program") { try String(contentsOf: errors, encoding: .utf8).contains("here\n") }
    kill(tool.number, SIGINT)
    #expect(tool.finish().status == 130)
    #expect(try Tool.leftovers(in: folder) == ["t.jsonl"])
    #expect(Tool.processes(of: folder) == [])
  }

  // MARK: test

  /// Two that are over at once, and between them one of two days.
  private static func writeScenarios(into folder: URL) throws {
    let long = "duration: \"48h\", workout: { source: { model: { distance: 900000, pace: \"5:00/km\" } } }"
    for (name, rest) in [("a", "duration: \"10s\""), ("b", long), ("c", "duration: \"10s\"")] {
      let text = "{ scenario: \"\(name)\", link: { profile: \"ideal\" }, \(rest) }"
      try Data(text.utf8).write(to: folder.appending(path: "\(name).json5"))
    }
  }

  /// Which cases of a report are skipped, by name.
  private static func cases(in folder: URL) throws -> [String: Bool] {
    let report = try String(contentsOf: folder.appending(path: "r.xml"), encoding: .utf8)
    #expect(report.hasSuffix("</testsuites>\n"))
    var cases: [String: Bool] = [:]
    for text in report.components(separatedBy: "<testcase ").dropFirst() {
      let name = text.firstMatch(of: /name="([^"]*)" file=/).map { String($0.output.1) }
      cases[name ?? "?"] = text.contains("<skipped message=\"stopped\"/>")
    }
    #expect(report.contains("skipped=\"\(cases.values.count { $0 })\" tests=\"3\" failures=\"0\" errors=\"0\""))
    return cases
  }

  @Test(arguments: [SIGINT, SIGTERM], RunOptions.Mode.allCases)
  func `a signal leaves a JUnit report of what was run`(signal: Int32, mode: RunOptions.Mode) throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Self.writeScenarios(into: folder)
    let tool = try Tool(
      ["test", "a.json5", "b.json5", "c.json5", "--junit", "r.xml", "--mode", mode.rawValue], in: folder)
    try waitUntil("the first scenario") { tool.output().contains("pass  a") }
    kill(tool.number, signal)
    let result = tool.finish()
    #expect(result.status == 128 + signal)
    #expect(result.errors.hasSuffix("stopped; 1 of 3 scenarios were run\n"))
    #expect(try Self.cases(in: folder) == ["a": false, "b": true, "c": true])
    #expect(Tool.processes(of: folder) == [])
  }

  @Test func `of several runs at a time, the finished ones count, whatever their order`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Self.writeScenarios(into: folder)
    let tool = try Tool(
      ["test", "a.json5", "b.json5", "c.json5", "--junit", "r.xml", "--jobs", "2", "--traces", "t"], in: folder)
    let last = folder.appending(path: "t/c.jsonl").path()
    try waitUntil("the first and the last scenario") {
      tool.output().contains("pass  a") && FileManager.default.fileExists(atPath: last)
    }
    kill(tool.number, SIGINT)
    let result = tool.finish()
    #expect(result.status == 130)
    #expect(result.output.contains("pass  c"))
    #expect(try Self.cases(in: folder) == ["a": false, "b": true, "c": false])
  }

  @Test func `a signal before the first scenario skips them all`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Self.writeScenarios(into: folder)
    for jobs in ["1", "2"] {
      let tool = try Tool(
        ["test", "a.json5", "b.json5", "c.json5", "--junit", "r.xml", "--jobs", jobs], in: folder, signal: SIGINT)
      let result = tool.finish()
      #expect(result.status == 130)
      #expect(result.output == "" && result.errors == "stopped; 0 of 3 scenarios were run\n")
      #expect(try Self.cases(in: folder) == ["a": true, "b": true, "c": true])
    }
  }
}
