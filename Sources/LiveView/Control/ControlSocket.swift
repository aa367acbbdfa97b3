package import Console
import CSystem
import Foundation
import Link
import LinkTransport

/// A Unix-domain socket at a path of the user's, in a folder that no other user may enter; deleted at the end.
package final class ControlSocket {
  let path: String
  let descriptor: Int32
  /// The folder that was created for it; nil for an existing one.
  private var madeFolder: String?

  /// Listens.
  ///
  /// Creates a missing folder, for this user only. Refuses a socket that another process listens on; replaces one that
  /// a dead run left behind.
  init(_ path: String) throws(Failure) {
    self.path = path
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    var made: String?
    if mkdir(folder, 0o700) == 0 { made = folder }
    do throws(Failure) {
      try Self.check(folder, of: path)
      descriptor = try Self.listen(path)
    } catch {
      if let made { rmdir(made) }
      throw error
    }
    madeFolder = made
  }

  deinit {
    close(descriptor)
    unlink(path)
    if let madeFolder { rmdir(madeFolder) }
  }

  private static func check(_ folder: String, of path: String) throws(Failure) {
    var status = stat()
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw .input("\(path): error: there is no folder \(folder), expected one")
    }
    guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw .input(
        "\(path): error: others may enter the folder \(folder), expected one for this user alone (mkdir -m 700 FOLDER), "
          + "or one that is not there yet")
    }
  }

  private static func listen(_ path: String) throws(Failure) -> Int32 {
    var address = try address(of: path)
    let descriptor = try open(path)
    var bound = address.bind(descriptor)
    if bound != 0, errno == EADDRINUSE, isForsaken(path, &address) {
      unlink(path)
      bound = address.bind(descriptor)
    }
    guard bound == 0, Foundation.listen(descriptor, 8) == 0 else {
      let code = errno
      close(descriptor)
      if code == EADDRINUSE {
        throw .input("\(path): error: found something there, expected a free place for a socket")
      }
      throw .environment("\(path): error: the control socket cannot be made: \(SystemText.of(code))")
    }
    return descriptor
  }

  /// Whether there is a socket that no process listens on.
  private static func isForsaken(_ path: String, _ address: inout UnixAddress) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK, let probe = try? open(path) else {
      return false
    }
    defer { close(probe) }
    return address.connect(probe) != 0 && errno == ECONNREFUSED
  }

  /// Accepts a waiting connection; nil if there is none, or if it is another user's.
  func accept() -> Int32? {
    let connection = cs_accept(descriptor, 1)
    guard connection >= 0 else { return nil }
    var (user, process): (UInt32, Int32) = (0, 0)
    guard cs_peer_credentials(connection, &user, &process) == 0, user == geteuid() else {
      close(connection)
      return nil
    }
    return connection
  }

  /// Connects to a run that listens.
  package static func connect(to path: String) throws(Failure) -> Int32 {
    var address = try address(of: path)
    let descriptor = try open(path)
    while address.connect(descriptor) != 0 {
      let code = errno
      if code == EINTR { continue }
      close(descriptor)
      let hint = code == ENOENT || code == ECONNREFUSED ? "; is a run with --control \(path) going on?" : ""
      throw .environment("\(path): error: \(SystemText.of(code))\(hint)")
    }
    return descriptor
  }

  private static func open(_ path: String) throws(Failure) -> Int32 {
    let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .environment("\(path): error: no socket: \(SystemText.of(errno))") }
    return descriptor
  }

  private static func address(of path: String) throws(Failure) -> UnixAddress {
    do { return try UnixAddress(path) } catch {
      throw .input(
        "\(path): error: found \(path.utf8.count) bytes, expected a path of 1 to \(UnixAddress.pathBytesMax) for a socket"
      )
    }
  }
}
