import Foundation
import Link

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
