import Simulator
import Foundation
import Link
import LinkStore
import LinkTransport

/// The limits of this machine's sockets and scheduler without our own logic: the reference for the ratios of `bench`,
/// measured in the same run.
///
/// The other ends are processes of their own (`bench-peer`), like the nodes of a run. For figures of one
/// processor, pin this process before; children inherit the affinity.
enum BareLoops {
  /// The sizes of the two messages of a round trip in bytes, at least 8 each.
  struct RoundTrip: Sendable, Equatable {
    /// From the conductor to the node.
    var grantBytes: Int
    /// From the node to the conductor.
    var answerBytes: Int
  }

  /// The result of a lock-step loop.
  struct LockStepFigures: Sendable {
    /// How often every node was granted and answered.
    var ticks: Int
    /// Wall time of all of them.
    var seconds: Double
    var ticksPerSecond: Double { Double(ticks) / seconds }
  }

  /// Grants one tick after the other to nodes that only answer, with joined writes.
  ///
  /// - Parameters:
  ///   - nodes: One round trip a tick with each.
  ///   - keepsRows: Whether a node commits a row of SQLite before each answer, as a device keeps what happened.
  static func lockStep(
    ticks: Int, nodes: [RoundTrip], keepsRows: Bool = false
  ) throws(SystemCallError) -> LockStepFigures {
    var peers: [BarePeer] = []
    let folder = try TemporaryDirectory(in: StateFolder.memoryRoot)
    for index in nodes.indices {
      let path = "\(folder.path)/\(index)"
      if keepsRows, mkdir(path, 0o700) != 0 { throw SystemCallError("mkdir", errno, on: path) }
      peers.append(try BarePeer(keepsRows ? ["answer-kept", path] : ["answer"]))
    }
    var grants = nodes.map { BareMessage.grant(bytes: $0.grantBytes, answerBytes: $0.answerBytes) }
    // The first round trip waits until the processes are running.
    for (peer, grant) in zip(peers, grants) { try peer.exchange(grant) }
    let begin = DispatchTime.now().uptimeNanoseconds
    for tick in 0..<ticks {
      for index in peers.indices {
        grants[index][8 % grants[index].count] = UInt8(truncatingIfNeeded: tick)
        try peers[index].exchange(grants[index])
      }
    }
    let end = DispatchTime.now().uptimeNanoseconds
    for peer in peers { peer.finish() }
    return LockStepFigures(ticks: ticks, seconds: Double(end - begin) / 1e9)
  }

  /// Answers each message on descriptor 3 with one of the requested size.
  ///
  /// - Parameter folder: Where to commit a row before each answer; nil to keep nothing.
  static func answer(keepingRowsIn folder: String?) throws(SystemCallError) {
    let end = BareEnd(SocketDescriptor(adopting: 3))
    do {
      let rows = try folder.map { try RawLoops.Queue(folder: $0, durability: .normal) }
      let payload = [UInt8](repeating: 7, count: 64)
      var answer: [UInt8] = []
      while let message = try end.receiveMessage() {
        try rows?.insertRows(1, batch: 1, payload: payload)
        if answer.count != message.answerBytes {
          answer = BareMessage.grant(bytes: message.answerBytes, answerBytes: BareMessage.headBytes)
        }
        try end.send(answer)
      }
    } catch {
      throw error as? SystemCallError ?? SystemCallError("commit a row", EIO)
    }
  }

  /// Sends messages through a process that forwards them, one write for each read.
  ///
  /// - Parameters:
  ///   - messages: Number of messages.
  ///   - bytes: Size of each.
  /// - Returns: Messages a second, one way.
  static func forward(messages: Int, bytes: Int) throws(SystemCallError) -> Double {
    let near = try BarePair()
    let far = try BarePair()
    let producer = try BarePeer.child(["produce", "\(messages)", "\(bytes)"], [far.second])
    let forwarder = try BarePeer.child(["forward"], [near.second, far.first])
    near.closeSecond()
    far.closeBoth()
    let consumer = BareEnd(near.transferFirst())
    // One byte through the whole chain and back: all processes are running, and the producer starts.
    try consumer.send([1])
    _ = try consumer.receive(atLeast: 1)
    let begin = DispatchTime.now().uptimeNanoseconds
    try consumer.send([1])
    _ = try consumer.receive(atLeast: messages * bytes)
    let end = DispatchTime.now().uptimeNanoseconds
    consumer.shutDown()
    producer.finish(graceSeconds: 1)
    forwarder.finish(graceSeconds: 1)
    return Double(messages) / (Double(end - begin) / 1e9)
  }

