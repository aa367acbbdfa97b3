@testable import LiveView
import Foundation
import Link
import Testing

@testable import Commands

/// Runs in processes of their own, and commands over real sockets.
@Suite(.serialized) struct CtlTests {
  private let folder: URL
  /// A short path of its own: sockets have little room for names.
  private let socket: String

  init() throws {
    folder = try Tool.makeFolder()
    socket = "/tmp/ww-ctl-\(UUID().uuidString.prefix(8))/s"
    try Data(Self.scenario.utf8).write(to: folder.appending(path: "s.json5"))
  }

  private static let scenario = """
    { scenario: "by-hand", seed: 3, duration: "10m", workout: { source: { model: { distance: 500, pace: "5:00/km" } } } }
    """

  private func start(_ words: [String]) throws -> Tool {
    let tool = try Tool(["run", "s.json5", "--control", socket] + words, in: folder)
    for _ in 0..<2_000 {
      // A socket that a dead run has left behind is there too, without a listener.
      if let descriptor = try? ControlSocket.connect(to: socket) {
        close(descriptor)
        return tool
      }
      Thread.sleep(forTimeInterval: 0.01)
    }
    Issue.record("no socket: \(tool.finish())")
    return tool
  }

  private func ctl(_ words: String...) throws -> CommandChild { try CommandChild.run(["ctl", socket] + words) }

  private func object(_ child: CommandChild) throws -> [String: Any] { try child.object() }

  @Test(arguments: ["in-process", "processes"])
  func `commands are carried out, answered, recorded and saved`(mode: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    // Time moves only when the test moves it, so nothing depends on the machine's speed.
    let tool = try start([
      "--mode", mode, "--time", "0.001x", "--trace", "t.jsonl", "--save", "saved.json5", "--report", "r.html",
    ])
    let down = try object(try ctl("link", "down", "--json"))
    #expect(down["ok"] as? Bool == true && down["fault"] as? String == "live-1")
    let again = try ctl("link", "down")
    #expect(again.status == 2 && again.errors.contains("the link is cut already"))
    let status = try object(try ctl("status", "--json"))
    #expect((status["link"] as? [String: Any])?["up"] as? Bool == false)
    #expect((status["faults"] as? [[String: Any]])?.first?["kind"] as? String == "disconnect")
    let plain = try ctl("status").output
    #expect(plain.contains("up no, sent ") && plain.contains("kind disconnect") && !plain.contains("{"), "\(plain)")
    #expect(try ctl("kill", "phone", "--restart-after", "5s").status == 0)
    #expect(try ctl("fault", "add", "loss", "--probability", "0.3", "--for", "30s").status == 0)
    #expect(try ctl("fault", "remove", "live-3").status == 0)
    #expect(try ctl("fault", "add", "delay", "--mean", "300ms").status == 0)
    #expect(try ctl("mark", "half past nothing").status == 0)
    #expect(try ctl("pause").status == 0)
    #expect(try object(try ctl("status", "--json"))["paused"] as? Bool == true)
    #expect(try ctl("link", "up").status == 0)
    #expect(try ctl("speed", "virtual").status == 0)
    #expect(try ctl("resume").status == 0)
    let result = tool.finish()
    #expect(result.status == 0, "\(result.errors) \(result.output)")
    #expect(result.output.contains("marked by hand: half past nothing"))
    let lines = try String(contentsOf: folder.appending(path: "t.jsonl"), encoding: .utf8).split(separator: "\n")
    #expect(lines.count { $0.contains(#""event":"control","by":"ctl""#) } == 11)
    #expect(lines.contains { $0.contains(#""command":"mark half past nothing""#) })
    // The header's plan is that of the start.
    #expect(lines[0].contains(#""faults":[]"#))
    #expect(try Tool(["check", "t.jsonl"], in: folder).finish().status == 0)
    // The saved scenario makes the same frames meet the same fates.
    let rerun = try Tool(["run", "saved.json5", "--mode", "in-process", "--trace", "again.jsonl"], in: folder).finish()
    #expect(rerun.status == 0)
    let others = try String(contentsOf: folder.appending(path: "again.jsonl"), encoding: .utf8).split(separator: "\n")
    let fates = { (lines: [Substring]) in
      lines.filter { $0.contains("\"event\":\"frame.") || $0.contains("\"node\":\"phone\"") }
    }
    #expect(fates(lines) == fates(others))
    #expect(!FileManager.default.fileExists(atPath: (socket as NSString).deletingLastPathComponent))
    #expect(Tool.processes(of: folder).isEmpty)
    let page = try String(contentsOf: folder.appending(path: "r.html"), encoding: .utf8)
    #expect(page.contains("run saved.json5\""))
  }

