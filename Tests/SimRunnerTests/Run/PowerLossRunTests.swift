import Foundation
import Link
import Testing

@testable import Simulator
@testable import Console

/// Losses of power, in this process and in real ones: cut logs, stores opened again, equal traces.
@Suite struct PowerLossRunTests {
  private static func scenario(_ durability: String, seed: Int = 3) -> String {
    """
    {
      scenario: "power", seed: \(seed), duration: 90, link: { profile: "ble-still" },
      workout: {
        source: { model: { distance: 100000 } },
        events: [
          { at: 10, do: 'transferUserInfo', count: 5 }, { at: 29.5, do: 'transferUserInfo', count: 3 },
          { at: 55, do: 'transferFile', bytes: 90000, name: 'a.bin' },
        ],
      },
      phone: { durability: "\(durability)", events: [{ at: 29.9, do: 'transferUserInfo', count: 4 }] },
      watch: { durability: "\(durability)" },
      faults: [
        { at: 30, reboot: "phone", power: true, unlockAfter: 5 },
        { at: 56, reboot: "watch", power: true, unlockAfter: 5 },
      ],
    }
    """
  }

  private static func run(_ text: String) throws -> (digests: [String?], lost: [TraceEvent]) {
    let folder = try TemporaryFolder()
    let path = try folder.write("scenario.json5", text)
    final class Box { var lines: [TraceEvent] = [] }
    let box = Box()
    var options = RunOptions()
    options.onEvent = { event, _ in if event.name == "power.lost" { box.lines.append(event) } }
    _ = try ScenarioRun.run(try Scenario.load(path), options)
    let digests = try RunOptions.Mode.allCases.map { mode in
      let result = try Tool.run(["run", path, "--json", "--mode", mode.rawValue])
      return try JSONParser.parse(result.output, dialect: .json)["traceDigest"]?.text
    }
    return (digests, box.lines)
  }

  @Test(arguments: 1...6)
  func `a store of durability normal loses the same commits in memory and in processes`(seed: Int) throws {
    let (digests, lost) = try Self.run(Self.scenario("normal", seed: seed))
    #expect(digests[0] != nil && digests[0] == digests[1])
    #expect(lost.count == 2)
    for event in lost {
      let unsynced = try #require(event["unsynced"]?.integer)
      let count = try #require(event["lost"]?.integer)
      #expect(unsynced > 0 && count >= 0 && count <= unsynced)
    }
  }

  @Test func `a store of durability full loses nothing`() throws {
    let (digests, lost) = try Self.run(Self.scenario("full"))
    #expect(digests[0] != nil && digests[0] == digests[1])
    #expect(lost.map { $0["lost"]?.integer } == [0, 0])
  }

  @Test func `what no driver can do is refused`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("scenario.json5", Self.scenario("normal"))
    let result = try Tool.run([
      "run", path, "--mode", "in-process", "--state-dir", folder.url.appending(path: "state").path(),
    ])
    #expect(result.status == 2 && result.errors.contains("--state-dir"), "\(result.errors)")
    let own = Self.scenario("normal").replacing("watch: {", with: "watch: { command: \"./app\",")
    let (_, diagnostics) = Scenario.read(Array(own.utf8), file: "x.json5", folder: "/")
    #expect(diagnostics.contains { $0.hasErrors })
  }

  @Test func `the story says what is lost`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("scenario.json5", Self.scenario("normal"))
    let result = try Tool.run(["run", path])
    #expect(result.output.contains("loses its power"), "\(result.output)")
    #expect(result.output.contains("commits are lost") || result.output.contains("commit is lost"))
  }
}
