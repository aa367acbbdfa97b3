import Foundation
import LinkTransport

/// A folder that files go to, made where it is not there.
enum OutputFolder {
  /// Refuses a folder that files could not go to: asked before the wait for what they are made of.
  ///
  /// - Throws: ``Failure/input(_:)`` for a path that leads nowhere, ``Failure/environment(_:)`` for one that may not
  ///   be written to.
  static func check(_ path: String) throws(Failure) {
    guard !path.isEmpty else { throw .input("error: found an empty name, expected a folder") }
    var place = URL(filePath: FilePath.resolve(path, in: FileManager.default.currentDirectoryPath))
    var status = stat()
    // What is not there yet is made in the nearest folder above it that is.
    while stat(place.path(percentEncoded: false), &status) != 0 {
      guard errno == ENOENT, place.pathComponents.count > 1 else { throw failure(path, errno) }
      place.deleteLastPathComponent()
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw .input("\(path): error: found a file, expected a folder")
    }
    guard access(place.path(percentEncoded: false), W_OK | X_OK) == 0 else { throw failure(path, errno) }
  }

  /// Makes it, with the folders that it stands in.
  ///
  /// - Throws: As ``check(_:)`` does, and for what the system says to the making.
  static func make(_ path: String) throws(Failure) {
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
  /// What the system said, without what is put in front of it.
  var systemText: String {
    if let error = self as? POSIXError { return SystemText.of(error.code.rawValue) }
    if let cause = (self as? CocoaError)?.underlying as? POSIXError { return cause.systemText }
    return localizedDescription
  }
}
