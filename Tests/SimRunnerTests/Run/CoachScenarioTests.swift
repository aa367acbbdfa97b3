import Foundation
import Link
import LinkStore
import PhoneSim
import Testing

@testable import Simulator
@testable import Console

/// The scenarios of the coach: each passes unmodified.
@Suite struct `the coach's scenarios` {
  private static let names = [
    "call-over-a-line", "crash-before-reply-plays", "history", "mute-mid-sentence", "proxy-fails-three-times",
    "race-day",
    "race-without-network", "script-at-3k", "talk-to-coach-10k",
  ]

  @Test func `there are these`() throws {
    let folder = Tool.root.appending(path: "scenarios/coach").path()
    let found = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(found == Self.names.map { "\($0).json5" })
  }

  @Test(arguments: names)
  func `each passes`(name: String) throws {
    let scenario = try Scenario.load(Tool.scenario("coach/\(name)"))
    #expect(scenario.expectations.count >= 3)
    var options = RunOptions()
    options.level = .judged
    let outcome = try ScenarioRun.run(scenario, options)
    #expect(outcome.status == 0, "\(outcome.violations) \(outcome.expectations)")
  }

  @Test(arguments: ["race-day", "history"])
  func `what the phone keeps of a run can be looked at, and holds no route`(name: String) throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = Tool.scenario("coach/\(name)")
    let run = try Tool.run(["run", path, "--json", "--state-dir", "\(folder.path())/state"])
    #expect(run.status == 0, "\(run.errors)")
    let here = try Tool.run(["run", path, "--json", "--mode", "in-process"])
    let digests = try [run, here].map { try JSONParser.parse($0.output, dialect: .json)["traceDigest"]?.text }
    #expect(digests[0] != nil && digests[0] == digests[1])
    let look = try Tool.run(["inspect", "\(folder.path())/state"])
    #expect(look.output.contains("history (1)") && look.output.contains("avgPace"))
    let json = try Tool.run(["inspect", "\(folder.path())/state", "--json"])
    #expect(json.status == 0 && json.output.contains("\"history\":[{\"id\":") && !json.output.contains("\"stub\""))

    // Nothing in the companion's tables is as long as the shortest series.
    let database = try StoreFile.openReadOnly(
      folder: "\(folder.path())/state/phone", DeviceStore<PhoneTables>.components)
    let tables = Statement(
      database, "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'")
    var looked = 0
    while try tables.step() {
      let (table, column) = (tables.text(0), tables.text(1))
      // The questions to the edge and their answers, and the words between the devices, are other people's.
      guard !["AICache", "AIRequest", "Belief", "Outbox", "Inbox", "Journal"].contains(table) else { continue }
      let most = try database.number("SELECT max(length(CAST(\"\(column)\" AS BLOB))) FROM \"\(table)\"") ?? 0
      #expect(most < 500, "\(table).\(column) has \(most) bytes")
      looked += 1
    }
    #expect(looked > 80)
    #expect(try database.number("SELECT count(*) FROM Run WHERE cachedDistanceMeters > 1000") == 1)
  }
}
