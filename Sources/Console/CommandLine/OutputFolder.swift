import Foundation
import Link
import LinkTransport

/// A folder for output files, created if missing.
package enum OutputFolder {
  /// Refuses an unusable folder before the work whose results it should receive.
  ///
  /// - Throws: ``Failure/input(_:)`` for an invalid path, ``Failure/environment(_:)`` for one that may not be written
  ///   to.
  package static func check(_ path: String) throws(Failure) {
    guard !path.isEmpty else { throw .input("error: found an empty name, expected a folder") }
    var folder = URL(filePath: FilePath.resolve(path, in: FileManager.default.currentDirectoryPath))
    var status = stat()
    // A missing folder is created in its nearest existing parent.
    while stat(folder.path(percentEncoded: false), &status) != 0 {
      guard errno == ENOENT, folder.pathComponents.count > 1 else { throw failure(path, errno) }
      folder.deleteLastPathComponent()
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw .input("\(path): error: found a file, expected a folder")
    }
    guard access(folder.path(percentEncoded: false), W_OK | X_OK) == 0 else { throw failure(path, errno) }
  }

  /// Creates it with its parent folders.
  ///
  /// - Throws: As ``check(_:)`` does, and if the system refuses.
  package static func make(_ path: String) throws(Failure) {
    try check(path)
    do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
      throw .environment("\(path): error: the folder cannot be made: \(error.systemText)")
    }
  }

  private static func failure(_ path: String, _ code: Int32) -> Failure {
    let message = "\(path): error: no file can be written there: \(SystemText.of(code))"
    return code == ENOTDIR || code == ENAMETOOLONG ? .input(message) : .environment(message)
  }
}

extension Error {
  /// The system's message, without the prefix.
  package var systemText: String {
    if let error = self as? POSIXError { return SystemText.of(error.code.rawValue) }
    if let cause = (self as? CocoaError)?.underlying as? POSIXError { return cause.systemText }
    return localizedDescription
  }
}

extension Arguments {
  /// Refuses to overwrite an input file, and to write two outputs into one file.
  ///
  /// - Parameter command: The command that declares the options.
  package func refuseOverlaps(for command: any Command.Type) throws(Failure) {
    var written: [(option: String, target: FileTarget)] = []
    for option in command.options where option.isWritten {
      guard let path = value(option.name), let target = FileTarget(path) else { continue }
      guard !operands.contains(where: { FileTarget($0) == target }) else {
        throw .input("\(option.name): found \"\(TerminalText.escape(path))\", which is read, expected another file")
      }
      if let other = written.first(where: { $0.target == target }) {
        throw .input(
          "\(option.name): found \"\(TerminalText.escape(path))\", which \(other.option) writes, expected another file")
      }
      written.append((option.name, target))
    }
  }
}

/// The file that a path leads to.
private enum FileTarget: Equatable {
  /// A file that exists.
  case file(device: dev_t, number: ino_t)
  /// One that does not exist yet, by its absolute path.
  case path(String)

  /// Nil for anything but a regular file: devices and pipes may be shared.
  init?(_ path: String) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      self = .file(device: status.st_dev, number: status.st_ino)
    } else {
      self = .path(FilePath.resolve(path, in: FileManager.default.currentDirectoryPath))
    }
  }
}
