import CSystem
import Foundation
import LinkTransport

/// A file that is written to: it appears when it is complete, and not before.
///
/// The bytes wait in a file beside it with an unpredictable name (``PendingFile``). A file that exists keeps its
/// permissions. What is no regular file (a pipe, `/dev/stdout`) is written to directly.
final class OutputFile {
  /// What is written.
  enum What: String {
    case trace, report, export, scenario, results, coverage
  }

  let what: What
  /// As the user gave it.
  let path: String
  private let descriptor: Int32
  /// Where the bytes wait for the last one, and what they replace then; nil for what is written directly.
  private var pending: (temporary: String, final: String)?

  /// Opens it.
  ///
  /// - Parameter missingFolderIsInput: Whether a path that leads nowhere is the user's mistake, and not the
  ///   environment's.
  /// - Throws: ``Failure/input(_:)`` for a path that leads nowhere, ``Failure/environment(_:)`` for one that may not
  ///   be written.
  init(_ path: String, as what: What, missingFolderIsInput: Bool = true) throws(Failure) {
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
      // Through a link, so that the file is replaced and not the link.
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

  /// Writes all of some bytes.
  func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      rest = rest.dropFirst(written)
    }
  }

  /// Puts the file where it belongs: nothing more is written.
  func commit() throws(Failure) {
    guard let pending else { return }
    guard rename(pending.temporary, pending.final) == 0 else {
      throw .environment(
        "\(path): error: the \(what.rawValue) cannot be put there: \(SystemText.of(errno))")
    }
    self.pending = nil
  }
}
