import EdgeSim
package import Link
package import LinkStore
package import PhoneSim
package import WatchSim

/// Chooses the nodes' stores and files.
package enum NodeStores {
  // MARK: As long as this process lives

  /// A watch's store.
  static func watch() -> MemoryWatchStore { MemoryWatchStore() }
  /// A phone's store.
  static func phone() -> MemoryPhoneStore { MemoryPhoneStore() }
  /// An edge's files.
  static func edge() -> MemoryEdgeStore { MemoryEdgeStore() }
  /// A device's files.
  static func files() -> MemoryFiles { MemoryFiles() }

  // MARK: On disk

  /// The store and the files of a watch, in its folder.
  package static func watch(
    in folder: String, losesCommits: Bool = false
  ) throws(StoreError) -> (store: KeyedWatchStore<DeviceStore<KeyedTables>>, files: DiskFiles) {
    let store = try DeviceStore<KeyedTables>(folder: folder, losesCommits: losesCommits)
    return (KeyedWatchStore(store), try DiskFiles(folder: folder))
  }

  /// The store and the files of a phone, in its folder.
  package static func phone(
    in folder: String, losesCommits: Bool = false
  ) throws(StoreError) -> (store: DeviceStore<PhoneTables>, files: DiskFiles) {
    let store = try DeviceStore<PhoneTables>(folder: folder, losesCommits: losesCommits)
    return (store, try DiskFiles(folder: folder))
  }

  /// An edge's files, in its folder.
  package static func edge(in folder: String) throws(StoreError) -> EdgeFolder { try EdgeFolder(folder) }
}
