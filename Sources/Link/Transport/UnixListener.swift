import CSystem
import Glibc

/// A listening socket in a new directory that only this user may enter; both are removed with it.
public struct UnixListener: ~Copyable, Sendable {
  static let socketName = "socket"

  private let directory: TemporaryDirectory
  let socket: SocketDescriptor
  /// The path to connect to.
  public let path: String

  public init() throws(SystemCallError) {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/\(Self.socketName)"
    let socket = try SocketDescriptor.unix()
    var address = try UnixAddress(path)
    let descriptor = socket.rawValue
    guard address.bind(descriptor) == 0 else {
      throw SystemCallError("bind", errno, on: path)
    }
    guard listen(descriptor, 64) == 0 else { throw SystemCallError("listen", errno, on: path) }
    self.directory = directory
    self.socket = socket
    self.path = path
  }

  /// Accepts a waiting connection, after poll reported one; nil if it has disconnected.
  borrowing func acceptPending() throws(SystemCallError) -> SocketDescriptor? {
    let descriptor = cs_accept(socket.rawValue, 0)
    switch -descriptor {
    case EINTR, EAGAIN, ECONNABORTED: return nil
    case let code where code > 0: throw SystemCallError("accept", code, on: path)
    default: return SocketDescriptor(adopting: descriptor)
    }
  }
}
