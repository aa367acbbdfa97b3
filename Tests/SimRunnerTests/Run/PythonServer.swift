import Foundation
import LinkTestSupport
import Testing

/// A server that a test has in Python: it prints its port, and ends when its standard input does.
struct PythonServer {
  /// The port that it listens on.
  let port: Int
  private let process = Process()
  private let input = Pipe()

  /// Starts a server; it is killed after five minutes.
  init(_ script: URL, _ arguments: [String]) throws {
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", script.path()] + arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run(killedAfter: 300)
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)), "\(line)")
  }

  /// Ends it.
  func stop() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
