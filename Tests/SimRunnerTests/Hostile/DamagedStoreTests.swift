import Foundation
import Link
import LinkStore
import LinkTransport
import PhoneSim
import Testing
import WatchSim

@testable import Simulator
@testable import TraceTools
@testable import Console

/// Stores that SQLite finds nothing wrong with, and that hold numbers no device writes.
@Suite struct `damaged stores` {
  /// What a run of each device's folder kept: queues, a trail, played lines, questions, a half-received file.
  private static func keep(_ names: [String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (number, name) in names.enumerated() {
      let scenario = try Scenario.load(Tool.scenario(name))
      let state = folder.path("\(number)")
      var options = RunOptions()
      options.level = .nothing
      options.stopsAfter = VirtualTime(nanoseconds: 400_000_000_000)
      try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
      let (watch, phone) = (try NodeStores.watch(in: "\(state)/watch"), try NodeStores.phone(in: "\(state)/phone"))
      _ = ScenarioRun.conduct(
        scenario, options,
        [
          Device(
            .watch,
            try InProcessHost(store: watch.store, files: watch.files, build: try NodeBuilder.watch(scenario))),
          Device(
            .phone, try InProcessHost(store: phone.store, files: phone.files, build: NodeBuilder.phone(scenario))),
        ] + (try ScenarioRun.edge(of: scenario)))
    }
    return folder
  }

  @Test(arguments: ["watch", "phone"])
  func `every number of every table is read or refused, and a start succeeds or names it`(role: String) throws {
    let scenario = try Scenario.load(Tool.scenario("coach/talk-to-coach-10k"))
    let root = try Self.keep(["voice-note", "coach/talk-to-coach-10k", "coach/race-day", "traffic"])
    var seen: Set<String> = []
    var refused = 0
    for number in 0..<4 {
      let kept = root.path("\(number)/\(role)")
      for change in try Self.changes(kept, &seen) {
        let folder = try TemporaryFolder()
        let state = folder.path(role)
        try FileManager.default.copyItem(atPath: kept, toPath: state)
        guard try Self.apply(change, to: state) else { continue }
        do throws(Failure) { _ = try StateInspection.devices(in: folder.url.path).flatMap(\.lines) } catch {
          refused += 1
          #expect(error.text.contains("store") || error.text.contains("the watch's log"), "\(change): \(error.text)")
        }
        do {
          if role == "watch" {
            let (store, files) = try NodeStores.watch(in: state)
            try Self.follow(
              InProcessHost(store: store, files: files, build: try NodeBuilder.watch(scenario)))
          } else {
            let (store, files) = try NodeStores.phone(in: state)
            try Self.follow(InProcessHost(store: store, files: files, build: NodeBuilder.phone(scenario)))
          }
        } catch {
          #expect(error is StoreError || error is NodeFailure, "\(change): \(error)")
        }
      }
    }
    #expect(refused > 20, "\(refused) stores were refused")
  }

  /// What is wrong is said, with the column.
  @Test func `a count of a queue that is none is named`() throws {
    let folder = try TemporaryFolder()
    let kept = try Self.keep(["voice-note"])
    try FileManager.default.copyItem(atPath: kept.path("0/phone"), toPath: folder.path("phone"))
    #expect(try Self.apply("UPDATE Lane SET outboxCount = 5", to: folder.path("phone")))
    do {
      _ = try StateInspection.devices(in: folder.url.path)
      Issue.record("a queue of 5 that are not there was believed")
    } catch {
      #expect(error.text.contains("outboxCount") && error.text.contains("holds 5"), "\(error.text)")
      #expect(error.status == 2)
    }
  }

  /// A process that is killed between two steps of a store's making leaves one that the next start takes up again.
  @Test(arguments: ["watch", "phone"], 0..<5)
  func `a store whose making was interrupted is read as the next start would`(
    role: String, steps: Int
  ) throws {
    let folder = try TemporaryFolder()
    let state = folder.path(role)
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    let path = "\(state)/\(StoreFile.name)"
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let making = [
      "PRAGMA application_id=\(StoreFile.applicationID)", "PRAGMA journal_mode=WAL",
      "CREATE TABLE SchemaVersion (component TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT",
    ]
    if steps < 4 {
      let database = try Database(path: path)
      for step in making.prefix(steps) { try database.execute(step) }
    } else {
      // The link's tables are there, and the app's are not.
      _ = try StoreFile.open(folder: state, [DeviceStore<KeyedTables>.components[0]])
    }
    let before = try FileManager.default.contentsOfDirectory(atPath: state).sorted()
    let bytes = try Data(contentsOf: URL(filePath: path))
    let devices = try StateInspection.devices(in: folder.url.path)
    #expect(devices.map(\.starts) == [0])
    #expect(devices.flatMap(\.findings) == [])
    // Nothing in the folder is changed.
    #expect(try FileManager.default.contentsOfDirectory(atPath: state).sorted() == before)
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
  }

  // MARK: Means

  private static let numbers: [Int64] = [0, 1, -1, 5, 1 << 31, 1 << 53, 1 << 56, .max, .min]

  /// For each column with numbers of each table that was not seen before and has rows: each number in its place, and added.
  private static func changes(_ folder: String, _ seen: inout Set<String>) throws -> [String] {
    let database = try Database(path: "\(folder)/\(StoreFile.name)")
    var changes: [String] = []
    let tables = Statement(database, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'SchemaVersion'")
    while try tables.step() {
      let table = tables.text(0)
      guard try database.number("SELECT 1 FROM \(table) LIMIT 1") != nil, seen.insert(table).inserted else { continue }
      let columns = Statement(database, "SELECT name, type FROM pragma_table_info('\(table)')")
      while try columns.step() {
        guard ["INTEGER", "REAL"].contains(columns.text(1)) else { continue }
        let column = columns.text(0)
        for number in numbers {
          changes.append("UPDATE OR IGNORE \(table) SET \(column) = \(number)")
          changes.append("UPDATE OR IGNORE \(table) SET \(column) = \(column) + \(number)")
        }
        if columns.text(1) == "REAL" { changes.append("UPDATE OR IGNORE \(table) SET \(column) = 9e999") }
      }
    }
    return changes
  }

  /// Carries a change out; false where the store's own rules refuse it or nothing changes.
  private static func apply(_ change: String, to folder: String) throws -> Bool {
    let database = try Database(path: "\(folder)/\(StoreFile.name)")
    do { try database.execute(change) } catch { return false }
    return database.changedRows > 0
  }

  /// Lets a node begin, hear of the link and be called for a while.
  private static func follow(_ host: consuming some NodeHost) throws {
    var host = host
    var turn = Turn(isRecording: true)
    for second in 1...30 {
      let now = VirtualTime(nanoseconds: Int64(second) * 500_000_000_000)
      var inputs: [NodeInput] = [.link(isUp: second % 2 == 1)]
      turn.now = now
      _ = try host.grant(&inputs, fire: true, in: &turn)
      turn.items.removeAll()
    }
    _ = try host.start(at: VirtualTime(nanoseconds: 20_000_000_000_000))
  }
}
