import Foundation
import Link
import LinkTransport

/// Where the nodes of a run keep what outlives their processes: a folder for each role.
struct StateFolder: ~Copyable {
  private let root: String
  /// Removed at the end; nil for a folder that the user named.
  private let temporary: TemporaryDirectory?

  /// Room that a folder in memory must have to be used, in bytes: containers often have less than files need.
  private static let roomMin: UInt64 = 256 << 20

  /// Makes the folders.
  ///
  /// - Parameters:
  ///   - path: Where the user wants them, new or empty; nil for a fresh folder, in memory where there is room, that
  ///     goes away with the run.
  ///   - hasEdge: Whether there is one for the edge, which keeps nothing there unless it is somebody else's program.
  /// - Throws: ``Failure/input(_:)`` for a folder that cannot be used, ``Failure/environment(_:)`` where none can be made.
  init(_ path: String?, hasEdge: Bool = false) throws(Failure) {
    if let path {
      try Self.makeNew(path)
      try Self.makeRoles(in: path, hasEdge)
      root = path
      temporary = nil
      return
    }
    let made: TemporaryDirectory
    do throws(SystemCallError) { made = try TemporaryDirectory(in: Self.memoryRoot) } catch {
      throw .environment("no folder for the state of the nodes: \(error)")
    }
    try Self.makeRoles(in: made.path, hasEdge)
    root = made.path
    temporary = consume made
  }

  private static func makeRoles(in root: String, _ hasEdge: Bool) throws(Failure) {
    for role in NodeRole.allCases where role != .edge || hasEdge {
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

  /// The first folder in memory that has room; nil for the usual place of temporary files.
  private static var memoryRoot: String? {
    let candidates = [ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"], "/dev/shm"].compactMap(\.self)
    return candidates.first { path in
      var status = statvfs()
      guard path.hasPrefix("/"), access(path, W_OK | X_OK) == 0, statvfs(path, &status) == 0 else { return false }
      return UInt64(status.f_bavail) * UInt64(status.f_frsize) >= roomMin
    }
  }
}
