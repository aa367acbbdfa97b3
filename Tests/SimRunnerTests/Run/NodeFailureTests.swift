import Foundation
import Link
import LinkTestSupport
import LinkTransport
import Testing

@testable import Simulator
@testable import Console

/// Programs that play a node badly: each ends the run in good order, and nothing of it is left.
@Suite(.serialized) struct NodeFailureTests {
  /// Only the watch is bad, so only it may have a limit that is short: the phone is as slow as the machine.
  private static func run(
    watch: [String], joinMax: Double = 60, silenceMax: Double = 60
  ) throws -> (outcome: RunOutcome, trace: String) {
    var options = RunOptions()
    options.mode = .processes
    options.silenceMax = 60
    options.nodeLimits[.watch] = NodeLimits(join: joinMax, answer: silenceMax)
    options.watchCommand = watch
    options.phoneCommand = [Tool.path, "phone"]
    let text = TraceBox()
    options.output = { text.bytes += $0 }
    let outcome = try ScenarioRun.run(try Scenario.load(Tool.scenario("demo")), options)
    return (outcome, String(decoding: text.bytes, as: UTF8.self))
  }

  private final class TraceBox {
    var bytes: [UInt8] = []
  }

  private static func expectFailure(_ run: (outcome: RunOutcome, trace: String), cause: String, status: Int32 = 3) {
    #expect(run.outcome.status == status)
    #expect(run.outcome.verdict == .fail)
    #expect(run.outcome.nodeFailure?.contains(cause) == true, "\(run.outcome.nodeFailure ?? "no failure")")
    let lines = run.trace.split(separator: "\n")
    #expect(lines.first?.hasPrefix("{\"trace\":\"wristwire\"") == true)
    #expect(lines.dropLast().last?.contains("\"event\":\"node.failed\",\"target\":\"watch\"") == true)
    #expect(lines.last?.contains("\"event\":\"end\",\"verdict\":\"fail\"") == true)
  }

  @Test func `a program that ends at once`() throws {
    Self.expectFailure(try Self.run(watch: ["false"]), cause: "exited with status 1 before it joined", status: 1)
  }

  @Test func `what a program printed last is kept without control characters, whatever it prints`() throws {
    let run = try Self.run(watch: ["sh", "-c", "printf 'a\\033[2Jb\\nPASS'; head -c 5000 /dev/zero; exit 9"])
    let end = try #require(run.outcome.programEnd)
    #expect(end.end == .exited(9) && end.role == .watch && end.time == .start)
    #expect(end.output.first == #"a\u001B[2Jb"# && end.output.count == 4)
    #expect(end.output.allSatisfy { !$0.unicodeScalars.contains { $0.value < 32 } })
    #expect(end.lastLines.first == #"a\u001B[2Jb"# && end.backtrace.isEmpty)
  }

  @Test func `a program that does not exist`() throws {
    Self.expectFailure(try Self.run(watch: ["/nowhere/watch"]), cause: "No such file")
  }

  @Test func `a program that never joins`() throws {
    Self.expectFailure(try Self.run(watch: ["sleep", "600"], joinMax: 0.5), cause: "no join within 0.5 s")
  }

  @Test func `a program that joins and hangs, one that sends garbage, one that dies in the middle`() throws {
    // A real watch whose process is stopped, broken or killed once it has joined, by a relay in between.
    guard let python = Self.python else { return }
    let cases: [(String, Double, String, Int32)] = [
      ("time.sleep(600)", 4.5, "silent for 4.5 s", 3),
      ("s.sendall(os.urandom(4096)); time.sleep(600)", 60, "broke the protocol", 3),
      ("os._exit(7)", 60, "its program exited with status 7", 1),
    ]
    for (deed, silenceMax, cause, status) in cases {
      let watch = [python, "-c", Self.impostor(deed)]
      Self.expectFailure(try Self.run(watch: watch, silenceMax: silenceMax), cause: cause, status: status)
    }
  }

