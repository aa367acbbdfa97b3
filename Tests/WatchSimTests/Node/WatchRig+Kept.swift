import Link
import LinkStore
import Testing

@testable import WatchSim

extension WatchRig {
  /// Repeats what was made durable, commit by commit: in a store on disk, as a record, and as the keys of the store on disk.
  ///
  /// At the end the record is the rig's own, and what the disk holds is the same.
  ///
  /// - Parameters:
  ///   - folder: Where the store is made.
  ///   - look: Sees the record, the keys and the changes after each commit.
  /// - Returns: What the record and the keys came to.
  func kept(
    in folder: String, _ look: (WatchRecord, KeyedRecord, [WatchChange]) throws -> Void
  ) throws -> (memory: WatchRecord, keyed: KeyedRecord) {
    var (memory, keyed) = (WatchRecord(), KeyedRecord())
    do {
      var disk = KeyedWatchStore(try DeviceStore<KeyedTables>(folder: folder))
      _ = try disk.begin()
      for commit in commits {
        try disk.commit([], commit.app)
        for change in commit.app {
          memory.apply(change)
          for part in change.keyed { keyed.apply(part) }
        }
        try look(memory, keyed, commit.app)
      }
    }
    #expect(memory == store.record)
    var again = KeyedWatchStore(try DeviceStore<KeyedTables>(folder: folder))
    #expect(try again.begin().app == memory)
    return (memory, keyed)
  }
}
