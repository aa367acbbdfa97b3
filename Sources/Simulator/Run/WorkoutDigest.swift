import Foundation
import Link

/// Identifies the bytes of a run's workout file.
package enum WorkoutDigest {
  /// The member of a trace's header; older traces lack it.
  static let key = "workoutDigest"

  private static let chunkBytes = 1 << 20

  /// SHA-256 of a file as 64 hexadecimal digits; nil if it cannot be read.
  package static func text(ofFile path: String) -> String? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    var digest = SHA256Stream()
    do {
      while let chunk = try file.read(upToCount: chunkBytes), !chunk.isEmpty { digest.append([UInt8](chunk)) }
    } catch { return nil }
    return Digest.text(digest.finish())
  }

  /// The warning about a replay with another file than the trace's; nil if it is the same, or unknown.
  static func mismatch(_ header: TraceHeader, file path: String) -> String? {
    guard let recorded = header.extra(key)?.text, let found = text(ofFile: path), found != recorded else { return nil }
    return
      "\(TerminalText.escape(path)) is not the file that the run came from: found SHA-256 \(found.prefix(16))..., expected "
      + "\(TerminalText.escape(String(recorded.prefix(16))))..."
  }
}
