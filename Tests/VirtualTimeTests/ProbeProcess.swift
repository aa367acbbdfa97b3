import Foundation
import LinkTestSupport
import Testing

/// A run of the probe as a process of its own, with the library preloaded.
struct ProbeProcess {
  /// Its exit status, or the signal that ended it, negative.
  let status: Int32
  let output: Data
  /// What it wrote to standard error.
  let errors: String
  /// The lines of `WRISTWIRE_VT_REPORT`.
  let findings: [Finding]

  struct Finding: Decodable, Equatable {
    var instant: Int64
    var kind: String
    var text: String
  }

  var text: String { String(decoding: output, as: UTF8.self) }
  var lines: [Substring] { text.split(separator: "\n") }

  /// Where the programs are: beside the tests.
  private static let folder = PackageRoot.url.appending(path: ".build/debug").path

  /// - Parameters:
  ///   - arguments: Of the probe. `FOLDER` is replaced by an empty folder, whose path is as long in every run.
  ///   - settings: The library's, without `WRISTWIRE_VT_`.
  ///   - input: For standard input.
  ///   - limit: Seconds of real time until the process is killed. It is also limited in processor time and memory.
  init(_ arguments: [String], _ settings: [String: String] = [:], input: String = "", limit: Int = 120) throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "vt-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: "\(root)/folder", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: root) }
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    // The library is preloaded into the probe alone, neither into the shell nor into timeout.
    let start =
      "ulimit -c 0; ulimit -t \(limit); ulimit -v 8000000; exec timeout -s KILL \(limit) env \"LD_PRELOAD=$LIBRARY\" \"$0\" \"$@\""
    process.arguments =
      ["-c", start, "\(Self.folder)/VirtualTimeProbe"] + arguments.map { $0 == "FOLDER" ? "\(root)/folder" : $0 }
    var environment = ["LIBRARY": "\(Self.folder)/libVirtualTime.so", "PATH": "/usr/bin:/bin"]
    environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
    environment["WRISTWIRE_VT_REPORT"] = "\(root)/report"
    for (name, value) in settings { environment["WRISTWIRE_VT_\(name)"] = value }
    process.environment = environment
    for file in ["in", "out", "err"] { try Data((file == "in" ? input : "").utf8).write(to: Self.url(root, file)) }
    process.standardInput = try FileHandle(forReadingFrom: Self.url(root, "in"))
    process.standardOutput = try FileHandle(forWritingTo: Self.url(root, "out"))
    process.standardError = try FileHandle(forWritingTo: Self.url(root, "err"))
    try process.run(killedAfter: Double(limit) + 60)
    process.waitUntilExit()
    status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    output = try Data(contentsOf: Self.url(root, "out"))
    errors = String(decoding: try Data(contentsOf: Self.url(root, "err")), as: UTF8.self)
    let report = (try? String(contentsOf: Self.url(root, "report"), encoding: .utf8)) ?? ""
    findings = try report.split(separator: "\n").map { try JSONDecoder().decode(Finding.self, from: Data($0.utf8)) }
  }

  private static func url(_ root: String, _ file: String) -> URL { URL(filePath: "\(root)/\(file)") }

  /// A run of every part of the probe: ticks for six minutes, other parts for up to 50.
  static func all(_ settings: [String: String]) throws -> ProbeProcess {
    let run = try ProbeProcess(["all", "0.1", "FOLDER"], settings)
    #expect(run.status == 0, "\(settings): \(run.errors)")
    #expect(!run.text.contains("FAIL"), "\(run.lines.filter { $0.contains("FAIL") })")
    let ended = run.lines.filter { $0.contains(" done ") }
    let parts = ended.last?.split(separator: "/").last.flatMap { Int($0) } ?? 0
    #expect(parts >= 31 && ended.count == parts, "\(settings): \(ended)")
    #expect(run.findings == [], "\(settings)")
    #expect(run.lines.filter { $0 == "stdio slept" }.count == 9, "lines of `print` are whole")
    return run
  }
}
