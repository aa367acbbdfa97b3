import CSystem
import Glibc

/// The unique owner of an open socket; closes it when destroyed.
public struct SocketDescriptor: ~Copyable, Sendable {
  /// The descriptor, borrowed for a call.
  public let rawValue: Int32

  /// Takes ownership of an open descriptor.
  public init(adopting rawValue: Int32) {
    precondition(rawValue >= 0, "not a descriptor: \(rawValue)")
    self.rawValue = rawValue
  }

  deinit { _ = Glibc.close(rawValue) }

  /// Creates a Unix-domain socket that is closed on exec.
  public static func unix() throws(SystemCallError) -> SocketDescriptor {
    let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw SystemCallError("socket", errno) }
    return SocketDescriptor(adopting: descriptor)
  }

  /// Connects to a listening socket.
  public static func connect(to path: String) throws(SystemCallError) -> SocketDescriptor {
    let socket = try unix()
    var address = try UnixAddress(path)
    while true {
      if address.connect(socket.rawValue) == 0 { return socket }
      guard errno == EINTR else { throw SystemCallError("connect", errno, on: path) }
    }
  }

  /// Sets the timeout of a blocking receive or send; 0 is for ever.
  ///
  /// - Parameter receiving: That of a receive; nil for the same.
  public borrowing func setTimeout(seconds: Double, receiving: Double? = nil) throws(SystemCallError) {
    for (option, seconds) in [(SO_RCVTIMEO, receiving ?? seconds), (SO_SNDTIMEO, seconds)] {
      var time = timeval(tv_sec: Int(seconds), tv_usec: Int((seconds - seconds.rounded(.down)) * 1e6))
      guard setsockopt(rawValue, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size)) == 0 else {
        throw SystemCallError("setsockopt", errno)
      }
    }
  }

  /// The process at the other end, as of the time of connecting.
  public borrowing func peer() throws(SystemCallError) -> (user: UInt32, process: Int32) {
    var user: UInt32 = 0
    var process: Int32 = 0
    let status = cs_peer_credentials(rawValue, &user, &process)
    guard status == 0 else { throw SystemCallError("getsockopt SO_PEERCRED", -status) }
    return (user, process)
  }

  /// Receives available bytes, waiting for the first one up to the timeout.
  ///
  /// - Returns: The number of bytes; 0 if the other end has closed.
  /// - Throws: `EAGAIN` at the timeout; `EINTR` if a signal arrived first.
  @inline(__always)
  public borrowing func receive(
    into room: inout MutableSpan<UInt8>, isWaiting: Bool = true
  ) throws(SystemCallError) -> Int {
    let flags = isWaiting ? 0 : CInt(MSG_DONTWAIT)
    let count = room.withUnsafeMutableBytes { recv(rawValue, $0.baseAddress, $0.count, flags) }
    guard count >= 0 else { throw SystemCallError("recv", errno) }
    return count
  }

  /// Sends some of the bytes; a closed peer is an error, not a signal.
  ///
  /// - Returns: The number of bytes sent.
  /// - Throws: `EAGAIN` if the other end accepted nothing in time; `EINTR`; `EPIPE`.
  @inline(__always)
  public borrowing func send(
    _ bytes: Span<UInt8>, isWaiting: Bool = true
  ) throws(SystemCallError) -> Int {
    let flags = CInt(MSG_NOSIGNAL) | (isWaiting ? 0 : CInt(MSG_DONTWAIT))
    let count = bytes.withUnsafeBytes { Glibc.send(rawValue, $0.baseAddress, $0.count, flags) }
    guard count >= 0 else { throw SystemCallError("send", errno) }
    return count
  }

  /// Waits until there is something to receive.
  ///
  /// - Parameter deadline: An instant of the monotonic clock, in nanoseconds.
  /// - Returns: Whether there is.
  borrowing func waitToReceive(until deadline: Int64) throws(SystemCallError) -> Bool {
    let remaining = deadline - MonotonicClock.now
    guard remaining > 0 else { return false }
    var entry = cs_poll_entry(descriptor: rawValue, wanted: Int16(CS_POLL_READ), ready: 0)
    let status = cs_poll(&entry, 1, remaining)
    guard status >= 0 else { throw SystemCallError("poll", -status) }
    return status > 0
  }

  /// Closes both directions; the other end then reads an end of file.
  public borrowing func shutDown() { _ = Glibc.shutdown(rawValue, CInt(SHUT_RDWR)) }
}

