import Foundation
import Link
import Testing

@testable import Simulator
@testable import Console

/// The page about the trace against what is written and read.
@Suite struct TraceFormatPageTests {
  /// The keys that the schema lists of each event.
  private let keys: [String: Set<String>]
  /// The words that the page sets as code.
  private let words: Set<String>

  init() throws {
    let docs = CommandChild.packageRoot.appending(path: "docs")
    let page = try String(contentsOf: docs.appending(path: "internals/trace-format.md"), encoding: .utf8)
    words = Set(page.split(separator: "`", omittingEmptySubsequences: false).map(String.init))
    let bytes = Array(try Data(contentsOf: docs.appending(path: "trace.schema.json")))
    var keys: [String: Set<String>] = [:]
    for rule in try JSONParser.parse(bytes, dialect: .json)["allOf"]?.elements ?? [] {
      guard let name = rule["if"]?["properties"]?["event"]?["const"]?.text else { continue }
      if case .object(let members)? = rule["then"]?["properties"]?.value { keys[name] = Set(members.map(\.key)) }
    }
    self.keys = keys
  }

  @Test func `every event that is known is on the page, and its keys are in the schema`() throws {
    for name in TraceEvent.Name.known {
      #expect(words.contains(name.text), "\(name.text)")
      #expect(try keys[name.text] == Set(#require(name.keys)), "\(name.text)")
    }
  }

  @Test func `every field of a run's lines is among the keys of its event`() throws {
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
      for key in object.keys where !["t", "node", "event"].contains(key) {
        #expect(keys[event]?.contains(key) == true, "\(event): \(key)")
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
