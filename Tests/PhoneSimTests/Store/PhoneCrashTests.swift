import CoachProtocol
import Foundation
import Link
import LinkTransport
import Testing

@testable import LinkStore
@testable import PhoneSim

/// What a process leaves behind that ends between any two writes of the companion store.
@Suite struct PhoneCrashTests {
  private typealias Store = DeviceStore<PhoneTables>

  /// A page and its head of 24 bytes, each written by itself.
  private static let frameBytes = 24 + 4_096

  @Test(arguments: [1, 9] as [UInt64])
  func `wherever the log ends, the store opens, its references hold, and it is that of a commit`(seed: UInt64) throws {
    let root = try TemporaryDirectory()
    let folder = "\(root.path)/whole"
    var source = PhoneChangeSource(seed: seed, isOneRun: false)
    var memory = MemoryPhoneStore()
    var known: [PhoneRecord] = []
    var store = try Store(folder: folder)
    _ = try store.begin()
    known.append(memory.record)
    for _ in 0..<60 {
      let changes = source.transaction()
      try memory.commit([], changes)
      try store.commit([], changes)
      known.append(memory.record)
    }
    let log = try Data(contentsOf: URL(filePath: "\(folder)/\(StoreFile.name)-wal"))
    let ends = Array(stride(from: 32, through: log.count, by: Self.frameBytes))
    #expect(ends.count > 60)
    // From the last migration on: before it the tables are of an older version, which the tests of migrations hold.
    var seen: Set<Int> = []
    for end in ends {
      let copy = "\(root.path)/copy"
      try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
      try FileManager.default.copyItem(
        atPath: "\(folder)/\(StoreFile.name)", toPath: "\(copy)/\(StoreFile.name)")
      try log.prefix(end).write(to: URL(filePath: "\(copy)/\(StoreFile.name)-wal"))
      do {
        let database = try StoreFile.open(folder: copy, Store.components)
        #expect(try StoreFile.findings(in: database) == [], "cut at \(end)")
        var found = try Store(database)
        let record = try found.begin().app
        let place = try #require(known.lastIndex(of: record), "cut at \(end): the state of no commit")
        seen.insert(place)
      }
      try FileManager.default.removeItem(atPath: copy)
    }
    #expect(seen.contains(0) && seen.contains(known.count - 1) && seen.count > 30)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `a process that is killed leaves a store that opens, and whose references hold`(seed: UInt64) async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, seed = seed as UInt64] in
      var source = PhoneChangeSource(seed: seed, isOneRun: false)
      var store = try DeviceStore<PhoneTables>(folder: path)
      _ = try store.begin()
      let promises = try #require(try OpenFile("\(path)/promised", for: .writing))
      var number: UInt64 = 0
      while true {
        number += 1
        if number == 30 + 17 * seed {
          // Some time later: in the middle of whatever the loop does then.
          Thread.detachNewThread {
            usleep(UInt32(211 * seed))
            kill(getpid(), SIGKILL)
          }
        }
        try store.commit([], source.transaction(), journal: (number, []))
        try promises.write(withUnsafeBytes(of: number.littleEndian) { Array($0) }, at: 0)
      }
    }
    let bytes = try OpenFile("\(path)/promised", for: .reading)?.read(at: 0, count: 8) ?? []
    let promised = bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    let database = try StoreFile.open(folder: path, DeviceStore<PhoneTables>.components)
    #expect(try StoreFile.findings(in: database) == [])
    var store = try DeviceStore<PhoneTables>(database)
    let found = try store.begin().app
    let number = try store.lastJournal()?.number ?? 0
    #expect(number >= 30 && (number == promised || number == promised + 1))
    var source = PhoneChangeSource(seed: seed, isOneRun: false)
    var memory = MemoryPhoneStore()
    for _ in 0..<number { try memory.commit([], source.transaction()) }
    #expect(found == memory.record)
  }
}