  @Test func `invalid input gets an error, a flood is disconnected, and the run continues`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let tool = try start(["--mode", "in-process", "--time", "0.001x"])
    for words in [
      ["lnik"], ["fault", "add", "los"], ["link"], ["speed", "soon"], ["mark", String(repeating: "é", count: 300)],
    ] {
      let child = try CommandChild.run(["ctl", socket] + words)
      #expect(child.status == 2 && !child.errors.isEmpty, "\(words)")
    }
    let sent: [[UInt8]] = [
      Array("\n\n\n".utf8), [0xFF, 0xFE, 0x0A], [0, 0, 0x0A], Array("'unclosed\n".utf8),
      [UInt8](repeating: 0x41, count: 100_000), Array("link do".utf8),
      Array("fault add '{{{{{{{{{{{{{{{{{{{{{{\n".utf8), Array(repeating: 0x5B, count: 8_000) + [0x0A],
      Array(String(repeating: "status\n", count: 5_000).utf8),
    ]
    var open: [Int32] = []
    for bytes in sent {
      let descriptor = try ControlSocket.connect(to: socket)
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
        }
        guard count > 0 else { break }
        rest = rest.dropFirst(count)
      }
      open.append(descriptor)
    }
    // More who say nothing than there is room for.
    for _ in 0..<40 { open.append(try ControlSocket.connect(to: socket)) }
    let status = try ctl("status", "--json")
    #expect(status.status == 0)
    for descriptor in open { close(descriptor) }
    #expect(try ctl("stop").status == 0)
    let result = tool.finish()
    #expect(result.status == 130)
    #expect(result.output.contains("STOPPED"))
    #expect(!FileManager.default.fileExists(atPath: socket))
  }

  @Test func `a run that is killed leaves a socket that the next one takes over, and one that lives is left alone`()
    throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    let first = try start(["--mode", "in-process", "--time", "0.001x"])
    let second = try Tool.run(["run", "s.json5", "--control", socket], files: ["s.json5": Self.scenario])
    #expect(second.status == 2 && second.errors.contains("found something there"))
    kill(first.number, SIGKILL)
    _ = first.finish()
    #expect(FileManager.default.fileExists(atPath: socket))
    #expect(try ctl("status").status == 3)
    let third = try start(["--mode", "in-process", "--time", "0.001x"])
    #expect(try ctl("status").status == 0)
    kill(third.number, SIGTERM)
    #expect(third.finish().status == 143)
    #expect(!FileManager.default.fileExists(atPath: socket))
    try? FileManager.default.removeItem(atPath: (socket as NSString).deletingLastPathComponent)
  }

  @Test func `a folder that others may enter is refused`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let open = folder.appending(path: "open").path()
    try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: false)
    chmod(open, 0o755)
    let result = try Tool(["run", "s.json5", "--control", "\(open)/s"], in: folder).finish()
    #expect(result.status == 2)
    #expect(result.errors.contains("others may enter the folder"))
    let long = try Tool(["run", "s.json5", "--control", "/tmp/" + String(repeating: "x", count: 200)], in: folder)
      .finish()
    #expect(long.status == 2)
    #expect(try ctl("status").status == 3)
    #expect(try CommandChild.call(["ctl"]).status == 2)
    #expect(try CommandChild.call(["ctl", socket]).status == 2)
  }
}