  @Test func `a failed run of the tool leaves no process and no file`() throws {
    for (command, status) in [("false", Int32(1)), ("sh -c 'sleep 600 & wait'", 3)] {
      let folder = try Tool.makeFolder()
      defer { try? FileManager.default.removeItem(at: folder) }
      let result = try Tool(
        ["run", Tool.scenario("demo"), "--watch-cmd", command, "--json", "--trace", "t.jsonl"], in: folder
      ).finish()
      #expect(result.status == status)
      let object = try JSONParser.parse(result.output, dialect: .json)
      #expect(object["verdict"]?.text == "fail")
      if status == 3 {
        #expect(object["error"]?.text?.hasPrefix("the watch failed: ") == true)
      } else {
        #expect(object["programEnd"]?["exitStatus"]?.value == .integer(1))
      }
      #expect(try Tool.leftovers(in: folder) == ["t.jsonl"])
      #expect(Tool.processes(of: folder) == [])
    }
  }

  @Test func `a program that is not there is bad input, and leaves no file`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let result = try Tool(
      ["run", Tool.scenario("demo"), "--watch-cmd", "/nowhere/watch", "--json", "--trace", "t.jsonl"], in: folder
    ).finish()
    #expect(result.status == 2 && result.errors.contains("found no file /nowhere/watch"), "\(result.errors)")
    #expect(try Tool.leftovers(in: folder) == [])
  }

  @Test func `a stranger that connects is reported, and the run goes on`() throws {
    guard let python = Self.python else { return }  // Without an interpreter no stranger can connect.
    let knock =
      "import os,socket; s=socket.socket(socket.AF_UNIX); s.connect(os.environ['WRISTWIRE_SOCKET']); s.send(b'x'*64)"
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let command = "sh -c \"\(python) -c \\\"\(knock)\\\"; exec \(Tool.path) watch\""
    let result = try Tool(
      ["run", Tool.scenario("demo"), "--watch-cmd", command, "--trace", "t.jsonl"], in: folder
    ).finish()
    #expect(result.status == 0)
    #expect(result.errors.contains("refused a connection: "))
  }

  /// A stranger that comes in mid-run is sent away in mid-run, and not at its end.
  @Test func `a stranger in mid-run is refused at once`() throws {
    guard let python = Self.python else { return }  // Without an interpreter no stranger can connect.
    // Waits until the run goes on, knocks, and says how long it took until the door was shut.
    let knock = """
      import os, socket, sys, time
      time.sleep(1)
      s = socket.socket(socket.AF_UNIX); s.connect(os.environ["WRISTWIRE_SOCKET"]); s.settimeout(60)
      s.send(b"x" * 64)
      while s.recv(4096): pass
      open("shut", "w").close()
      """
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(knock.utf8).write(to: folder.appending(path: "knock.py"))
    let command = "sh -c \"\(python) knock.py & exec \(Tool.path) watch\""
    // Slow enough that it would last for hours.
    let tool = try Tool(
      ["run", Tool.scenario("demo"), "--watch-cmd", command, "--time", "0.1x", "--trace", "t.jsonl"], in: folder)
    let shut = folder.appending(path: "shut").path()
    try waitUntil("the stranger's connection is closed") { FileManager.default.fileExists(atPath: shut) }
    kill(tool.number, SIGTERM)
    let result = tool.finish()
    #expect(result.errors.contains("refused a connection: "))
  }

  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// A program that passes on what a real watch and the conductor say to each other, and after a while does a deed.
  private static func impostor(_ deed: String) -> String {
    """
    import os, socket, subprocess, sys, threading, time, tempfile
    real = os.environ["WRISTWIRE_SOCKET"]
    folder = tempfile.mkdtemp()
    door = socket.socket(socket.AF_UNIX); door.bind(folder + "/s"); door.listen(1)
    child = subprocess.Popen(["\(Tool.path)", "watch"], env=dict(os.environ, WRISTWIRE_SOCKET=folder + "/s"))
    inner, _ = door.accept()
    s = socket.socket(socket.AF_UNIX); s.connect(real)
    os.remove(folder + "/s"); os.rmdir(folder)
    def down():
        while True:
            data = s.recv(65536)
            if not data: os._exit(0)
            inner.sendall(data)
    threading.Thread(target=down, daemon=True).start()
    passed = 0
    while passed < 20000:
        data = inner.recv(65536)
        s.sendall(data)
        passed += len(data)
    \(deed)
    """
  }
}
