import Console
import Foundation
import Link
import LinkTransport

/// Copies a file through three processes that only copy and hash: the reference for file transfers.
///
/// The sender reads and hashes pieces of 128 KiB, a forwarder passes them on, the receiver hashes and writes them, and
/// returns its digest.
enum CopyLoop {
  private static let pieceBytes = 131_072

  /// - Parameter path: A file of `bytes` bytes.
  /// - Returns: The seconds from the first byte to the digest.
  static func seconds(path: String, bytes: Int) throws(Failure) -> Double {
    let folder = try BenchFolder.make()
    return try BareLoops.reporting { () throws(SystemCallError) in
      try BareChain.seconds(
        sender: ["copy-sender", path], receiver: ["copy-receiver", "\(bytes)", "\(folder.path)/copy"])
    }
  }

  /// The sender, on descriptor 3; starts on a byte on descriptor 4.
  static func send(_ path: String) throws(Failure) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .environment("bench: \(path) cannot be read") }
    defer { close(file) }
    try BareChain.begin { (end) throws(Failure) in
      var stream = SHA256Stream()
      var piece = [UInt8](repeating: 0, count: pieceBytes)
      while true {
        let count = read(file, &piece, pieceBytes)
        guard count > 0 else { break }
        stream.append(piece[..<count])
        try BareLoops.reporting { () throws(SystemCallError) in
          if count == pieceBytes { try end.send(piece) } else { try end.send(Array(piece[..<count])) }
        }
      }
      let answer = try BareLoops.reporting { () throws(SystemCallError) in
        try end.receiveSome().map { [UInt8]($0) } ?? []
      }
      guard answer == stream.finish() else { throw .environment("bench: the copy is not the file") }
    }
  }

  /// The receiver, on descriptor 3.
  static func receive(_ bytes: Int, to path: String) throws(Failure) {
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .environment("bench: \(path) cannot be written") }
    defer { close(file) }
    let end = BareEnd(SocketDescriptor(adopting: 3))
    try BareLoops.reporting { () throws(SystemCallError) in
      try end.send([1])
      var stream = SHA256Stream()
      var left = bytes
      while left > 0 {
        guard let piece = try end.receiveSome() else { return }
        stream.append(piece)
        var rest = piece
        while !rest.isEmpty {
          let count = rest.withContiguousStorageIfAvailable { write(file, $0.baseAddress, $0.count) } ?? 0
          guard count > 0 else { throw SystemCallError("write", errno) }
          rest = rest.dropFirst(count)
        }
        left -= piece.count
      }
      try end.send(stream.finish())
      // The sender ends first.
      _ = try end.receive(atLeast: 1)
    }
  }
}
