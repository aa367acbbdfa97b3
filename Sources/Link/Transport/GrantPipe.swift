import CSystem
import Glibc

/// One end of a pipe that carries the conductor's records to a node, in place of that direction of the socket.
///
/// A write and a read of a pipe cost half of what they cost on a socket. The answers stay on the socket, where a wait has
/// a time limit and a closed end is no signal.
final class GrantPipe {
  private let descriptor: Int32

  /// Takes ownership of an open end.
  init(adopting descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// The descriptor, borrowed for a call.
  var rawValue: Int32 { descriptor }

  /// Creates a pipe, of which writing never waits; nil if the system has no more.
  static func make() -> (readEnd: GrantPipe, writeEnd: GrantPipe)? {
    var ends: [Int32] = [-1, -1]
    guard cs_pipe(&ends, 0) == 0 else { return nil }
    let pipe = (readEnd: GrantPipe(adopting: ends[0]), writeEnd: GrantPipe(adopting: ends[1]))
    return fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0 ? pipe : nil
  }

  /// Writes some of the bytes.
  ///
  /// - Throws: `EAGAIN` if there is no room; `EINTR`; `EPIPE`.
  func write(_ bytes: Span<UInt8>) throws(SystemCallError) -> Int {
    try DescriptorBytes.write(bytes, to: descriptor)
  }

  /// Waits until there is room to write, or until an instant of the monotonic clock.
  func waitForRoom(until deadline: Int64) throws(SystemCallError) {
    let remaining = deadline - MonotonicClock.now
    guard remaining > 0 else { throw SystemCallError("write", EAGAIN) }
    var entry = cs_poll_entry(descriptor: descriptor, wanted: Int16(CS_POLL_WRITE), ready: 0)
    let status = cs_poll(&entry, 1, remaining)
    guard status >= 0 else { throw SystemCallError("poll", -status) }
  }

  /// Reads available bytes, waiting for the first one; 0 if the other end has closed.
  func read(into room: inout MutableSpan<UInt8>) throws(SystemCallError) -> Int {
    try DescriptorBytes.read(from: descriptor, into: &room)
  }
}
