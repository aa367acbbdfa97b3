import Foundation
import Link
import LinkStore

/// An app's file that is being sent, read where it is until the transfer ends.
struct SourceFile: Sendable, Equatable {
  /// The path given by the app.
  let path: String
  /// Its stamp at the call.
  let stamp: Stamp

  /// Changes when a file is replaced or written.
  struct Stamp: Sendable, Equatable {
    var device: UInt64
    var inode: UInt64
    var byteCount: UInt64
    /// When its bytes were last changed: seconds since 1970, and nanoseconds.
    var seconds: Int64
    var nanoseconds: Int64
  }

  /// Why a file cannot be read any more.
  enum Problem: Error, Sendable, Equatable {
    /// No readable file has its name.
    case unreadable
    /// It was replaced, or its bytes were changed.
    case changed

    var text: String {
      switch self {
      case .unreadable: "is gone or cannot be read"
      case .changed: "was changed"
      }
    }
  }

  /// Reads exactly `count` bytes.
  ///
  /// - Throws: Why it is no longer the file of the call.
  func read(offset: UInt64, count: Int) throws(Problem) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadable }
    defer { close(descriptor) }
    guard Stamp(descriptor) == stamp else { throw .changed }
    var bytes: [UInt8] = []
    while bytes.count < count {
      var piece = [UInt8](repeating: 0, count: count - bytes.count)
      let filled = pread(descriptor, &piece, piece.count, Int(clamping: offset) + bytes.count)
      if filled > 0 {
        bytes += piece[..<filled]
      } else if filled == 0 {
        throw .changed
      } else if errno != EINTR {
        throw .unreadable
      }
    }
    // An app may write during the read.
    guard Stamp(descriptor) == stamp else { throw .changed }
    return bytes
  }

  /// Why it is no longer the file of the call; nil if it is.
  var problem: Problem? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return .unreadable }
    defer { close(descriptor) }
    return Stamp(descriptor) == stamp ? nil : .changed
  }

  // MARK: The mark that outlives the app

  /// The name of the mark, without the transfer.
  static let prefix = "source."

  /// The encoded mark.
  var mark: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendLittleEndian(stamp.device)
    bytes.appendLittleEndian(stamp.inode)
    bytes.appendLittleEndian(stamp.byteCount)
    bytes.appendLittleEndian(stamp.seconds)
    bytes.appendLittleEndian(stamp.nanoseconds)
    return bytes + Array(path.utf8)
  }
}

extension SourceFile {
  /// Decodes a mark; nil for invalid bytes.
  init?(mark: [UInt8]) {
    guard mark.count > 40 else { return nil }
    path = String(decoding: mark[40...], as: UTF8.self)
    stamp = Stamp(
      device: mark.littleEndian(UInt64.self, at: 0), inode: mark.littleEndian(UInt64.self, at: 8),
      byteCount: mark.littleEndian(UInt64.self, at: 16), seconds: mark.littleEndian(Int64.self, at: 24),
      nanoseconds: mark.littleEndian(Int64.self, at: 32))
  }
}

extension SourceFile.Stamp {
  /// The stamp of an open file; nil for anything but a regular file.
  init?(_ descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), byteCount: UInt64(status.st_size),
      seconds: Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec))
  }
}

/// The files of a device; outgoing ones are read where the app has them.
///
/// All copies share the same sources, guarded by the session's lock.
struct SourceFiles: FileBox {
  private var files: DiskFiles
  private let sources: Sources

  private final class Sources {
    var byTransfer: [Identifier: SourceFile] = [:]
    var unreadable: [(transfer: Identifier, file: SourceFile, problem: SourceFile.Problem)] = []
  }

  init(_ files: DiskFiles) {
    self.files = files
    sources = Sources()
  }

  /// The file of a transfer; nil for one that was copied, or is over.
  subscript(transfer: Identifier) -> SourceFile? {
    get { sources.byTransfer[transfer] }
    nonmutating set { sources.byTransfer[transfer] = newValue }
  }

  /// Removes and returns the next transfer with an unreadable file, if any.
  func takeUnreadable() -> (transfer: Identifier, file: SourceFile, problem: SourceFile.Problem)? {
    sources.unreadable.isEmpty ? nil : sources.unreadable.removeFirst()
  }

  mutating func carryOut(_ order: FileOrder) throws(StoreError) {
    if case .discardOutgoing(let transfer) = order { self[transfer] = nil }
    try files.carryOut(order)
  }

  /// Reads bytes of an outgoing file; zeros if the app's file has changed, which ``takeUnreadable()`` then reports: its
  /// transfer must be withdrawn.
  mutating func read(_ transfer: Identifier, offset: UInt64, count: Int) throws(StoreError) -> [UInt8] {
    guard let source = self[transfer] else { return try files.read(transfer, offset: offset, count: count) }
    do throws(SourceFile.Problem) { return try source.read(offset: offset, count: count) } catch {
      if !sources.unreadable.contains(where: { $0.transfer == transfer }) {
        sources.unreadable.append((transfer, source, error))
      }
      return [UInt8](repeating: 0, count: count)
    }
  }

  mutating func removeOrphans(isOwned: (Identifier) -> Bool) throws(StoreError) {
    try files.removeOrphans(isOwned: isOwned)
  }

  mutating func takeBack(_ transfer: Identifier) throws(StoreError) -> UInt64 { try files.takeBack(transfer) }
  func keptNames() throws(StoreError) -> [String] { try files.keptNames() }
}
