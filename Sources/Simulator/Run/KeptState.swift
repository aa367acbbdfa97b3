import Foundation
import LinkStore

/// Detects that a node's state was deleted or replaced during a run.
///
/// A node with an open store does not notice: it continues to write to unlinked files.
package struct KeptState {
  private let folder: String
  private let folderAtStart: FileIdentity?
  private var store: FileIdentity?

  /// - Parameter folder: The node's state folder, which exists.
  init(_ folder: String) {
    self.folder = folder
    folderAtStart = FileIdentity(folder)
  }

  /// Remembers the store after the node has created it; a node without one has nothing to lose.
  mutating func rememberStore() {
    if store == nil { store = FileIdentity("\(folder)/\(StoreFile.name)") }
  }

  /// What was lost, as text; nil for nothing.
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

/// The identity of a file, independent of its name.
private struct FileIdentity: Equatable {
  let device: dev_t
  let number: ino_t

  /// Nil if there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = status.st_dev
    number = status.st_ino
  }
}
