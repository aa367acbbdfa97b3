import Foundation
import Link
import LinkTransport
import Testing

@Suite struct ChildProcessTests {
  private func shell(
    _ text: String, environment: [(name: String, value: String)] = [], descriptors: [Int32] = []
  ) throws -> ChildProcess {
    try ChildProcess(["/bin/sh", "-c", text], environment: environment, descriptors: descriptors, output: .nowhere)
  }

  private func isAlive(_ process: Int32) -> Bool { kill(process, 0) == 0 }

  @Test func `a status and a signal are distinguished`() throws {
    #expect(try shell("exit 3").wait(seconds: 30) == .exited(3))
    #expect(try shell("kill -9 $$").wait(seconds: 30) == .signalled(9))
    #expect(ChildProcess.End.exited(3).description == "exited with status 3")
  }

  @Test func `a program that does not exist is an error`() {
    #expect(throws: SystemCallError.self) { _ = try ChildProcess(["/nowhere/at/all"]) }
    #expect(throws: SystemCallError.self) { _ = try ChildProcess([]) }
  }

  @Test func `a child process finds its arguments and environment`() throws {
    let pipe = Pipe()
    let child = try shell(
      "printf '%s %s' \"$WRISTWIRE_ROLE\" \"${HOME+home}\" >&3", environment: [("WRISTWIRE_ROLE", "watch")],
      descriptors: [pipe.fileHandleForWriting.fileDescriptor])
    #expect(child.wait(seconds: 30) == .exited(0))
    try pipe.fileHandleForWriting.close()
    #expect(String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) == "watch home")
  }

  @Test func `a child that hangs is killed, with all it started`() throws {
    let pipe = Pipe()
    let child = try shell(
      "trap '' TERM INT; sleep 1000 & echo $! >&3; exec 3>&-; wait",
      descriptors: [pipe.fileHandleForWriting.fileDescriptor])
    try pipe.fileHandleForWriting.close()
    let line = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
    let grandchild = try #require(Int32(line.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(child.wait(seconds: 0.05) == nil)
    #expect(child.finish(graceSeconds: 0.05) == .signalled(9))
    #expect(child.poll() == .signalled(9))
    #expect(!isAlive(child.process))
    #expect(isGone(grandchild))
  }

  /// The orphan is reaped by somebody else, in their own time.
  private func isGone(_ process: Int32) -> Bool {
    for _ in 0..<3000 {
      if !isAlive(process) { return true }
      let status = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
      if status.contains(") Z ") { return true }
      usleep(10_000)
    }
    return false
  }

  @Test func `what a child leaves behind ends with it`() throws {
    let pipe = Pipe()
    let child = try shell(
      "sleep 1000 & echo $! >&3", descriptors: [pipe.fileHandleForWriting.fileDescriptor])
    try pipe.fileHandleForWriting.close()
    #expect(child.wait(seconds: 30) == .exited(0))
    let line = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
    let grandchild = try #require(Int32(line.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(isGone(grandchild))
  }

  @Test func `a child does not outlive its owner`() throws {
    var process: Int32 = 0
    do { process = try shell("sleep 1000").process }
    #expect(!isAlive(process))
  }

  @Test func `a child that sends garbage or dies is a failure, never a hang`() throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") else {
      print("skipped: /usr/bin/python3 is missing")
      return
    }
    let join = """
      import os, socket, struct
      s = socket.socket(socket.AF_UNIX); s.connect(os.environ["WRISTWIRE_SOCKET"])
      t = os.environ["WRISTWIRE_TOKEN"].encode()
      b = struct.pack("<HBBH", 1, 0, 0, len(t)) + t + struct.pack("<H", 2) + b"py"
      s.sendall(struct.pack("<IB", len(b) + 1, 1) + b); s.recv(65536)

      """
    let acts: [(String, NodeFailure.Cause)] = [
      ("s.sendall(b'\\xff' * 100000)", .protocolBroken(.unknownType(0xFF))),
      ("os.kill(os.getpid(), 9)", .closed),
    ]
    for (act, cause) in acts {
      let listener = try NodeListener(timeout: 60)
      let child = try ChildProcess(
        ["/usr/bin/python3", "-c", join + act], environment: listener.environment(for: .watch))
      let node = try listener.accept([.watch]) {
        child.poll().map { NodeFailure(.watch, .ended($0.description)) }
      }[0]
      #expect(node.process == child.process)
      var answer = NodeAnswer()
      #expect(throws: NodeFailure(.watch, cause)) { try node.welcome("{}", into: &answer) }
      child.kill()
    }
  }

  @Test func `a directory goes with all it holds, and links out of it are not followed`() throws {
    let outside = FileManager.default.temporaryDirectory.appendingPathComponent("wristwire-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: outside) }
    try Data("x".utf8).write(to: outside.appendingPathComponent("kept"))
    var path = ""
    do {
      let directory = try TemporaryDirectory()
      path = directory.path
      try FileManager.default.createDirectory(atPath: path + "/a/b", withIntermediateDirectories: true)
      try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/a/b/c"))
      try FileManager.default.createSymbolicLink(atPath: path + "/a/link", withDestinationPath: outside.path)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(FileManager.default.fileExists(atPath: outside.path + "/kept"))
  }

  @Test func `a directory that would make a socket's path too long is refused`() {
    #expect(throws: SystemCallError.self) {
      _ = try TemporaryDirectory(in: "/" + String(repeating: "x", count: 100))
    }
  }
}
