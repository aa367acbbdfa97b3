import Foundation
import Link

extension Arguments {
  /// Refuses to write over a file that is read, and to write two things into one file.
  ///
  /// - Parameter command: Whose options they are.
  func keepApart(for command: any Command.Type) throws(Failure) {
    var written: [(option: String, place: FilePlace)] = []
    for option in command.options where option.isWritten {
      guard let path = value(option.name), let place = FilePlace(path) else { continue }
      guard !operands.contains(where: { FilePlace($0) == place }) else {
        throw .input("\(option.name): found \"\(TerminalText.escape(path))\", which is read, expected another file")
      }
      if let other = written.first(where: { $0.place == place }) {
        throw .input(
          "\(option.name): found \"\(TerminalText.escape(path))\", which \(other.option) writes, expected another file")
      }
      written.append((option.name, place))
    }
  }
}

/// Where a path leads, whatever it is called.
private enum FilePlace: Equatable {
  /// A file that exists.
  case file(device: dev_t, number: ino_t)
  /// One that does not yet, by its absolute path.
  case path(String)

  /// Nil for what is no regular file: a device or a pipe takes what comes.
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
