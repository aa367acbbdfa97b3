import Glibc
import Link

/// One end of a conversation in records: a socket, what came in, what goes out.
final class NodeConnection {
  let socket: SocketDescriptor
  var decoder = RecordDecoder()
  var writer = RecordWriter()

  init(_ socket: consuming SocketDescriptor) { self.socket = socket }

  /// What came of waiting for bytes.
  enum Arrival {
    case bytes, endOfFile, nothing
  }

  /// Waits for bytes until the socket's own timeout; a signal that is not the user's stop is waited over.
  func receive() throws(SystemCallError) -> Arrival {
    while true {
      do throws(SystemCallError) {
        return try decoder.fill { room throws(SystemCallError) in try socket.receive(into: room) } > 0
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

  /// Takes bytes that are there already.
  func receivePending() throws(SystemCallError) -> Arrival {
    do throws(SystemCallError) {
      return try decoder.fill { room throws(SystemCallError) in
        try socket.receive(into: room, isWaiting: false)
      } > 0 ? .bytes : .endOfFile
    } catch {
      switch error.code {
      case EAGAIN, EINTR: return .nothing
      case ECONNRESET: return .endOfFile
      default: throw error
      }
    }
  }

  /// Waits for bytes until a moment of the monotonic clock.
  func receive(until deadline: Int64) throws(SystemCallError) -> Arrival {
    while true {
      let arrival = try receivePending()
      if arrival != .nothing { return arrival }
      do throws(SystemCallError) {
        guard try socket.waitToReceive(until: deadline) else { return .nothing }
      } catch  where error.code == EINTR && !StopSignal.isRaised { continue }
    }
  }

  /// Sends all that was written, in one write as far as the kernel takes it, and empties the writer.
  ///
  /// - Parameter deadline: A moment of the monotonic clock after which a peer that takes bytes too slowly
  ///   is given up; nil for never.
  /// - Throws: `EAGAIN` for a peer that does not take them in time.
  func flush(until deadline: Int64? = nil) throws(SystemCallError) {
    let failure = writer.bytes.withUnsafeBytes { all -> SystemCallError? in
      var rest = all
      while true {
        do throws(SystemCallError) {
          rest = UnsafeRawBufferPointer(rebasing: rest[(try socket.send(rest))...])
        } catch {
          guard error.code == EINTR, !StopSignal.isRaised else { return error }
        }
        if rest.isEmpty { return nil }
        if let deadline, MonotonicClock.now >= deadline { return SystemCallError("send", EAGAIN) }
      }
    }
    if let failure { throw failure }
    writer.removeAll()
  }

  /// Says why the connection ends, if the other end still listens.
  func refuse(_ why: String) {
    writer.removeAll()
    writer.failed(why)
    // A stranger that takes nothing hears nothing.
    _ = try? writer.bytes.withUnsafeBytes { bytes in try socket.send(bytes, isWaiting: false) }
    socket.shutDown()
  }
}
