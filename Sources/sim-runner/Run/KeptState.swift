import Foundation
import LinkStore

/// Notices when a node's state is deleted or replaced during a run.
///
/// A node with an open store does not notice by itself: it goes on writing to files that no path leads to any more.
struct KeptState {
  private let folder: String
  private let folderAtStart: FileIdentity?
  private var store: FileIdentity?

  /// - Parameter folder: The node's state folder, which exists.
  init(_ folder: String) {
    self.folder = folder
    folderAtStart = FileIdentity(folder)
  }

  /// Remembers the store, once the node has made it; a node without one has nothing that could be missed.
  mutating func rememberStore() {
    if store == nil { store = FileIdentity("\(folder)/\(StoreFile.name)") }
  }

  /// What has been lost, in words; nil for nothing.
  var loss: String? {
    guard let now = FileIdentity(folder) else { return "its state folder was deleted during the run" }
    guard now == folderAtStart else { return "its state folder was replaced during the run" }
    guard let store else { return nil }
    guard let now = FileIdentity("\(folder)/\(StoreFile.name)") else {
      return "the store in its state folder was deleted during the run"
    }
    return now == store ? nil : "the store in its state folder was replaced during the run"
  }
}

/// Which file a path leads to, whatever it is called.
private struct FileIdentity: Equatable {
  let device: dev_t
  let number: ino_t

  /// Nil where there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = status.st_dev
    number = status.st_ino
  }
}
