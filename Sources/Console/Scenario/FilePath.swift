import Foundation
import Link
import LinkTransport

/// Paths in a scenario.
package enum FilePath {
  /// The absolute path of a file that may be named relative to a folder.
  package static func resolve(_ path: String, in folder: String) -> String {
    URL(filePath: path, relativeTo: URL(filePath: folder, directoryHint: .isDirectory)).standardizedFileURL.path()
      .removingPercentEncoding ?? path
  }

  /// The absolute path of a file's folder.
  package static func folder(of path: String) -> String {
    URL(filePath: path).deletingLastPathComponent().path().removingPercentEncoding ?? "."
  }

  /// A path relative to a folder if the two share more than the root; otherwise unchanged.
  ///
  /// Both are absolute.
  package static func relative(_ path: String, to folder: String) -> String {
    let (to, from) = (path.split(separator: "/"), folder.split(separator: "/"))
    var common = 0
    while common < min(to.count - 1, from.count), to[common] == from[common] { common += 1 }
    // A path that shares only the root stays absolute.
    guard common > 0 else { return path }
    return ([Substring](repeating: "..", count: from.count - common) + to[common...]).joined(separator: "/")
  }

  /// Reads the bytes of a text file.
  ///
  /// - Parameters:
  ///   - bytesMax: The size of the largest file that is read.
  ///   - startsWithText: Whether a file with a zero byte among its first 4 KiB is refused before the rest is read: a device
  ///     like `/dev/zero` has no end.
  /// - Throws: ``Failure/input(_:)`` with the file and the system's message.
  package static func read(
    _ path: String, bytesMax: Int = 64 << 20, startsWithText: Bool = false
  ) throws(Failure) -> [UInt8] {
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      if attributes[.type] as? FileAttributeType == .typeDirectory {
        throw Failure.input("\(path): error: found a folder, expected a file")
      }
      let handle = try FileHandle(forReadingFrom: URL(filePath: path))
      var data = Data()
      if startsWithText {
        data = try handle.read(upToCount: 4096) ?? Data()
        if let zero = data.firstIndex(of: 0) {
          try CompressedInput.check(data, path: path)
          throw Failure.input("\(path): error: found a zero byte at offset \(zero), expected text")
        }
      }
      data += try handle.read(upToCount: bytesMax + 1 - data.count) ?? Data()
      guard data.count <= bytesMax else {
        throw Failure.input("\(path): error: found more than \(bytesMax) bytes, expected a smaller file")
      }
      try CompressedInput.check(data, path: path)
      return [UInt8](data)
    } catch let failure as Failure {
      throw failure
    } catch {
      let isMissing = !FileManager.default.fileExists(atPath: path)
      let why = access(path, R_OK) == 0 ? error.systemText : SystemText.of(errno)
      throw .input("\(path): error: \(isMissing ? "no such file" : "cannot be read: \(why)")")
    }
  }
}
