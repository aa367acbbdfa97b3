import Foundation
import Link
import LinkTransport
import Testing

@testable import LinkStore

/// Real processes with real stores, killed by a real SIGKILL while they commit.
@Suite struct KilledProcessTests {
  /// Both sides do the same: one to the store, the other in memory.
  private struct Work {
    var source: OperationSource
    var model = StoreModel()
    var parents: [Int64] = []
    var number: UInt64 = 0

    init(seed: UInt64) { source = OperationSource(seed: seed) }

    mutating func next() -> (session: [SessionChange], app: [FamilyTables.Change]) {
      number += 1
      var changes: [FamilyTables.Change] = []
      if parents.count > 5 { changes.append(.remove(id: parents.removeFirst())) }
      parents.append(Int64(number))
      changes.append(.add(id: Int64(number), name: "parent \(number)"))
      return (model.draw(&source).session, changes)
    }
  }

  @Test(arguments: [UInt64](1...6))
  func `what was promised is there, whole, and nothing else`(seed: UInt64) async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path
    var work = Work(seed: seed)
    // The second process begins where the first was killed.
    for life in 0..<2 as Range<UInt64> {
      let begun = work.number
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = path as String, seed = seed as UInt64, begun = begun as UInt64, life = life as UInt64] in
        var work = Work(seed: seed)
        while work.number < begun { _ = work.next() }
        var store = try DeviceStore<FamilyTables>(folder: path)
        _ = try store.begin()
        let promises = try #require(try OpenFile("\(path)/promised", for: .writing))
        let last = begun + 20 + 13 * ((seed * 7 + life * 3) % 8)
        let later = UInt32(137 * ((seed * 5 + life) % 16))
        while true {
          let changes = work.next()
          let number = work.number
          if number == last {
            // Some time later: in the middle of whatever the loop does then.
            Thread.detachNewThread {
              usleep(later)
              kill(getpid(), SIGKILL)
            }
          }
          try store.commit(changes.session, changes.app, journal: (number, []))
          try promises.write(withUnsafeBytes(of: number.littleEndian) { Array($0) }, at: 0)
        }
      }
      let promised = try OpenFile("\(path)/promised", for: .reading)?.read(at: 0, count: 8) ?? []
      try look(path, promised: promised.reversed().reduce(0) { $0 << 8 | UInt64($1) }, &work)
      #expect(work.number >= begun + 19)
    }
  }

  /// Opens what a killed process left, and goes on to where it came.
  private func look(_ path: String, promised: UInt64, _ work: inout Work) throws {
    let database = try StoreFile.open(folder: path, DeviceStore<FamilyTables>.components)
    var store = try DeviceStore<FamilyTables>(database)
    let found = try store.begin()
    let number = try store.lastJournal()?.number ?? 0
    #expect(number == promised || number == promised + 1)
    while work.number < number { _ = work.next() }
    var expected = work.model.session.beginEpoch()
    expected.epoch = found.session.epoch
    #expect(found.session == expected)
    #expect(Set(found.app.names.keys) == Set(work.parents))
    #expect(found.app.childCounts.values.allSatisfy { $0 == Int64(FamilyTables.childCount) })
    #expect(try StoreFile.findings(in: database) == [])
  }
}
