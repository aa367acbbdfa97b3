import Console
package import EdgeSim
import Foundation
package import Link
import LinkStore
import LinkTransport

/// The folders for the nodes' durable state in a run, one for each role.
package struct StateFolder: ~Copyable {
  private let root: String
  /// Removed at the end; nil for a folder that the user named.
  private let temporary: TemporaryDirectory?

  /// Free space required of a folder in memory, in bytes: containers often have less than files need.
  private static let roomMin: UInt64 = 256 << 20

  /// Creates the folders.
  ///
  /// - Parameters:
  ///   - path: The user's folder, new or empty; nil for a temporary folder, in memory if there is room.
  ///   - roles: The devices that get one each.
  /// - Throws: ``Failure/input(_:)`` for an unusable folder, ``Failure/environment(_:)`` if none can be created.
  init(_ path: String?, of roles: [NodeRole]) throws(Failure) {
    if let path {
      try Self.makeNew(path)
      try Self.makeFolders(of: roles, in: path)
      root = path
      temporary = nil
      return
    }
    let made: TemporaryDirectory
    do throws(SystemCallError) { made = try TemporaryDirectory(in: Self.memoryRoot) } catch {
      throw .environment("no folder for the state of the nodes: \(error)")
    }
    try Self.makeFolders(of: roles, in: made.path)
    root = made.path
    temporary = consume made
  }

  private static func makeFolders(of roles: [NodeRole], in root: String) throws(Failure) {
    for role in roles {
      let folder = "\(root)/\(role.text)"
      guard mkdir(folder, 0o700) == 0 else {
        throw .environment("\(folder): error: cannot be made: \(SystemText.of(errno))")
      }
    }
  }

  /// The folder of one node.
  func path(of role: NodeRole) -> String { "\(root)/\(role.text)" }

  private static func makeNew(_ path: String) throws(Failure) {
    guard mkdir(path, 0o700) != 0 else { return }
    let code = errno
    guard code == EEXIST else {
      let why = SystemText.of(code)
      let message = "--state-dir \(path): error: cannot be made: \(why)"
      throw code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG ? .input(message) : .environment(message)
    }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw .input(
        "--state-dir \(path): error: found something that is no folder, or cannot be read; expected a folder")
    }
    guard names.isEmpty else {
      throw .input(
        "--state-dir \(path): error: found a folder with \(names.count == 1 ? "a file" : "\(names.count) files") in it, "
          + "expected a new or an empty one")
    }
  }

  /// The first folder in memory with enough room; nil for the usual temporary folder.
  package static var memoryRoot: String? {
    let candidates = [ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"], "/dev/shm"].compactMap(\.self)
    return candidates.first { path in
      var status = statvfs()
      guard path.hasPrefix("/"), access(path, W_OK | X_OK) == 0, statvfs(path, &status) == 0 else { return false }
      return UInt64(status.f_bavail) * UInt64(status.f_frsize) >= roomMin
    }
  }
}

/// The home folder of a user program that plays a device: for documents, caches, temporary files and `UserDefaults`.
///
/// It is in the device's state folder, so phone and watch do not share it, no other run sees it, and it survives
/// restarts of the app within the run.
struct DeviceHome {
  /// An absolute path.
  let path: String

  /// - Parameter state: The device's state folder.
  init(in state: String) { path = URL(fileURLWithPath: state, isDirectory: true).appending(path: "home").path }

  /// Creates the folders that an app expects at its first start; existing ones stay as they are.
  func makeFolders() throws(SystemCallError) {
    for folder in [path, documents, temporary, caches] {
      guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw SystemCallError("mkdir", errno, on: folder) }
    }
  }

  /// The variables by which Foundation and other libraries find the home folder.
  ///
  /// `HOME` alone is not enough: Foundation asks the user database unless `CFFIXED_USER_HOME` is set, and follows the
  /// user's `XDG` variables for caches, application support and `UserDefaults`.
  var environment: [(name: String, value: String)] {
    [
      ("HOME", path), ("CFFIXED_USER_HOME", path), ("TMPDIR", temporary), ("XDG_CACHE_HOME", caches),
      ("XDG_CONFIG_HOME", "\(path)/.config"), ("XDG_DATA_HOME", "\(path)/.local/share"),
      ("XDG_STATE_HOME", "\(path)/.local/state"),
    ]
  }

  private var documents: String { "\(path)/Documents" }
  private var temporary: String { "\(path)/tmp" }
  private var caches: String { "\(path)/.cache" }
}

/// An edge's files in its state folder.
package struct EdgeFolder: NodeStore {
  private var session = MemorySessionStore()
  private let files: WholeFiles

  init(_ folder: String) throws(StoreError) { files = try WholeFiles(folder: folder) }

  package mutating func commit(_ changes: [SessionChange], _ app: [EdgeChange]) throws(StoreError) {
    if !changes.isEmpty { session.commit(changes) }
    for change in app {
      switch change {
      case .write(let file, let bytes): try files.replace(file.rawValue, with: bytes)
      case .tear(let file): try files.halve(file.rawValue)
      case .wipe: for file in EdgeFile.allCases { try files.remove(file.rawValue) }
      }
    }
  }

  package mutating func begin() throws(StoreError) -> (session: SessionRecord, app: EdgeRecord) {
    var record = EdgeRecord()
    for file in EdgeFile.allCases {
      record.files[file] = try files.read(file.rawValue, countMax: EdgeRecord.bytesMax)
    }
    return (session.beginEpoch(), record)
  }

  package mutating func page(_ order: PageOrder) -> StorePage { session.page(order) }
}

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
