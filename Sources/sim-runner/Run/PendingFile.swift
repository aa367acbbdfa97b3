import CSystem
import Foundation
import Link
import LinkTransport

/// The file in which an output waits until it is complete.
///
/// Its name is random, and it is made, never opened: where anybody may write, a planted link or file under that name
/// would lead the output elsewhere. What a killed process left in the folder is removed first.
enum PendingFile {
  private static let prefix = ".\(Leftovers.prefix)"
  private static let suffix = ".partial"

  /// Makes one.
  ///
  /// - Parameters:
  ///   - final: What it will replace by a rename: so it is in the same folder.
  ///   - existing: What is there already and passes on its owner and permissions; nil for nothing.
  /// - Returns: A descriptor that holds the file's lock, and its path; -1 with `errno` set where none can be made.
  static func make(beside final: String, replacing existing: stat?) -> (descriptor: Int32, path: String) {
    let slash = final.lastIndex(of: "/")
    let folder = slash.map { $0 == final.startIndex ? "/" : String(final[..<$0]) } ?? "."
    Leftovers.sweep(folder, prefix: prefix, suffix: suffix, kind: S_IFREG)
    while true {
      var random = [UInt8](repeating: 0, count: 16)
      let status = cs_random(&random, random.count)
      guard status == 0 else {
        errno = -status
        return (-1, "")
      }
      let path = "\(folder)/\(prefix)\(Digest.text(random).prefix(32))\(suffix)"
      // Of a file that others may not read no byte is readable on the way either.
      let descriptor = open(
        path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, existing == nil ? 0o666 : 0o600)
      if descriptor < 0, errno == EEXIST { continue }
      guard descriptor >= 0 else { return (-1, "") }
      guard Leftovers.claim(descriptor) else {
        close(descriptor)
        continue
      }
      if let existing { adopt(existing, descriptor) }
      return (descriptor, path)
    }
  }

  /// Gives the new file the owner, the group and the permissions of the one that it replaces.
  ///
  /// A group that cannot be kept loses its permissions: they were meant for another one.
  private static func adopt(_ existing: stat, _ descriptor: Int32) {
    var mode = existing.st_mode & 0o777
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_uid != existing.st_uid {
      _ = fchown(descriptor, existing.st_uid, gid_t.max)
    }
    if status.st_gid != existing.st_gid, fchown(descriptor, uid_t.max, existing.st_gid) != 0 { mode &= ~0o070 }
    _ = fchmod(descriptor, mode)
  }
}
