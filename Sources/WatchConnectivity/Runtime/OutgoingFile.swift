import Foundation
import Link
import Synchronization

/// A copy of a file that is to be sent: from the call on, what becomes of the original is of no matter.
struct OutgoingFile {
  private static let count = Atomic<Int>(0)
  private let path: String
  let byteCount: Int64
  /// The SHA-256 of its bytes.
  let digest: [UInt8]

  /// Copies a file; nil where it cannot be read, or is none.
  ///
  /// - Parameter folder: The device's; nil while it has none.
  init?(_ url: URL, folder: String?) {
    guard let folder, url.isFileURL, let source = FileHandle(forReadingAtPath: url.path) else { return nil }
    defer { try? source.close() }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), !isFolder.boolValue else {
      return nil
    }
    // Whatever a crash leaves under such a name is removed at the next start.
    path = "\(folder)/outgoing/\(Self.count.add(1, ordering: .relaxed).newValue).new"
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let target = FileHandle(forWritingAtPath: path)
    else { return nil }
    defer { try? target.close() }
    var digest = SHA256Stream()
    var count: Int64 = 0
    do {
      while let piece = try source.read(upToCount: 1 << 17), !piece.isEmpty {
        try target.write(contentsOf: piece)
        digest.append([UInt8](piece))
        count += Int64(piece.count)
      }
    } catch {
      try? FileManager.default.removeItem(atPath: path)
      return nil
    }
    byteCount = count
    self.digest = digest.finish()
  }

  /// Gives it its final name; false where that cannot be done.
  func move(to target: String) -> Bool { rename(path, target) == 0 }

  func discard() { try? FileManager.default.removeItem(atPath: path) }
}