/// The address of a Unix-domain socket.
public struct UnixAddress {
  /// The longest path in bytes, without the terminating zero.
  public static let pathBytesMax = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  private var address = sockaddr_un()

  /// - Throws: `ENAMETOOLONG` if no socket can have this path.
  public init(_ path: String) throws(SystemCallError) {
    guard !path.isEmpty, path.utf8.count <= Self.pathBytesMax, !path.utf8.contains(0) else {
      throw SystemCallError("connect", ENAMETOOLONG, on: path)
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  }

  /// Binds a socket to the address; nonzero with `errno` for an error.
  public mutating func bind(_ descriptor: CInt) -> CInt { withPointer { Glibc.bind(descriptor, $0, $1) } }

  /// Connects a socket to the address; nonzero with `errno` for an error.
  public mutating func connect(_ descriptor: CInt) -> CInt { withPointer { Glibc.connect(descriptor, $0, $1) } }

  private mutating func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}

/// A TCP address of this computer that no other computer reaches, 127.0.0.1; or all of its addresses, for a container.
struct LoopbackAddress {
  private var address = sockaddr_in()

  /// - Parameter port: 0 for any free one.
  init(port: UInt16, isInContainer: Bool = false) {
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(isInContainer ? 0 : 0x7F00_0001).bigEndian
  }

  /// Binds a socket to the address, and sets the port to the one that it got; nonzero with `errno` for an error.
  mutating func bind(_ descriptor: CInt) -> CInt {
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        let status = Glibc.bind(descriptor, $0, length)
        return status == 0 ? getsockname(descriptor, $0, &length) : status
      }
    }
  }

  var port: UInt16 { UInt16(bigEndian: address.sin_port) }
}

/// Writes whole buffers to descriptors.
package enum DescriptorOutput {
  /// Writes all bytes; continues after interruptions and partial writes.
  ///
  /// - Returns: The `errno` of a failed write, after which an unknown part of the bytes is written; 0 for none.
  package static func writeAll(_ bytes: [UInt8], to descriptor: CInt) -> CInt {
    var rest = bytes
    while !rest.isEmpty {
      let written = write(descriptor, rest, rest.count)
      if written < 0 {
        let code = errno
        if code == EINTR { continue }
        return code
      }
      guard written < rest.count else { return 0 }
      rest.removeFirst(written)
    }
    return 0
  }
}

/// The signal of a write beyond the limit of file sizes (`ulimit -f`), which ends a process by default.
public enum FileSizeSignal {
  /// Makes such a write fail with `EFBIG`, so that it ends with a message.
  public static func ignore() { signal(SIGXFSZ, SIG_IGN) }

  /// Gives the signal its default effect again, for a program that is about to be executed.
  public static func restore() { signal(SIGXFSZ, SIG_DFL) }
}

/// A failed system call.
public struct SystemCallError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The call's name, such as `connect`.
  public var call: String
  /// The value of `errno`.
  public var code: Int32
  /// Its subject, such as a path; empty if the call is clear by itself.
  public var subject: String

  public init(_ call: String, _ code: Int32, on subject: String = "") {
    self.call = call
    self.code = code
    self.subject = subject
  }

  public var description: String {
    "\(call)\(subject.isEmpty ? "" : " \(subject)"): \(SystemText.of(code))"
  }
}

/// The operating system's error messages.
public enum SystemText {
  /// Returns the system's message for a value of `errno`, with advice for some.
  public static func of(_ code: Int32) -> String {
    let text = String(cString: strerror(code))
    var limit = rlimit()
    if code == EFBIG, getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 {
      return "\(text): a file may have \(limit.rlim_cur) bytes here; raise that with ulimit -f"
    }
    guard code == EMFILE else { return text }
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return text }
    return "\(text): a process may have \(limit.rlim_cur) open here; raise that with ulimit -n"
  }
}

/// The computer's clock, which never affects a trace: for deadlines of processes that may hang.
enum MonotonicClock {
  /// Nanoseconds since an instant before this process.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Returns the instant a number of seconds from now.
  static func after(seconds: Double) -> Int64 { now + Int64(min(max(seconds, 0), 1e9) * 1e9) }
}
