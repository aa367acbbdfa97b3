import CSystem
import Glibc

/// A socket that listens for TCP connections from this computer alone, or from a container's host.
public struct LoopbackListener: ~Copyable, Sendable {
  private let socket: SocketDescriptor
  /// The port that it listens on.
  public let port: UInt16

  /// - Parameters:
  ///   - port: The port; 0 for any free one.
  ///   - isInContainer: Whether it listens on every address of the machine instead of on 127.0.0.1: a container's host
  ///     does not reach the container's own 127.0.0.1.
  /// - Throws: `EADDRINUSE` if the port is taken, `EACCES` if this user may not have it.
  public init(port: UInt16, isInContainer: Bool = false) throws(SystemCallError) {
    let descriptor = Glibc.socket(
      AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw SystemCallError("socket", errno) }
    let socket = SocketDescriptor(adopting: descriptor)
    // A port that an earlier run has just left is free.
    var isOn: CInt = 1
    _ = setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<CInt>.size))
    let host = isInContainer ? "0.0.0.0" : "127.0.0.1"
    var address = LoopbackAddress(port: port, isInContainer: isInContainer)
    guard address.bind(descriptor) == 0 else { throw SystemCallError("bind", errno, on: "\(host):\(port)") }
    guard listen(descriptor, 64) == 0 else { throw SystemCallError("listen", errno, on: "\(host):\(port)") }
    self.socket = socket
    self.port = address.port
  }

  /// The descriptor, to be polled.
  public var descriptor: CInt { socket.rawValue }

  /// Accepts a waiting connection, after poll reported one; nil if it has disconnected.
  public borrowing func acceptPending() throws(SystemCallError) -> SocketDescriptor? {
    let descriptor = cs_accept(socket.rawValue, 1)
    switch -descriptor {
    case EINTR, EAGAIN, ECONNABORTED: return nil
    case let code where code > 0: throw SystemCallError("accept", code, on: "port \(port)")
    default: return SocketDescriptor(adopting: descriptor)
    }
  }
}
