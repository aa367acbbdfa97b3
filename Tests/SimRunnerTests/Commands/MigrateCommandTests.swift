import Foundation
import Link
import LinkTestSupport
import LinkStore
import LinkTransport
import PhoneSim
import Testing

/// `sim-runner migrate`: what it says, its exit statuses, and what it leaves when it is killed.
@Suite struct MigrateCommandTests {
  /// A state folder whose phone has a store of the old shape.
  private static func makeState(points: Int64 = 80, others: Int64 = 9, sessions: Int64 = 5) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("phone"), withIntermediateDirectories: false)
    try OldStoreMaker.make(in: folder.path("phone"), .init(points: points, others: others, sessions: sessions))
    return folder
  }

  private static func open(_ folder: TemporaryFolder) throws -> Database {
    try StoreFile.open(folder: folder.path("phone"), DeviceStore<PhoneTables>.components)
  }

  private static func bytes(_ folder: TemporaryFolder) throws -> Data {
    try Data(contentsOf: URL(filePath: folder.path("phone/\(StoreFile.name)")))
  }

  @Test func `it reports tables and sums, backs up, and changes nothing the second time`() throws {
    let folder = try Self.makeState()
    let first = try CommandChild.call(["migrate", folder.path("")])
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.errors == "")
    #expect(first.lines.contains { $0.hasPrefix("  A") && $0.hasSuffix("4 indexes created") }, "\(first.output)")
    let points = try #require(first.lines.first { $0.contains(" RunningLocationPoint ") })
    #expect(points.contains("-> GPSPoint") && points.contains("40 rows") && points.contains("40 moved"))
    #expect(points.contains("7 columns with equal sums"))
    #expect(first.output.contains("backup: \(folder.path("phone/store.before-migration.sqlite"))"))
    #expect(!first.output.contains("\u{1B}"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("phone")).sorted()
    #expect(names == ["store.before-migration.sqlite", "store.sqlite"])
    let bytes = try Self.bytes(folder)
    let second = try CommandChild.call(["migrate", folder.path("phone")])
    #expect(second.status == 0 && !second.output.contains("moved") && !second.output.contains("backup"))
    #expect(try Self.bytes(folder) == bytes)
    // The backup takes the store's place.
    try FileManager.default.removeItem(atPath: folder.path("phone/store.sqlite"))
    try FileManager.default.moveItem(
      atPath: folder.path("phone/store.before-migration.sqlite"), toPath: folder.path("phone/store.sqlite"))
    #expect(try Self.open(folder).number("SELECT count(*) FROM RunningLocationPoint") == 40)
    #expect(try CommandChild.call(["migrate", folder.path("")]).status == 0)
    #expect(try CommandChild.call(["inspect", folder.path("")]).output.contains("GPSPoint"))
  }

  @Test func `a check migrates a copy`() throws {
    let folder = try Self.makeState()
    let bytes = try Self.bytes(folder)
    let object = try CommandChild.call(["migrate", folder.path(""), "--check", "--json"]).object()
    #expect(object["agrees"] as? Bool == true && object["isCopy"] as? Bool == true)
    let phases = try #require(object["phases"] as? [[String: Any]])
    #expect(phases.compactMap { $0["phase"] as? String } == ["A", "B", "C", "D", "E", "F", "G"])
    let tables = try #require(phases[3]["tables"] as? [[String: Any]])
    #expect(tables.compactMap { $0["moved"] as? Int } == [30, 40, 10])
    #expect(try Self.bytes(folder) == bytes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("phone")) == ["store.sqlite"])
  }

  @Test func `figures that differ end with status 1, the table and the figures`() throws {
    let folder = try Self.makeState()
    try Self.open(folder).execute(
      "CREATE TRIGGER spoil AFTER INSERT ON Split BEGIN UPDATE Split SET distance = 1 WHERE id = new.id; END")
    let child = try CommandChild.call(["migrate", folder.path(""), "--phase", "E", "--phase", "A"])
    #expect(child.status == 1)
    #expect(child.output.contains("differs: RunningSplit.distance: sum 9000.0 of 9 values, and 9.0 of 9 in Split"))
    #expect(try Self.open(folder).number("SELECT count(*) FROM RunningSplit") == 9)
  }

  @Test func `a store that cannot be migrated is refused with status 2, and left as it is`() throws {
    let folder = try Self.makeState()
    func refused(_ words: [String], _ expected: String, _ line: Int = #line) throws {
      let child = try CommandChild.call(["migrate"] + words)
      #expect(child.status == 2 && child.output == "", "line \(line): \(child)")
      #expect(child.errors.contains(expected), "line \(line): \(child.errors)")
    }
    try refused([folder.path("nowhere")], "no such store")
    try refused([folder.path(""), "--phase", "H"], "found \"H\", expected one of A, B, C, D, E, F, G")
    try refused([folder.path(""), "--phase", "G"], "found phase F not done")
    #expect(!FileManager.default.fileExists(atPath: folder.path("nowhere")))
    do {
      let holder = try Self.open(folder)
      try refused([folder.path("")], "another process has it open")
      try refused([folder.path(""), "--check"], "another process has it open")
      try holder.execute("UPDATE SchemaVersion SET version = version + 1 WHERE component = 'companion'")
    }
    try refused([folder.path("")], "companion has version")
    let whole = try Self.bytes(folder)
    for cut in [0, 1, 50, 99, 4_096, whole.count / 2, whole.count - 1] where cut > 0 {
      let bytes = Data(whole.prefix(cut))
      try bytes.write(to: URL(filePath: folder.path("phone/\(StoreFile.name)")))
      try refused([folder.path("")], folder.path("phone/\(StoreFile.name)") + ": ")
      #expect(try Self.bytes(folder) == bytes)
    }
    try Data("not a store".utf8).write(to: URL(filePath: folder.path("phone/\(StoreFile.name)")))
    try refused([folder.path("")], "is not a store")
  }

  /// Some time within a migration that takes longer, at a different place each time.
  @Test(arguments: 1...4)
  func `a child that is killed goes on when it is repeated`(round: Int) throws {
    let folder = try Self.makeState(points: 40_000, others: 2_000, sessions: 50)
    let process = Process()
    process.executableURL = CommandChild.program
    process.arguments = ["migrate", folder.path("")]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run(killedAfter: 300)
    let identifier = process.processIdentifier
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(60 * round * round)) {
      kill(identifier, SIGKILL)
    }
    process.waitUntilExit()
    let again = try CommandChild.call(["migrate", folder.path("")])
    #expect(again.status == 0, "\(again)")
    let database = try Self.open(folder)
    #expect(try database.number("SELECT count(*) FROM GPSPoint") == 40_000)
    #expect(
      try database.number("SELECT sum(timestamp - 1700006400000000000) / 1000000000 FROM GPSPoint")
        == [15_000, 5_000, 20_000].reduce(0) { $0 + $1 * ($1 - 1) / 2 })
    #expect(try database.number("SELECT count(*) FROM Split") == 4_000)
    #expect(try StoreFile.findings(in: database) == [])
  }
}
