import Link
import PhoneSim
import WatchSim

/// Which stores and files the nodes have: the one place that names them.
enum NodeStores {
  /// A watch's store that lives as long as this process.
  static func watch() -> MemoryWatchStore { MemoryWatchStore() }
  /// A phone's store that lives as long as this process.
  static func phone() -> MemoryPhoneStore { MemoryPhoneStore() }
  /// Files that live as long as this process.
  static func files() -> MemoryFiles { MemoryFiles() }
}
