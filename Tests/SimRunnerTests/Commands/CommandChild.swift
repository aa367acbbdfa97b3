import Foundation
import Testing

@testable import Commands
@testable import Console

/// What `sim-runner` said, run as a child process or called in this one.
struct CommandChild {
  let status: Int32
  let output: String
  let errors: String

  /// The program beside the tests' own.
  static let program: URL = {
    let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let beside = [own, CommandLine.arguments[0]].compactMap { $0 }.map { URL(filePath: $0).deletingLastPathComponent() }
    let folders = beside + [packageRoot.appending(path: ".build/debug")]
    let candidates = folders.map { $0.appending(path: "sim-runner") }
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path()) } ?? candidates[0]
  }()

  /// The package's folder.
  static let packageRoot = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Runs the program to its end.
  ///
  /// A child that does not end within five minutes is killed, and its status is then that of the signal. The slowest one
  /// needs 15 s alone; among all tests on a loaded machine it takes more than a minute.
  static func run(_ words: [String], input: [UInt8]? = nil) throws -> CommandChild {
    let folder = try TemporaryFolder()
    let output = try folder.write("stdout", [])
    let errors = try folder.write("stderr", [])
    let process = Process()
    process.executableURL = program
    process.arguments = words
    process.environment = ["PATH": "/usr/bin:/bin", "TZ": "UTC"]
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
    if let input {
      process.standardInput = try FileHandle(forReadingFrom: URL(filePath: folder.write("stdin", input)))
    } else {
      process.standardInput = FileHandle.nullDevice
    }
    try process.run()
    let identifier = process.processIdentifier
    let killer = DispatchWorkItem { kill(identifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 300, execute: killer)
    process.waitUntilExit()
    killer.cancel()
    return CommandChild(
      status: process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus,
      output: String(decoding: try Data(contentsOf: URL(filePath: output)), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: URL(filePath: errors)), as: UTF8.self))
  }

  /// Calls a command in this process, for tests of what it reads and writes: one that crashes ends all tests.
  ///
  /// - Throws: Nothing, so that either way of running a command is written alike.
  static func call(_ words: [String]) throws -> CommandChild {
    let (status, output, errors) = Terminal.capturing { CommandLineTool.run(words) }
    return CommandChild(status: status, output: output, errors: errors)
  }

  /// The only JSON object on standard output.
  func object(sourceLocation: SourceLocation = #_sourceLocation) throws -> [String: Any] {
    #expect(output.hasSuffix("\n"), sourceLocation: sourceLocation)
    #expect(output.split(separator: "\n").count == 1, "one line: \(output.prefix(300))", sourceLocation: sourceLocation)
    let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
    return try #require(value as? [String: Any], sourceLocation: sourceLocation)
  }

  /// Lines of standard output.
  var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) }
}

/// A folder that goes with its last user.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "wristwire-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path() }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: URL(filePath: path(name)))
    return path(name)
  }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }

  /// The names of what is in it, in order.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path())) ?? []).sorted() }
}

/// SplitMix64, so that a failing seed fails again.
struct TestNoise {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
