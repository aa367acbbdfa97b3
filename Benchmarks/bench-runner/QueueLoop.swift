import TraceTools
import Console
import Foundation
import Link
import LinkStore
import LinkTransport

/// Events through three processes that do only the necessary work: the reference for queues.
///
/// The sender commits a row for each event and sends it, a forwarder passes it on, the receiver commits a row and
/// acknowledges, and the sender deletes its row with its next commit. Each side has one transaction for the content of
/// one read.
enum QueueLoop {
  /// Before the payload: the number, u64.
  private static let headBytes = 8
  private static let messageBytes = headBytes + TransferNode.payloadBytes

  /// - Returns: The seconds from the first event to the last acknowledgement.
  static func seconds(events: Int, inFlight: Int) throws(Failure) -> Double {
    let folders = (sender: try BenchFolder.make(), receiver: try BenchFolder.make())
    return try BareLoops.reporting { () throws(SystemCallError) in
      try BareChain.seconds(
        sender: ["queue-sender", "\(events)", "\(inFlight)", folders.sender.path],
        receiver: ["queue-receiver", folders.receiver.path])
    }
  }

  /// The sender, on descriptor 3; starts on a byte on descriptor 4.
  static func send(_ events: Int, inFlight: Int, in folder: String) throws(Failure) {
    let queue = try BareLoops.storing { () throws(StoreError) in
      try RawLoops.Queue(folder: folder, durability: .normal)
    }
    try BareChain.begin { (end) throws(Failure) in
      let payload = [UInt8](repeating: 7, count: TransferNode.payloadBytes)
      var done = 0
      var sent = 0
      var confirmed = 0
      var rest = 0
      var block: [UInt8] = []
      while confirmed < events {
        let fresh = min(events, confirmed + inFlight) - sent
        try BareLoops.storing { () throws(StoreError) in
          try queue.replaceRows(removing: confirmed - done, inserting: fresh, payload: payload)
        }
        done = confirmed
        block.removeAll(keepingCapacity: true)
        for _ in 0..<fresh {
          sent += 1
          block.append(contentsOf: PcapngBlock.bytes(UInt64(sent)))
          block.append(contentsOf: payload)
        }
        try BareLoops.reporting { () throws(SystemCallError) in
          if !block.isEmpty { try end.send(block) }
          guard let bytes = try end.receiveSome() else { throw SystemCallError("recv", ECONNRESET) }
          rest += bytes.count
        }
        confirmed += rest / headBytes
        rest %= headBytes
      }
      try BareLoops.storing { () throws(StoreError) in
        try queue.replaceRows(removing: confirmed - done, inserting: 0, payload: payload)
      }
    }
  }

  /// The receiver, on descriptor 3.
  static func receive(in folder: String) throws(Failure) {
    let queue = try BareLoops.storing { () throws(StoreError) in
      try RawLoops.Queue(folder: folder, durability: .normal)
    }
    let end = BareEnd(SocketDescriptor(adopting: 3))
    try BareLoops.reporting { () throws(SystemCallError) in try end.send([1]) }
    let payload = [UInt8](repeating: 7, count: TransferNode.payloadBytes)
    var rest = 0
    while true {
      let came = try BareLoops.reporting { () throws(SystemCallError) in try end.receiveSome()?.count }
      guard let came else { return }
      rest += came
      let count = rest / messageBytes
      rest %= messageBytes
      guard count > 0 else { continue }
      try BareLoops.storing { () throws(StoreError) in
        try queue.replaceRows(removing: 0, inserting: count, payload: payload)
      }
      try BareLoops.reporting { () throws(SystemCallError) in
        try end.send([UInt8](repeating: 0, count: count * headBytes))
      }
    }
  }
}

/// A sender, a forwarder and a receiver in processes of their own.
enum BareChain {
  /// - Returns: The seconds from the sender's start to its end, once all are running.
  static func seconds(sender: [String], receiver: [String]) throws(SystemCallError) -> Double {
    let near = try BarePair()
    let far = try BarePair()
    let control = try BarePair()
    let last = try BarePeer.child(receiver, [far.second])
    let middle = try BarePeer.child(["forward"], [near.second, far.first])
    let first = try BarePeer.child(sender, [near.first, control.second])
    near.closeBoth()
    far.closeBoth()
    control.closeSecond()
    let end = BareEnd(control.transferFirst())
    guard try end.receive(atLeast: 1) > 0 else { throw SystemCallError("recv", ECONNRESET) }
    let begin = ContinuousClock.now
    try end.send([1])
    guard try end.receive(atLeast: 1) > 0 else { throw SystemCallError("recv", ECONNRESET) }
    let seconds = begin.secondsSince
    for child in [first, middle, last] { child.finish(graceSeconds: 1) }
    return seconds
  }

  /// The sender's side: waits for the receiver, reports on descriptor 4, waits for the start, and reports the end.
  static func begin(_ body: (BareEnd) throws(Failure) -> Void) throws(Failure) {
    let end = BareEnd(SocketDescriptor(adopting: 3))
    let control = BareEnd(SocketDescriptor(adopting: 4))
    try BareLoops.reporting { () throws(SystemCallError) in
      guard try end.receive(atLeast: 1) > 0 else { throw SystemCallError("recv", ECONNRESET) }
      try control.send([1])
      guard try control.receive(atLeast: 1) > 0 else { throw SystemCallError("recv", ECONNRESET) }
    }
    try body(end)
    try BareLoops.reporting { () throws(SystemCallError) in try control.send([1]) }
  }
}
