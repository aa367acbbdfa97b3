import Foundation
import Link
import Testing

@testable import Simulator
@testable import Console

/// The page about the trace against what is written and read.
@Suite struct TraceFormatPageTests {
  /// What the page's rows say of each event: the words set as code.
  private let rows: [String: Set<String>]

  init() throws {
    let page = try String(
      contentsOf: CommandChild.packageRoot.appending(path: "docs/internals/trace-format.md"), encoding: .utf8)
    var rows: [String: Set<String>] = [:]
    for line in page.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map(String.init)
      guard cells.count == 3 else { continue }
      for event in Self.code(in: cells[0]) { rows[event, default: []].formUnion(Self.code(in: cells[2])) }
    }
    self.rows = rows
  }

  /// The words between backticks.
  private static func code(in text: String) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
      .map { String($0.element) }
  }

  @Test func `every event that is known has its row`() {
    for name in TraceEvent.Name.known { #expect(rows[name.text] != nil, "\(name.text)") }
  }

  @Test func `every key that an event can have is in its row, or in the row that it names`() throws {
    for name in TraceEvent.Name.known {
      let row = try #require(rows[name.text], "\(name.text)")
      let words = row.union(row.flatMap { rows[$0] ?? [] })
      for key in try #require(name.keys) { #expect(words.contains(key), "\(name.text): \(key)") }
    }
  }

  @Test func `every field of a run's lines is in its event's row and among the keys of its name`() throws {
    var seen: Set<String> = []
    var lines = try TraceFixture.shared.get().lines.dropFirst()
    let folder = CommandChild.packageRoot.appending(path: "traces")
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasSuffix(".jsonl") {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      lines += text.split(separator: "\n").dropFirst().map(String.init)
    }
    for line in lines {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let event = try #require(object["event"] as? String)
      let row = try #require(rows[event], "\(event)")
      for key in object.keys where !["t", "node", "event"].contains(key) {
        #expect(row.contains(key), "\(event): \(key)")
        #expect(TraceEvent.Name(event).keys?.contains(key) == true, "\(event): \(key)")
      }
      seen.insert(event)
    }
    #expect(seen.count > 25)
  }

  @Test func `the keys of a line are in the listed order, whichever node writes it`() throws {
    let scenario = """
      { scenario: "s", seed: 3, duration: "4m",
        workout: { source: { model: { distance: 400, pace: "5:00/km" } },
          events: [{ at: "20s", do: "talk", seconds: 2, says: "Hello." }] },
        phone: { events: [{ at: "40s", do: "record", seconds: 2, says: "Hello." }] } }
      """
    let (read, _) = Scenario.read(Array(scenario.utf8), file: "s", folder: "/")
    var bytes: [UInt8] = []
    var options = RunOptions()
    options.output = { bytes += $0 }
    _ = try ScenarioRun.run(read, options)
    var writers: Set<String> = []
    for event in try RecordedTrace("s", bytes).events {
      let keys = event.fields.map(\.key)
      let listed = try #require(event.name.keys, "\(event.name.text)")
      #expect(listed.filter { keys.contains($0) } == keys, "\(event.place) \(event.name.text)")
      if event.name.text == "voice.recorded" { writers.insert(event.place.text) }
    }
    #expect(writers == ["watch", "phone"])
  }

  @Test func `the script of the page about scripts is right`() throws {
    let page = try String(
      contentsOf: CommandChild.packageRoot.appending(path: "docs/built-in-apps.md"), encoding: .utf8)
    let script = try #require(page.split(separator: "```json\n").dropFirst().first?.split(separator: "```").first)
    let folder = try TemporaryFolder()
    let path = try folder.write("s.json", String(script))
    let child = try CommandChild.call(["validate", path, "--distance", "5000", "--time", "32m"])
    #expect(child.status == 0)
    #expect(child.output.isEmpty, "\(child.output)")
  }
}
