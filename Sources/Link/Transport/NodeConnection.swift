import Glibc
import Link

/// One end of a connection that exchanges records: a socket with its buffers.
final class NodeConnection {
  let socket: SocketDescriptor
  var decoder = RecordDecoder()
  var writer = RecordWriter()

  init(_ socket: consuming SocketDescriptor) { self.socket = socket }

  /// The result of waiting for bytes.
  enum Arrival {
    case bytes, endOfFile, nothing
  }

  /// Waits for bytes until the socket's timeout; continues after signals other than the user's stop.
  func receive() throws(SystemCallError) -> Arrival {
    while true {
      do throws(SystemCallError) {
        return try decoder.fill { room throws(SystemCallError) in try socket.receive(into: &room) } > 0
          ? .bytes : .endOfFile
      } catch {
        switch error.code {
        case EAGAIN: return .nothing
        case ECONNRESET: return .endOfFile
        case EINTR where !StopSignal.isRaised: continue
        default: throw error
        }
      }
    }
  }

  /// Reads the bytes that have arrived, without waiting.
  func receivePending() throws(SystemCallError) -> Arrival {
    do throws(SystemCallError) {
      return try decoder.fill { room throws(SystemCallError) in
        try socket.receive(into: &room, isWaiting: false)
      } > 0 ? .bytes : .endOfFile
    } catch {
      switch error.code {
      case EAGAIN, EINTR: return .nothing
      case ECONNRESET: return .endOfFile
      default: throw error
      }
    }
  }

  /// Waits for bytes until an instant of the monotonic clock.
  func receive(until deadline: Int64) throws(SystemCallError) -> Arrival {
    while true {
      let arrival = try receivePending()
      if arrival != .nothing { return arrival }
      do throws(SystemCallError) {
        guard try socket.waitToReceive(until: deadline) else { return .nothing }
      } catch  where error.code == EINTR && !StopSignal.isRaised { continue }
    }
  }

  /// Sends all written records, in one write if the kernel accepts it, and empties the writer.
  ///
  /// - Parameter deadline: The instant of the monotonic clock at which a slow peer is given up; nil for never.
  /// - Throws: `EAGAIN` if the peer does not read them in time.
  func flush(until deadline: Int64? = nil) throws(SystemCallError) {
    var sent = 0
    while true {
      do throws(SystemCallError) {
        sent += try socket.send(writer.bytes.span.extracting(sent...))
      } catch {
        guard error.code == EINTR, !StopSignal.isRaised else { throw error }
      }
      if sent == writer.bytes.count { break }
      if let deadline, MonotonicClock.now >= deadline { throw SystemCallError("send", EAGAIN) }
    }
    writer.removeAll()
  }

  /// Sends the reason for closing, if the other end still reads.
  func refuse(_ why: String) {
    writer.removeAll()
    writer.failed(why)
    // A stranger that does not read gets no reason.
    _ = try? socket.send(writer.bytes.span, isWaiting: false)
    socket.shutDown()
  }
}
