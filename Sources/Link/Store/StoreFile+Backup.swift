package import Link

extension StoreFile {
  /// Checks that a folder has a store, which ``open(folder:_:durability:busyMilliseconds:)`` would create.
  ///
  /// - Throws: `.system` if there is none, `.corrupt` for something else of its name.
  package static func requireStore(in folder: String) throws(StoreError) { try checkKind(of: "\(folder)/\(name)") }

  /// Copies an open store into a file; an existing one is kept.
  ///
  /// The copy has no log, appears whole or not at all, and is on the disk when this returns. It can take the store's place.
  ///
  /// - Returns: Whether it was made; false if there was one.
  package static func backUp(_ database: Database, to path: String) throws(StoreError) -> Bool {
    guard try FileSystem.kind(of: path) == .nothing else { return false }
    let temporary = path + ".new"
    try FileSystem.remove(temporary)
    // Empty, with permissions for the user only.
    guard let file = try OpenFile(temporary, for: .making) else {
      throw StoreError(.system, "\(temporary): found a file, expected none")
    }
    let copy = Statement(database, "VACUUM INTO ?1")
    copy.bind(temporary, at: 1)
    try copy.run()
    try file.sync()
    _ = try FileSystem.rename(temporary, to: path)
    if let end = path.lastIndex(of: "/") { try FileSystem.sync(folder: String(path[..<end])) }
    return true
  }
}
