import CSystem
import Foundation
import Link
import LinkTransport

/// The temporary file of an incomplete output.
///
/// Its name is random, and it is created, never opened: in a shared folder a planted link or file under that name would
/// redirect the output. Leftovers of killed processes in the folder are removed first.
enum PendingFile {
  private static let prefix = ".\(Leftovers.prefix)"
  private static let suffix = ".partial"

  /// Creates one.
  ///
  /// - Parameters:
  ///   - final: The file that it will replace by a rename, so it is in the same folder.
  ///   - existing: The replaced file's status, for owner and permissions; nil for a new file.
  /// - Returns: A descriptor that holds the file's lock, and its path; -1 with `errno` set on failure.
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
      // A file that others may not read must not be readable in the meantime either.
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

  /// Applies the owner, group and permissions of the replaced file.
  ///
  /// A group that cannot be set loses its permissions, which were meant for another group.
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
