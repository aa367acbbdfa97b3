import Benchmark
import Console
import Link

extension BenchPeerCommand {
  /// Plays a part in the measurements of queues and files; nil if the part is another's.
  ///
  /// - Parameters:
  ///   - numbers: The numeric operands after the part.
  ///   - operands: All operands, the part first.
  static func transfer(_ part: String, _ numbers: [Int], _ operands: [String]) throws(Failure) -> Int32? {
    switch (part, operands.count, numbers.count) {
    case ("send-events", 3, 2):
      return try TransferPeer.run(.events(numbers[0], inFlight: numbers[1]), as: .watch)
    case ("send-backlog", 2, 1): return try TransferPeer.run(.backlog(numbers[0]), as: .watch)
    case ("send-file", 2, 1):
      return try TransferPeer.run(.file(TransferPeer.offer(byteCount: numbers[0])), as: .watch)
    case ("receive", 1, 0): return try TransferPeer.run(.sink, as: .phone)
    case ("queue-sender", 4, 2): try QueueLoop.send(numbers[0], inFlight: numbers[1], in: operands[3])
    case ("queue-receiver", 2, 0): try QueueLoop.receive(in: operands[1])
    case ("copy-sender", 2, 0): try CopyLoop.send(operands[1])
    case ("copy-receiver", 3, 1): try CopyLoop.receive(numbers[0], to: operands[2])
    case ("peaks", 3, 1):
      try TransferPeer.reportPeaks(operands[1] == "file" ? .file(numbers[0]) : .backlog(numbers[0]))
    default: return nil
    }
    return 0
  }
}
