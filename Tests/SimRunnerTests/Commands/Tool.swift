import Foundation
import LinkTestSupport
import Testing

@testable import Simulator

/// The built `sim-runner` as a child of a test.
struct Tool {
  /// What a finished child left.
  struct Result {
    var status: Int32
    var output: String
    var errors: String
  }

  /// A folder of the test's own: the working directory, and `$TMPDIR`.
  let folder: URL
  private let process = Process()

  /// Beside the bundle that runs the tests.
  static let path: String = {
    let own = URL(filePath: ProcessRun.ownPath).deletingLastPathComponent().appending(path: "sim-runner").path()
    return FileManager.default.isExecutableFile(atPath: own)
      ? own : root.appending(path: ".build/debug/sim-runner").path()
  }()

  /// The package's folder.
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The path of a shipped scenario.
  static func scenario(_ name: String) -> String { root.appending(path: "scenarios/\(name).json5").path() }

  /// A fresh folder that the caller removes.
  static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ww-test-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    return folder
  }

  /// Starts the tool; its output goes into files of the folder.
  ///
  /// It is killed after five minutes.
  ///
  /// - Parameter signal: Is sent at once, and waits until the tool takes it over; nil for none.
  init(_ arguments: [String], in folder: URL, environment: [String: String] = [:], signal: Int32? = nil) throws {
    self.folder = folder
    process.executableURL = URL(filePath: Self.path)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    var variables = ProcessInfo.processInfo.environment
    variables["TMPDIR"] = folder.path()
    for (name, value) in environment { variables[name] = value }
    process.environment = variables
    for name in ["out.txt", "err.txt"] {
      _ = FileManager.default.createFile(atPath: folder.appending(path: name).path(), contents: nil)
    }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: folder.appending(path: "out.txt"))
    process.standardError = try FileHandle(forWritingTo: folder.appending(path: "err.txt"))
    guard let signal else {
      try process.run(killedAfter: 300)
      return
    }
    // A blocked signal stays blocked in a child, and one that is sent to it waits.
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try process.run(killedAfter: 300)
    kill(number, signal)
  }

  /// Its process number.
  var number: Int32 { process.processIdentifier }

  /// What it has printed so far.
  func output() -> String { text("out.txt") }

  /// Waits for its end.
  func finish() -> Result {
    process.waitUntilExit()
    let isSignal = process.terminationReason == .uncaughtSignal
    return Result(
      status: isSignal ? -process.terminationStatus : process.terminationStatus, output: text("out.txt"),
      errors: text("err.txt"))
  }

  private func text(_ name: String) -> String {
    (try? String(decoding: Data(contentsOf: folder.appending(path: name)), as: UTF8.self)) ?? ""
  }

  /// Runs it to its end in a folder that is gone afterwards.
  static func run(_ arguments: [String], files: [String: String] = [:], environment: [String: String] = [:]) throws
    -> Result
  {
    let folder = try makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
    return try Tool(arguments, in: folder, environment: environment).finish()
  }

  /// What is left in a folder besides what the test put there and what the tool was asked to write.
  static func leftovers(in folder: URL, besides known: [String] = []) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path())
      .filter { !(["out.txt", "err.txt"] + known).contains($0) }.sorted()
  }

  /// The processes whose environment names a folder: what a tool that ran there has left behind.
  static func processes(of folder: URL) -> [String] {
    let numbers = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).filter { Int($0) != nil }
    return numbers.filter { number in
      guard let bytes = FileManager.default.contents(atPath: "/proc/\(number)/environ") else { return false }
      return String(decoding: bytes, as: UTF8.self).contains("TMPDIR=\(folder.path())")
    }
  }
}