  /// Sends messages one at a time through a forwarder to a process that echoes them.
  ///
  /// - Returns: The mean duration of a round trip, in nanoseconds.
  static func forwardLatency(roundTrips: Int, bytes: Int) throws(SystemCallError) -> Double {
    let near = try BarePair()
    let far = try BarePair()
    let echo = try BarePeer.child(["answer"], [far.second])
    let forwarder = try BarePeer.child(["forward"], [near.second, far.first])
    near.closeSecond()
    far.closeBoth()
    let end = BareEnd(near.transferFirst())
    let message = BareMessage.grant(bytes: bytes, answerBytes: bytes)
    var sum: UInt64 = 0
    let warmUp = 100
    for trip in 0..<warmUp + roundTrips {
      let begin = DispatchTime.now().uptimeNanoseconds
      try end.send(message)
      _ = try end.receive(atLeast: bytes)
      if trip >= warmUp { sum += DispatchTime.now().uptimeNanoseconds - begin }
    }
    end.shutDown()
    echo.finish(graceSeconds: 1)
    forwarder.finish(graceSeconds: 1)
    return Double(sum) / Double(roundTrips)
  }
}

/// A message of the bare loops: its size, the size of the wanted answer, both u32 little-endian, then padding.
enum BareMessage {
  /// The size of the header.
  static let headBytes = 8

  /// A message that asks for an answer.
  static func grant(bytes: Int, answerBytes: Int) -> [UInt8] {
    precondition(bytes >= headBytes && answerBytes >= headBytes, "\(bytes) and \(answerBytes) bytes")
    var message = [UInt8](repeating: 0, count: bytes)
    var head = message.mutableSpan
    head.store(UInt32(bytes).littleEndian, at: 0)
    head.store(UInt32(answerBytes).littleEndian, at: 4)
    return message
  }
}

/// One end of a connection of the bare loops, with a reused read buffer.
final class BareEnd {
  private let socket: SocketDescriptor
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)

  init(_ socket: consuming SocketDescriptor) { self.socket = socket }

  func send(_ bytes: [UInt8]) throws(SystemCallError) { try send(bytes[...]) }

  func send(_ bytes: ArraySlice<UInt8>) throws(SystemCallError) {
    var sent = 0
    while sent < bytes.count { sent += try socket.send(bytes.span.extracting(sent...)) }
  }

  /// Reads what is available to the buffer, from an index on; 0 if the other end closed.
  private func fill(from start: Int = 0) throws(SystemCallError) -> Int {
    // As a local variable, because a span of a property cannot outlive one access to it.
    var room: [UInt8] = []
    swap(&room, &buffer)
    defer { swap(&room, &buffer) }
    var all = room.mutableSpan
    var space = all._mutatingExtracting(start...)
    return try socket.receive(into: &space)
  }

  /// Reads and drops at least `wanted` bytes.
  ///
  /// - Returns: How many were read, 0 if the other end closed.
  func receive(atLeast wanted: Int) throws(SystemCallError) -> Int {
    var count = 0
    while count < wanted {
      let piece = try fill()
      if piece == 0 { return 0 }
      count += piece
    }
    return count
  }

  /// Reads what is available; nil if the other end closed.
  ///
  /// The slice must be gone before the next read, or that read copies the buffer.
  func receiveSome() throws(SystemCallError) -> ArraySlice<UInt8>? {
    let count = try fill()
    return count == 0 ? nil : buffer[..<count]
  }

  /// Reads one ``BareMessage``; nil if the other end closed.
  func receiveMessage() throws(SystemCallError) -> (bytes: Int, answerBytes: Int)? {
    var count = 0
    var length = BareMessage.headBytes
    while count < length {
      let piece = try fill(from: count)
      if piece == 0 { return nil }
      count += piece
      if count >= BareMessage.headBytes { length = size(at: 0) }
      guard length <= buffer.count else { throw SystemCallError("recv", EMSGSIZE) }
    }
    return (length, size(at: 4))
  }

  /// A size in the header of a ``BareMessage``.
  private func size(at offset: Int) -> Int {
    buffer[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  func shutDown() { socket.shutDown() }
}

/// Two connected sockets, one or both of which go to children.
final class BarePair {
  private(set) var first: Int32
  private(set) var second: Int32

  init() throws(SystemCallError) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemCallError("socketpair", errno) }
    first = ends[0]
    second = ends[1]
  }

  deinit { closeBoth() }

  /// Transfers ownership of the first end.
  func transferFirst() -> SocketDescriptor {
    defer { first = -1 }
    return SocketDescriptor(adopting: first)
  }

  func closeSecond() {
    if second >= 0 { close(second) }
    second = -1
  }

  func closeBoth() {
    closeSecond()
    if first >= 0 { close(first) }
    first = -1
  }
}

/// A process that answers.
final class BarePeer {
  private let process: ChildProcess
  private let end: BareEnd

  init(_ words: [String]) throws(SystemCallError) {
    let pair = try BarePair()
    process = try Self.child(words, [pair.second])
    pair.closeSecond()
    end = BareEnd(pair.transferFirst())
  }

  /// Starts `bench-peer` with descriptors 3 and up.
  static func child(_ words: [String], _ descriptors: [Int32]) throws(SystemCallError) -> ChildProcess {
    try ChildProcess([ProcessRun.ownPath, BenchPeerCommand.name] + words, descriptors: descriptors)
  }

  /// One round trip.
  func exchange(_ grant: [UInt8]) throws(SystemCallError) {
    try end.send(grant)
    guard try end.receiveMessage() != nil else { throw SystemCallError("recv", ECONNRESET) }
  }

  func finish() {
    end.shutDown()
    process.finish(graceSeconds: 1)
  }
}
