import Foundation
import Link
import Testing

@testable import sim_runner

@Suite(.serialized) struct InterruptTests {
  @Test(arguments: [SIGINT, SIGTERM], RunOptions.Mode.allCases)
  func `a signal ends a run in good order`(signal: Int32, mode: RunOptions.Mode) throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let tool = try Tool(
      ["run", Tool.scenario("demo"), "--mode", mode.rawValue, "--time", "real", "--trace", "t.jsonl"], in: folder)
    // The run is on once its first words are told; however slow the machine is, that comes.
    while !tool.output().contains("gets ready for a run") { usleep(10_000) }
    kill(tool.number, signal)
    let result = tool.finish()
    #expect(result.status == 128 + signal)
    #expect(result.output.contains("STOPPED"))
    #expect(try Tool.leftovers(in: folder) == ["t.jsonl"])
    #expect(Tool.processes(of: folder) == [])
    let trace = try String(contentsOf: folder.appending(path: "t.jsonl"), encoding: .utf8)
    #expect(trace.hasSuffix("\n"))
    #expect(trace.split(separator: "\n").last?.contains("\"node\":\"runner\",\"event\":\"end\",") == true)
  }

  @Test func `a signal before the nodes have joined`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let tool = try Tool(
      ["run", Tool.scenario("demo"), "--watch-cmd", "sh -c 'echo here; sleep 600'", "--trace", "t.jsonl"], in: folder)
    let errors = folder.appending(path: "err.txt")
    while try String(contentsOf: errors, encoding: .utf8) != "here\n" { usleep(10_000) }
    kill(tool.number, SIGINT)
    #expect(tool.finish().status == 130)
    #expect(try Tool.leftovers(in: folder) == ["t.jsonl"])
    #expect(Tool.processes(of: folder) == [])
  }
}
