import Foundation
import Link
import Synchronization

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
