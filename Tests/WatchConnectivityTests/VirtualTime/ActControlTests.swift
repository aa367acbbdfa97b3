import Foundation
import LinkTestSupport
import Testing

/// Acts by hand, on a run that goes on.
@Suite(.serialized) struct `Acts by hand` {
  private static let scenario = """
    { scenario: "by-hand", seed: 3, duration: "60s", link: { profile: "ideal" } }
    """

  /// Runs the simulator; ends it after a minute.
  private func start(_ words: [String], in folder: URL) throws -> (process: Process, output: Pipe) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "\(ProbeRun.folder)/sim-runner")
    process.arguments = words
    process.currentDirectoryURL = folder
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run(killedAfter: 60)
    return (process, output)
  }

  private func run(_ words: [String], in folder: URL) throws -> (status: Int32, text: String) {
    let (process, output) = try start(words, in: folder)
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  @Test func `ctl does an act in an app, refuses what cannot be done, and --save keeps it`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "wca-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Self.scenario.utf8).write(to: folder.appending(path: "s.json5"))
    let socket = "/tmp/ww-act-\(UUID().uuidString.prefix(8))/s"
    defer { try? FileManager.default.removeItem(atPath: (socket as NSString).deletingLastPathComponent) }
    let phone = "\(ProbeRun.folder)/SessionProbe phone.log 0:onAct:tapStart"
    let (tool, output) = try start(
      [
        "run", "s.json5", "--time", "1x", "--phone-cmd", phone, "--control", socket, "--save", "saved.json5",
        "--trace", "t.jsonl",
      ], in: folder)
    var sent = (status: Int32(-1), text: "")
    try waitUntil("an act that is done", seconds: 30) {
      sent = (try? run(["ctl", socket, "act", "phone", "tapStart", "{ plan: 5 }"], in: folder)) ?? sent
      return sent.status == 0
    }
    #expect(sent.text.contains("tapStart on the phone"), "\(sent.text)")
    for (words, message) in [
      (["act"], "expected watch or phone"), (["act", "phone", "9tap"], "expected a name"),
      (["act", "phone", "tap", "[1]"], "expected an object"), (["act", "watch", "tap"], "acts are for apps"),
    ] {
      let bad = try run(["ctl", socket] + words, in: folder)
      #expect(bad.status == 2 && bad.text.contains(message), "\(words): \(bad.text)")
    }
    #expect(try run(["ctl", socket, "stop"], in: folder).status == 0)
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    tool.waitUntilExit()
    let trace = try String(contentsOf: folder.appending(path: "t.jsonl"), encoding: .utf8)
    #expect(trace.contains("\"event\":\"control\",\"by\":\"ctl\""), "\(text)")
    let saved = try String(contentsOf: folder.appending(path: "saved.json5"), encoding: .utf8)
    #expect(saved.contains("acts: [") && saved.contains("tapStart") && saved.contains("plan"), "\(saved)")
    let refused = try run(["run", "saved.json5"], in: folder)
    #expect(refused.status == 2 && refused.text.contains("SessionProbe phone.log"), "\(refused.text)")
    let again = try run(["run", "saved.json5", "--run-programs", "--trace", "again.jsonl"], in: folder)
    #expect(again.status == 0, "\(again.text)")
    let repeated = try String(contentsOf: folder.appending(path: "again.jsonl"), encoding: .utf8)
    #expect(repeated.contains("\"event\":\"app.tapped\",\"act\":\"tapStart\",\"plan\":5"), "\(saved)")
  }
}
