import Foundation
import Link
import Synchronization

/// Links a transfer's object to the session's queue.
final class TransferTicket: Sendable {
  /// A transfer's location in its queue.
  struct Place: Sendable {
    var lane: Lane
    var seq: SequenceNumber
    var transfer: Identifier
  }

  private struct State {
    var place: Place?
    var isTransferring = false
    var isCurrentComplication = false
  }

  private let state = Mutex(State())
  private weak let runtime: SessionRuntime?

  /// The ticket of a transfer that is not queued (yet).
  init(_ runtime: SessionRuntime? = nil) { self.runtime = runtime }

  /// Its location; nil for one that was refused.
  var place: Place? { state.withLock { $0.place } }
  var isTransferring: Bool { state.withLock { $0.isTransferring } }
  var isCurrentComplication: Bool { state.withLock { $0.isCurrentComplication } }

  func begin(_ place: Place) {
    state.withLock {
      $0.place = place
      $0.isTransferring = true
    }
  }

  func end() {
    state.withLock {
      $0.isTransferring = false
      $0.isCurrentComplication = false
    }
  }

  func setCurrentComplication(_ isCurrent: Bool) { state.withLock { $0.isCurrentComplication = isCurrent } }

  func cancel() {
    guard isTransferring, let place else { return }
    runtime?.cancel(place)
  }
}

/// A finished transfer whose end was not reported to the app yet.
struct TransferResult: Sendable {
  var lane: Lane
  /// The former entry of the outbox.
  var entry: QueueEntry
  /// Why it failed; nil if it did not.
  var error: SessionError?

  /// The name of its mark.
  var key: String { "\(Self.prefix)\(entry.transfer.text)" }
  static let prefix = "result."

  /// Stores it until the app was notified.
  var mark: KeyedChange {
    var bytes: [UInt8] = [lane.rawValue, entry.flags.rawValue]
    let error = Array((error?.rawValue ?? "").utf8)
    bytes.append(UInt8(error.count))
    bytes += error
    bytes += entry.seq.bytes + entry.payload
    return .set(key: key, bytes)
  }
}

extension TransferResult {
  /// Reads a mark; nil for an invalid one.
  init?(key: String, _ bytes: [UInt8]) {
    guard key.hasPrefix(Self.prefix), let transfer = Identifier(text: key.dropFirst(Self.prefix.count)),
      bytes.count >= 11, let lane = Lane(rawValue: bytes[0]), bytes.count >= 11 + Int(bytes[2])
    else { return nil }
    let end = 3 + Int(bytes[2])
    error = SessionError(rawValue: String(decoding: bytes[3..<end], as: UTF8.self))
    self.lane = lane
    entry = QueueEntry(
      transfer: transfer, lane: lane, seq: SequenceNumber(bytes.littleEndian(UInt64.self, at: end)),
      flags: Frame.Flags(rawValue: bytes[1]), payload: Array(bytes[(end + 8)...]))
  }
}

/// A file to be sent, as it was at the call.
struct OutgoingFile {
  private static let count = Atomic<Int>(0)
  let byteCount: Int64
  /// The SHA-256 of its bytes.
  let digest: [UInt8]
  /// The original, to be read where it is; nil if there is a copy.
  let source: SourceFile?
  /// The path of the copy; nil if there is none.
  private let copy: String?

  /// Reads a file; nil if it is unreadable or no regular file.
  ///
  /// - Parameters:
  ///   - folder: The device's; nil while it has none.
  ///   - copies: Whether to copy it, so that the original is no longer needed.
  init?(_ url: URL, folder: String?, copies: Bool) {
    guard let folder, url.isFileURL, let original = FileHandle(forReadingAtPath: url.path) else { return nil }
    defer { try? original.close() }
    guard let stamp = SourceFile.Stamp(original.fileDescriptor) else { return nil }
    var target: FileHandle?
    if copies {
      // Leftovers of a crash under such a name are removed at the next start.
      let path = "\(folder)/outgoing/\(Self.count.add(1, ordering: .relaxed).newValue).new"
      guard FileManager.default.createFile(atPath: path, contents: nil) else { return nil }
      target = FileHandle(forWritingAtPath: path)
      guard target != nil else { return nil }
      (copy, source) = (path, nil)
    } else {
      (copy, source) = (nil, SourceFile(path: url.path, stamp: stamp))
    }
    defer { try? target?.close() }
    var digest = SHA256Stream()
    var count: Int64 = 0
    do {
      while let piece = try original.read(upToCount: 1 << 17), !piece.isEmpty {
        try target?.write(contentsOf: piece)
        digest.append([UInt8](piece))
        count += Int64(piece.count)
      }
    } catch {
      if let copy { try? FileManager.default.removeItem(atPath: copy) }
      return nil
    }
    byteCount = count
    self.digest = digest.finish()
  }

  /// Moves the copy, if any, to its final name; false on failure.
  func moveCopy(to target: String) -> Bool { copy.map { rename($0, target) == 0 } ?? true }

  func discardCopy() {
    if let copy { try? FileManager.default.removeItem(atPath: copy) }
  }
}
