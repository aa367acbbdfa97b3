import Glibc

/// Exchanges lines of text with a child or parent process.
///
/// Both ends are ours: the length of lines is bounded by their programs, and a longer line is an error.
public final class LineChannel {
  private let socket: SocketDescriptor
  private var received: [UInt8] = []
  private var isAtEnd = false
  private var room = [UInt8](repeating: 0, count: 1 << 16)

  /// The longest line, in bytes.
  public static let lineBytesMax = 64 << 20

  /// Takes ownership of a connected socket.
  public init(_ socket: consuming SocketDescriptor) { self.socket = socket }

  /// Creates two connected sockets: one for a channel of this process, one for a child.
  public static func pair() throws(SystemCallError) -> (ours: LineChannel, theirs: LineChannel) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemCallError("socketpair", errno) }
    return (LineChannel(SocketDescriptor(adopting: ends[0])), LineChannel(SocketDescriptor(adopting: ends[1])))
  }

  /// The descriptor, borrowed: to wait on it, or to pass it to a child.
  public var descriptor: Int32 { socket.rawValue }

  /// Sends a line, which must not contain a line feed.
  public func send(_ line: String) throws(SystemCallError) {
    var bytes = Array(line.utf8)[...]
    bytes.append(UInt8(ascii: "\n"))
    while !bytes.isEmpty {
      do throws(SystemCallError) {
        bytes = bytes.dropFirst(try socket.send(bytes.span))
      } catch  where error.code == EINTR {}
    }
  }

  /// Waits for the next line; nil if the other end has closed.
  ///
  /// - Throws: `EINTR` if a signal arrived first.
  public func receive() throws(SystemCallError) -> String? {
    while true {
      if let line = takeLine() { return line }
      guard !isAtEnd else { return nil }
      try fill(isWaiting: true)
    }
  }

  /// Returns the lines that have arrived, without waiting.
  ///
  /// - Returns: The lines, and whether the other end has closed after them.
  public func receiveAvailable() throws(SystemCallError) -> (lines: [String], isAtEnd: Bool) {
    do throws(SystemCallError) {
      while !isAtEnd { try fill(isWaiting: false) }
    } catch {
      guard error.code == EAGAIN || error.code == EINTR else { throw error }
    }
    var lines: [String] = []
    var start = 0
    while let end = received[start...].firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(String(decoding: received[start..<end], as: UTF8.self))
      start = end + 1
    }
    received.removeSubrange(..<start)
    return (lines, isAtEnd)
  }

  private func takeLine() -> String? {
    guard let end = received.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { received.removeSubrange(...end) }
    return String(decoding: received[..<end], as: UTF8.self)
  }

  private func fill(isWaiting: Bool) throws(SystemCallError) {
    guard received.count <= Self.lineBytesMax else { throw SystemCallError("recv", EMSGSIZE) }
    let count: Int
    do throws(SystemCallError) {
      var space = room.mutableSpan
      count = try socket.receive(into: &space, isWaiting: isWaiting)
    } catch {
      // A child that died with unread lines of ours resets the connection: that is an end too.
      guard error.code == ECONNRESET else { throw error }
      isAtEnd = true
      return
    }
    if count == 0 { isAtEnd = true } else { received += room[..<count] }
  }
}
