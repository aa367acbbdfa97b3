import Foundation
import Link
import LinkTransport
import Testing
import WriteRecorder

@testable import LinkStore

/// What docs/internals/stores.md promises for a loss of power, on what SQLite really wrote and synced.
///
/// `WRISTWIRE_POWER_LOSSES=1000` (`scripts/power-losses`) tries more cuts than every test run.
@Suite(.serialized) struct PowerLossTests {
  private typealias Store = DeviceStore<KeyedTables>

  private static let losses = Int(ProcessInfo.processInfo.environment["WRISTWIRE_POWER_LOSSES"] ?? "") ?? 60
  private static let commits = 500

  /// Commit `number`: an event, a list entry and a value, of a few pages.
  private static func commit(_ number: Int, to store: inout Store) throws {
    let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 200 + number % 7 * 900)
    try store.commit(
      [.enqueued(.numbered(UInt64(number), payload: bytes))],
      [.append(list: "a", [UInt8(number & 0xff), UInt8(number >> 8)]), .set(key: "n", bytes)])
  }

  @Test(arguments: StoreFile.Durability.allCases)
  func `a loss of power leaves a prefix of the commits: all of them if each was synced`(
    durability: StoreFile.Durability
  ) throws {
    let root = try TemporaryDirectory()
    let writes = try Self.record(in: root.path, durability)
    let marks = writes.operations.indices.filter { if case .mark = writes.operations[$0] { true } else { false } }
    #expect(marks.count == Self.commits + 1)
    let random = RandomStream(seed: 1, name: "cuts")
    var lost = 0
    for number in 0..<Self.losses {
      let first = marks[0] + 1
      let count = UInt64(writes.operations.count - first + 1)
      let cut = first + Int(random.number(below: count, for: UInt64(number)))
      let committed = marks.count { $0 < cut } - 1
      let files = writes.files(cutAt: cut, random: RandomStream(seed: UInt64(number), name: "image"))
      let folder = "\(root.path)/\(number)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      for (name, bytes) in files { try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)")) }
      let found = try Self.found(in: folder, "cut \(number) before operation \(cut)")
      // The commit that the cut interrupted may be there or not.
      #expect(found <= committed + 1, "cut \(number): \(found) of \(committed)")
      if durability == .full { #expect(found >= committed, "cut \(number): \(found) of \(committed)") }
      lost += max(0, committed - found)
      try FileManager.default.removeItem(atPath: folder)
    }
    // Otherwise the losses lost nothing, and the test shows nothing.
    #expect(durability == .full ? lost == 0 : lost > 0)
    print("\(Self.losses) losses of power, durability \(durability): \(lost) commits lost in all")
  }

  /// Commits, and returns what was written from before the store was opened.
  private static func record(in root: String, _ durability: StoreFile.Durability) throws -> RecordedWrites {
    let journal = "\(root)/journal"
    try #require(write_recorder_begin("\(root)/store", journal) == 0)
    defer { write_recorder_end() }
    var store = try Store(folder: "\(root)/store", durability: durability)
    _ = try store.begin()
    write_recorder_mark(0)
    for number in 1...commits {
      try commit(number, to: &store)
      write_recorder_mark(UInt64(number))
    }
    write_recorder_end()
    return try RecordedWrites(journal)
  }

  /// Opens and checks a store; returns the number of commits in it, which are the first ones.
  private static func found(in folder: String, _ what: String) throws -> Int {
    var store = try Store(folder: folder)
    let (session, app) = try store.begin()
    let entries = app.lists["a"] ?? []
    let expected: [[UInt8]] = (1..<entries.count + 1).map { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    #expect(entries == expected, "\(what)")
    #expect(session[.userInfo].outboxCount == entries.count, "\(what)")
    #expect(Int(session[.userInfo].nextSeq.rawValue) == entries.count + 1, "\(what)")
    #expect(try StoreFile.findings(in: store.database).isEmpty, "\(what)")
    return entries.count
  }

  @Test func `what a simulated cut takes from a store are its latest commits, as many as are drawn`() throws {
    let root = try TemporaryDirectory()
    for number: UInt64 in 0..<20 {
      let draw = number &* 0x9E37_79B9_7F4A_7C15
      let folder = "\(root.path)/\(draw)"
      var store: Store? = try Store(folder: folder, losesCommits: true)
      _ = try store?.begin()
      for number in 1...100 { if store != nil { try Self.commit(number, to: &store!) } }
      // A copy, since closing the store would sync it.
      let copy = "\(folder)-cut"
      try FileManager.default.copyItem(atPath: folder, toPath: copy)
      let loss = try PowerCut.strike(folder: copy, draw: draw)
      #expect(loss == PowerLoss(unsynced: 36, draw: draw))
      #expect(try Self.found(in: copy, "draw \(draw)") == 100 - loss.lost)
      // What survived is on the disk.
      #expect(try PowerCut.strike(folder: copy, draw: .max).lost == 0)
      store = nil
    }
    #expect(PowerLoss(unsynced: 36, draw: .max).lost == 36 && PowerLoss(unsynced: 36, draw: 0).lost == 0)
  }

  @Test func `a list of unsynced commits that no store wrote is refused`() throws {
    let root = try TemporaryDirectory()
    var store = try Store(folder: root.path, losesCommits: true)
    _ = try store.begin()
    try Self.commit(1, to: &store)
    try Data([UInt8](repeating: 0xff, count: 8)).write(to: URL(filePath: "\(root.path)/\(UnsyncedCommits.name)"))
    #expect { try PowerCut.strike(folder: root.path, draw: 1) } throws: { ($0 as? StoreError)?.cause == .corrupt }
  }

  @Test func `a store in memory loses the same commits as one on disk`() throws {
    for number: UInt64 in 1...8 {
      let draw = number &* 0x9E37_79B9_7F4A_7C15
      let root = try TemporaryDirectory()
      var disk = try Store(folder: root.path, losesCommits: true)
      var memory = RevertibleStore(PlainStore(MemorySessionStore()))
      _ = try disk.begin()
      _ = try memory.begin()
      for number in 1...80 {
        let change = SessionChange.enqueued(.numbered(UInt64(number)))
        try disk.commit([change], [])
        try memory.commit([change], [])
      }
      let copy = "\(root.path)-cut"
      try FileManager.default.copyItem(atPath: root.path, toPath: copy)
      defer { try? FileManager.default.removeItem(atPath: copy) }
      #expect(try PowerCut.strike(folder: copy, draw: draw) == memory.losePower(draw: draw))
      var found = try Store(folder: copy)
      #expect(try found.begin().session == memory.begin().session)
    }
  }
}
