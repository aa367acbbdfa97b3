import Foundation
import Link
import Testing

@testable import TraceTools
@testable import Console

/// A trace exported in this process.
struct Exported {
  let bytes: [UInt8]
  let notices: [String]

  var text: String { String(decoding: bytes, as: UTF8.self) }

  init(_ trace: [UInt8], as format: String, window: ExportWindow = ExportWindow()) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("t.jsonl", trace)
    let exporter = try #require(ExporterCatalog.exporter(format: format, output: nil))
    var collected: [UInt8] = []
    notices = try TraceExport.run(path, as: exporter, window: window) { bytes throws(Failure) in collected += bytes }
    bytes = collected
  }
}

/// Counts of a trace's lines, found without any of our readers.
struct TraceCounts {
  let objects: [[String: Any]]

  init(_ trace: [UInt8]) throws {
    objects = try String(decoding: trace, as: UTF8.self).split(separator: "\n").dropFirst().map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  func count(_ event: String) -> Int { objects.count { $0["event"] as? String == event } }
}

/// A program of the machine that a test asks; nil where it is not installed.
enum Installed {
  static func path(_ names: String...) -> String? {
    for name in names {
      for folder in ["/usr/bin", "/usr/local/bin", "/opt/google/chrome"] {
        let path = "\(folder)/\(name)"
        if FileManager.default.isExecutableFile(atPath: path) { return path }
      }
    }
    return nil
  }

  /// Runs it and returns its standard output; nil after two minutes without an end.
  static func output(_ path: String, _ words: [String]) throws -> String? {
    let folder = try TemporaryFolder()
    let output = try folder.write("out", [])
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = words
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
    process.standardError = FileHandle.nullDevice
    try process.run()
    let identifier = process.processIdentifier
    let killer = DispatchWorkItem { kill(identifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 120, execute: killer)
    process.waitUntilExit()
    killer.cancel()
    guard process.terminationReason == .exit else { return nil }
    return String(decoding: try Data(contentsOf: URL(filePath: output)), as: UTF8.self)
  }
}

/// A short trace by hand, for what no run of ours would write.
enum HandTrace {
  static func bytes(_ lines: [String], scenario: String = "by-hand") -> [UInt8] {
    let header =
      #"{"trace":"wristwire","version":1,"scenario":"\#(scenario)","seed":"5","startedAt":"2026-04-12T06:30:00Z","#
      + #""timeZone":"UTC","utcOffsets":[],"duration":60000000000}"#
    return Array(([header] + lines).fileText.utf8)
  }

  static func sent(_ id: Int, at seconds: Int) -> String {
    #"{"t":\#(seconds)000000000,"node":"watch","event":"frame.sent","id":\#(id),"to":"phone","kind":"data","#
      + #""channel":"message","epoch":1,"seq":\#(id),"bytes":10,"digest":"00000000000000ff"}"#
  }

  static func snapshot(distance: Int, more: String = "") -> String {
    #"{"t":1000000000,"node":"watch","event":"snapshot","epoch":1,"seq":1,"#
      + #""workoutId":"00000000-0000-4000-8000-000000000001","sentAt":0,"elapsed":1,"distance":\#(distance),"#
      + #""energyKcal":0,\#(more)"state":"running"}"#
  }

  static func dropped(_ id: Int, at seconds: Int, cause: String) -> String {
    #"{"t":\#(seconds)500000000,"node":"link","event":"frame.dropped","id":\#(id),"copy":0,"cause":"\#(cause)"}"#
  }
}
