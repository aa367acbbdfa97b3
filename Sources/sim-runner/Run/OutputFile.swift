import Foundation

/// A file that is written to: it appears when it is complete, and not before.
///
/// What is no regular file (a pipe, `/dev/stdout`) is written to directly.
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
  /// - Throws: ``Failure/input(_:)`` for a path that leads nowhere, ``Failure/environment(_:)`` for one that may not
  ///   be written.
  init(_ path: String, as what: What) throws(Failure) {
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
      let temporary = "\(final).\(getpid()).partial"
      pending = (temporary, final)
      descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    }
    guard descriptor >= 0 else {
      let (code, text) = (errno, String(cString: strerror(errno)))
      pending = nil
      let message = "\(path): error: the \(what.rawValue) cannot be written: \(text)"
      throw code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG ? .input(message) : .environment(message)
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if let pending { unlink(pending.temporary) }
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
        "\(path): error: the \(what.rawValue) cannot be put there: \(String(cString: strerror(errno)))")
    }
    self.pending = nil
  }
}
