import Glibc
import Link

/// One end of a connection that exchanges records: a socket with its buffers.
///
/// With a node that takes one, the records from the welcome on come to it through a pipe.
final class NodeConnection {
  let socket: SocketDescriptor
  /// The node's end of the pipe; nil if records come through the socket.
  private var incoming: GrantPipe?
  /// The conductor's end of the pipe; nil if records leave through the socket.
  private var outgoing: GrantPipe?
  /// Whether a pipe may come with what is received.
  private var expectsPipe = false
  /// A pipe that has come with a part of the welcome, whose rest comes through the socket.
  private var offered: GrantPipe?
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
        return try decoder.fill { room throws(SystemCallError) in try read(into: &room) } > 0 ? .bytes : .endOfFile
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

  private func read(into room: inout MutableSpan<UInt8>) throws(SystemCallError) -> Int {
    if let incoming { return try incoming.read(into: &room) }
    guard expectsPipe else { return try socket.receive(into: &room) }
    var descriptor: Int32 = -1
    let count = try socket.receive(into: &room, descriptor: &descriptor)
    if descriptor >= 0 { offered = GrantPipe(adopting: descriptor) }
    return count
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
  /// - Parameters:
  ///   - deadline: The instant of the monotonic clock at which a slow peer is given up; nil for never.
  ///   - offer: A pipe whose reading end goes with the first bytes.
  /// - Throws: `EAGAIN` if the peer does not read them in time.
  func flush(until deadline: Int64? = nil, offering offer: GrantPipe? = nil) throws(SystemCallError) {
    var sent = 0
    if let offer {
      let bytes = writer.bytes
      sent = try socket.send(bytes.span, with: offer.rawValue)
    }
    while sent < writer.bytes.count {
      do throws(SystemCallError) {
        sent += try sendBytes(from: sent, until: deadline)
      } catch {
        guard error.code == EINTR, !StopSignal.isRaised else { throw error }
      }
      if sent < writer.bytes.count, let deadline, MonotonicClock.now >= deadline {
        throw SystemCallError("send", EAGAIN)
      }
    }
    writer.removeAll()
  }

  /// Sends some of the written records' bytes.
  private func sendBytes(from start: Int, until deadline: Int64?) throws(SystemCallError) -> Int {
    let bytes = writer.bytes
    guard let outgoing else { return try socket.send(bytes.span.extracting(start...)) }
    while true {
      do throws(SystemCallError) { return try outgoing.write(bytes.span.extracting(start...)) } catch
        where error.code == EAGAIN
      {
        try outgoing.waitForRoom(until: deadline ?? .max)
      }
    }
  }

  /// Sends the reason for closing, if the other end still reads.
  func refuse(_ why: String) {
    writer.removeAll()
    writer.failed(why)
    // A stranger that does not read gets no reason.
    if let outgoing {
      _ = try? outgoing.write(writer.bytes.span)
    } else {
      _ = try? socket.send(writer.bytes.span, isWaiting: false)
    }
    shutDown()
  }

  /// Closes both directions.
  func shutDown() {
    outgoing = nil
    socket.shutDown()
  }

  // MARK: The pipe

  /// Sends all written records with one end of a new pipe, into which everything goes from now on.
  ///
  /// Where the system has no pipe left, all stays on the socket.
  func flushOfferingPipe(until deadline: Int64) throws(SystemCallError) {
    let pipe = GrantPipe.make()
    try flush(until: deadline, offering: pipe?.readEnd)
    outgoing = pipe?.writeEnd
  }

  /// Prepares for a pipe that comes with the next record.
  func expectPipe() { expectsPipe = true }

  /// Reads from the pipe from now on, if one has come.
  func takePipe() {
    expectsPipe = false
    incoming = offered
    offered = nil
  }

  /// The node's end of the pipe; nil for none.
  var pipeDescriptor: Int32? { incoming?.rawValue }
}
