import Console
import Foundation
import Link
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
