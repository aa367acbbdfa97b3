import CoachProtocol
import Foundation
import Link
import Testing

@testable import Console

/// A recorded pool swim as a session, from its file to the trace and back.
@Suite struct RecordedSwimTests {
  private static let file: String? = {
    let folder =
      ProcessInfo.processInfo.environment["WRISTWIRE_REAL_TRACES"]
      ?? Tool.root.appending(path: "../shared/real-traces").standardizedFileURL.path()
    let path = folder + "/fit/phpfit__swim.fit"
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  /// The units of the watch's reports, in the order of their parts.
  private func units(_ path: String) throws -> [SessionUnit] {
    var units: [SessionUnit] = []
    for event in try RecordedTrace(path).events where event.name == "transfer.queued" && event.place == .watch {
      guard let id = event.identifier("workoutId"), case .json(let text)? = event["report"] else { continue }
      units += SessionReport(workoutId: id, traceText: text)?.units ?? []
    }
    return units
  }

  private func counts(_ units: [SessionUnit]) -> [Int64] {
    let splits = units.filter { $0.kind == .split }
    return [
      Int64(splits.count), splits.reduce(0) { $0 + $1["strokes"] }, Int64(units.count { $0.kind == .interval }),
      units.filter { $0.kind == .interval }.reduce(0) { $0 + $1["rest"] },
    ]
  }

  @Test(.disabled(if: file == nil, "no recorded files: set WRISTWIRE_REAL_TRACES"), .timeLimit(.minutes(3)))
  func `lengths, strokes and rests of a recorded swim are in its trace, and read from it again`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = try #require(Self.file)
    func path(_ name: String) -> String { folder.appending(path: name).path() }
    let imported = try Tool(["import", file, "-o", "import.jsonl"], in: folder).finish()
    #expect(imported.status == 0, "\(imported.output) \(imported.errors)")
    #expect(imported.output.contains("60 swum of 22.86 m, 588 strokes"))
    let first = try units(path("import.jsonl"))
    #expect(counts(first).prefix(3) == [60, 588, 11])

    let scenario = """
      {
        scenario: "swim", duration: "30m", link: { profile: "ble-still" },
        workout: { source: { SOURCE } }, phone: { training: {} },
        faults: [{ at: "10m", for: "2m", disconnect: {} }, { id: "k", at: "15m", kill: "watch", restartAfter: "5s" }],
      }
      """
    for (name, source) in [("file", "import: \"\(file)\""), ("trace", "trace: \"import.jsonl\"")] {
      try Data(scenario.replacing("SOURCE", with: source).utf8).write(to: folder.appending(path: "\(name).json5"))
      for mode in ["in-process", "processes"] {
        let run = try Tool(
          [
            "run", "\(name).json5", "--mode", mode, "--trace", "\(name)-\(mode).jsonl", "--state-dir",
            "\(name)-\(mode)",
          ],
          in: folder
        ).finish()
        try #require(run.status == 0, "\(run.output) \(run.errors)")
      }
      let traces = try ["in-process", "processes"].map {
        try Data(contentsOf: folder.appending(path: "\(name)-\($0).jsonl"))
      }
      // Not compared within the macro, which looks for every difference between two large traces.
      let isSame = traces[0] == traces[1]
      #expect(isSame, "\(name)")
      #expect(try counts(units(path("\(name)-processes.jsonl"))) == counts(first))
    }
    let shown = try Tool(["inspect", "file-processes"], in: folder).finish()
    #expect(shown.status == 0 && shown.output.contains("Split") && shown.output.contains("60"), "\(shown.output)")
  }
}
