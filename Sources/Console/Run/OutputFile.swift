import CSystem
import Foundation
import Link
import LinkTransport

/// An output file that appears only when it is complete.
///
/// The bytes go to a file beside it with an unpredictable name (``PendingFile``). An existing file keeps its
/// permissions. Anything but a regular file (a pipe, `/dev/stdout`) is written to directly.
package final class OutputFile {
  package enum What: String {
    case trace, report, export, scenario, results, coverage, bundle
  }

  let what: What
  /// As the user gave it.
  package let path: String
  private let descriptor: Int32
  /// The pending file and the file that it will replace; nil for direct writes.
  private var pending: (temporary: String, final: String)?

  /// Opens it.
  ///
  /// - Parameter missingFolderIsInput: Whether an invalid path is the user's mistake, and not the environment's.
  /// - Throws: ``Failure/input(_:)`` for an invalid path, ``Failure/environment(_:)`` for one that may not be written.
  package init(_ path: String, as what: What, missingFolderIsInput: Bool = true) throws(Failure) {
    self.what = what
    self.path = path
    guard path != "-" else {
      throw .input(
        "found \"-\", expected a file for the \(what.rawValue): /dev/stdout is standard output, ./- a file of that name"
      )
    }
    var status = stat()
    let exists = stat(path, &status) == 0
    let kind = status.st_mode & S_IFMT
    if path.isEmpty || exists && kind == S_IFDIR {
      throw .input(
        "\(path): error: found \(path.isEmpty ? "an empty name" : "a folder"), expected a file for the \(what.rawValue)"
      )
    }
    if exists, kind != S_IFREG {
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
    } else {
      // Resolves links, so that the file is replaced and not the link.
      let final = exists ? URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false) : path
      let made = PendingFile.make(beside: final, replacing: exists ? status : nil)
      descriptor = made.descriptor
      if descriptor >= 0 { pending = (made.path, final) }
    }
    guard descriptor >= 0 else {
      let code = errno
      let message = "\(path): error: the \(what.rawValue) cannot be written: \(SystemText.of(code))"
      let leadsNowhere = code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG
      throw leadsNowhere && missingFolderIsInput ? .input(message) : .environment(message)
    }
  }

  deinit {
    if let pending { unlink(pending.temporary) }
    if descriptor >= 0 { close(descriptor) }
  }

  /// Opens it if it is named; nil if it is not.
  package convenience init?(named path: String?, as what: What) throws(Failure) {
    guard let path else { return nil }
    try self.init(path, as: what)
  }

  package func write(_ bytes: [UInt8]) throws {
    let code = DescriptorOutput.writeAll(bytes, to: descriptor)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
  }

  /// Writes bytes.
  ///
  /// - Parameter noun: Names the contents in the error; nil for the kind of file.
  package func put(_ bytes: [UInt8], _ noun: String? = nil) throws(Failure) {
    do { try write(bytes) } catch {
      throw .environment("\(path): error: the \(noun ?? what.rawValue) cannot be written: \(error.systemText)")
    }
  }

  /// Writes the last bytes, and moves the file to its final name.
  package func finish(_ bytes: [UInt8], _ noun: String? = nil) throws(Failure) {
    try put(bytes, noun)
    try commit()
  }

  /// Moves the file to its final name; nothing more is written.
  package func commit() throws(Failure) {
    guard let pending else { return }
    guard rename(pending.temporary, pending.final) == 0 else {
      throw .environment(
        "\(path): error: the \(what.rawValue) cannot be put there: \(SystemText.of(errno))")
    }
    self.pending = nil
  }
}

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
