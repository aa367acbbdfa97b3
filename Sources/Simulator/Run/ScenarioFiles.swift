package import Console
import Foundation

/// Finds the scenarios in files and folders.
package enum ScenarioFiles {
  /// The paths as the user named them, each once; a folder's sorted by name.
  ///
  /// - Throws: For a path that does not exist, and for an unreadable folder, whose scenarios would otherwise be missing
  ///   silently.
  package static func find(_ paths: [String]) throws(Failure) -> [String] {
    var found: [String] = []
    for path in paths {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw .input("\(path): error: no such file or folder")
      }
      for file in isFolder.boolValue ? try below(path) : [path] where !found.contains(file) { found.append(file) }
    }
    return found
  }

  private static func below(_ folder: String) throws(Failure) -> [String] {
    let base = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    var found: [String] = []
    // Relative to the folder, each with a slash at its end.
    var open = [""]
    while let next = open.popLast() {
      let folder = "\(base)/\(next)"
      let names: [String]
      do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
        throw .input("\(folder): error: the folder cannot be read: \(error.systemText)")
      }
      for name in names where !name.hasPrefix(".") {
        var status = stat()
        if lstat(folder + name, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
          open.append("\(next)\(name)/")
        } else if name.hasSuffix(".json5") {
          found.append(next + name)
        }
      }
    }
    return found.sorted().map { "\(base)/\($0)" }.filter(isFile)
  }

  /// Whether there is a file, or a dangling link, which is reported when it is read; reading a pipe would block.
  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }
}
