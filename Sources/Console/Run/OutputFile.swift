import CSystem
import Foundation
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
