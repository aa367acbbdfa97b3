import Foundation
import Link
import LinkTestSupport
import LinkTransport
import Testing

/// What killed processes leave behind, and who may remove it.
@Suite struct LeftoversTests {
  /// A folder that is swept for the first time in each test, as a process sweeps each place once.
  private static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ww-left-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    return folder
  }

  private static func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
  }

  @Test func `a directory of a dead process goes when the next one is made`() throws {
    let folder = try Self.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let dead = folder.appending(path: "\(Leftovers.prefix)abcdef")
    try FileManager.default.createDirectory(
      at: dead.appending(path: "deep/er"), withIntermediateDirectories: true)
    try Data("x".utf8).write(to: dead.appending(path: "deep/er/file"))
    do {
      let directory = try TemporaryDirectory(in: folder.path())
      #expect(try Self.names(in: folder).map { "\(folder.path())/\($0)" }.contains(directory.path))
      #expect(!FileManager.default.fileExists(atPath: dead.path()))
    }
    #expect(try Self.names(in: folder) == [])
  }

  @Test func `what is in use, or not provably ours, stays`() throws {
    let folder = try Self.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let prefix = Leftovers.prefix
    // Locked by a living process.
    let used = folder.appending(path: "\(prefix)locked").path()
    try FileManager.default.createDirectory(atPath: used, withIntermediateDirectories: false)
    let descriptor = open(used, O_RDONLY | O_DIRECTORY)
    defer { close(descriptor) }
    #expect(Leftovers.claim(descriptor))
    // Another computer's, somebody's folder of a similar name, a link of our name, a file where folders are swept.
    let other = prefix.contains("-0") ? "wristwire-11111111-abcdef" : "wristwire-00000000-abcdef"
    for name in [other, "wristwire-notes"] {
      try FileManager.default.createDirectory(
        at: folder.appending(path: name), withIntermediateDirectories: false)
    }
    let outside = try Self.makeFolder()
    defer { try? FileManager.default.removeItem(at: outside) }
    try Data("x".utf8).write(to: outside.appending(path: "kept"))
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: "\(prefix)link"), withDestinationURL: outside)
    try Data("x".utf8).write(to: folder.appending(path: "\(prefix)file"))

    let before = try Self.names(in: folder)
    Leftovers.sweep(folder.path(), kind: S_IFDIR)
    #expect(try Self.names(in: folder) == before)
    #expect(FileManager.default.fileExists(atPath: outside.appending(path: "kept").path()))
  }

  @Test func `files with our names and no lock are removed`() throws {
    let folder = try Self.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let prefix = Leftovers.prefix
    for name in ["dead.partial", "used.partial", "other", "twice.partial"] {
      try Data("x".utf8).write(to: folder.appending(path: prefix + name))
    }
    let descriptor = open(folder.appending(path: prefix + "used.partial").path(), O_WRONLY)
    defer { close(descriptor) }
    #expect(Leftovers.claim(descriptor))
    // A file that has another name too is somebody's.
    try FileManager.default.linkItem(
      at: folder.appending(path: prefix + "twice.partial"), to: folder.appending(path: "kept"))
    Leftovers.sweep(folder.path(), suffix: ".partial", kind: S_IFREG)
    #expect(try Self.names(in: folder) == ["kept"] + ["other", "twice.partial", "used.partial"].map { prefix + $0 })
  }
}
