import CoachProtocol
import Foundation
import Link
import LinkTransport
import Testing

@testable import LinkStore
@testable import PhoneSim

/// A migration that ends at any statement, and is repeated.
@Suite struct MigrationCrashTests {
  /// With rows that are kept and rows that are noted in several batches.
  private static func makeStore() throws -> OldStore {
    let store = try OldStore(points: 12, others: 5, sessions: 3)
    try store.execute(
      """
      UPDATE LocationPoint SET latitude = 'x' WHERE rowid IN (2, 6);
      UPDATE SwimmingLocationPoint SET id = (SELECT id FROM LocationPoint WHERE rowid = 1) WHERE rowid = 3;
      UPDATE SkillDomainScore SET sourceSessionId = NULL, score = -1 WHERE rowid = 4;
      """)
    return store
  }

  @Test(arguments: [0, 1_000] as [Int64])
  func `wherever it ends, the next attempt comes to the same`(indexedRowsMax: Int64) throws {
    let whole = try Self.makeStore()
    var count = 0
    try whole.migrate(batchRows: 4, indexedRowsMax: indexedRowsMax) { () throws(StoreError) in count += 1 }
    let expected = try whole.content()
    #expect(count > 200)
    let fresh = try Self.makeStore()
    // Each statement once; the other way differs in the indexes only.
    for stop in stride(from: 1, through: count, by: indexedRowsMax == 0 ? 1 : 11) {
      let store = try OldStore(copying: fresh)
      var statements = 0
      #expect(throws: StoreError.self) {
        try store.migrate(batchRows: 4, indexedRowsMax: indexedRowsMax) { () throws(StoreError) in
          statements += 1
          if statements == stop { throw StoreError(.system, "stopped") }
        }
      }
      // The phone can start in between.
      if stop % 29 == 0 { _ = try store.open() }
      #expect(try store.migrate(batchRows: 4, indexedRowsMax: indexedRowsMax).agrees, "at \(stop)")
      let found = try store.content()
      #expect(found == expected, "at \(stop) of \(count)")
      if found != expected { break }
    }
  }

  @Test(arguments: [3, 40, 95, 160, 220, 290] as [Int])
  func `a process that is killed leaves a store that goes on`(stop: Int) async throws {
    let whole = try Self.makeStore()
    try whole.migrate(batchRows: 4, indexedRowsMax: 0)
    let store = try Self.makeStore()
    let folder = store.folder
    await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String, stop = stop as Int] in
      var statements = 0
      let migration = try OldShapeMigration(folder: folder, batchRows: 4, indexedRowsMax: 0) { () throws(StoreError) in
        statements += 1
        if statements == stop { kill(getpid(), SIGKILL) }
      }
      _ = try migration.run()
    }
    #expect(try store.migrate(batchRows: 4, indexedRowsMax: 0).agrees)
    #expect(try store.content() == whole.content())
    #expect(try StoreFile.findings(in: store.open()) == [])
  }

  @Test func `indexes that were set aside are built again, also if the phase is not repeated`() throws {
    let store = try Self.makeStore()
    func indexes() throws -> Int64? {
      try store.number("SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'GPSPoint'")
    }
    let before = try indexes()
    var statements = 0
    #expect(throws: StoreError.self) {
      try store.migrate([.points], batchRows: 4, indexedRowsMax: 0) { () throws(StoreError) in
        statements += 1
        if statements == 60 { throw StoreError(.system, "stopped") }
      }
    }
    #expect(try indexes() == 1)
    try store.migrate([.drills])
    #expect(try indexes() == before && before == 5)
    #expect(try store.migrate(indexedRowsMax: 0).agrees)
    #expect(try indexes() == before)
  }
}
