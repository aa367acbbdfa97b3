import Foundation

/// The scenarios that files and folders stand for.
enum ScenarioFiles {
  /// The paths, as the user named them and each once; a folder's in the order of their names.
  ///
  /// - Throws: For a path that does not exist.
  static func find(_ paths: [String]) throws(Failure) -> [String] {
    var found: [String] = []
    for path in paths {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        throw .input("\(path): error: no such file or folder")
      }
      for file in isFolder.boolValue ? below(path) : [path] where !found.contains(file) { found.append(file) }
    }
    return found
  }

  private static func below(_ folder: String) -> [String] {
    let base = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(".json5") && !$0.split(separator: "/").contains { $0.hasPrefix(".") } }.sorted()
      .map { "\(base)/\($0)" }.filter(isFile)
  }

  /// Whether there is a file, or a link that leads nowhere, which is told when it is read; a pipe would be waited for.
  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }
}
