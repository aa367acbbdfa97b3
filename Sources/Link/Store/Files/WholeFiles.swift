package import Link

/// Small files of a folder that are read and replaced as a whole.
package struct WholeFiles: Sendable {
  private let folder: String

  /// The files of a folder, without leftovers of an interrupted replacement.
  package init(folder: String) throws(StoreError) {
    self.folder = folder
    for name in try FileSystem.names(in: folder) where name.hasSuffix(Self.temporarySuffix) {
      try FileSystem.remove("\(folder)/\(name)")
    }
  }

  /// The files of a folder, for reading: nothing in it is changed.
  package init(reading folder: String) { self.folder = folder }

  private static let temporarySuffix = ".new"

  private func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// A file's bytes; nil if it is missing, or longer than `countMax`.
  package func read(_ name: String, countMax: Int) throws(StoreError) -> [UInt8]? {
    guard let file = try OpenFile(path(name), for: .reading) else { return nil }
    let count = try file.byteCount()
    return count <= UInt64(countMax) ? try file.read(at: 0, count: Int(count)) : nil
  }

  /// Replaces a file: after a power loss there is the old or the new one, never a part.
  package func replace(_ name: String, with bytes: [UInt8]) throws(StoreError) {
    let temporary = path(name) + Self.temporarySuffix
    try FileSystem.remove(temporary)
    guard let file = try OpenFile(temporary, for: .making) else {
      throw StoreError(.system, "\(temporary): found a file, expected none")
    }
    try file.write(bytes, at: 0)
    try file.sync()
    _ = try FileSystem.rename(temporary, to: path(name))
    try FileSystem.sync(folder: folder)
  }

  /// Leaves the first half of a file; no effect on a missing one.
  package func halve(_ name: String) throws(StoreError) {
    guard try FileSystem.kind(of: path(name)) == .file, let file = try OpenFile(path(name), for: .writing) else {
      return
    }
    try file.truncate(to: try file.byteCount() / 2)
    try file.sync()
  }

  package func remove(_ name: String) throws(StoreError) {
    try FileSystem.remove(path(name))
    try FileSystem.sync(folder: folder)
  }
}
