import Foundation
import Testing

@testable import Console

@Suite struct OutputFileTests {
  @Test func `a file appears when it is complete, and replaces what stood there`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "t.jsonl").path()
    try Data("old".utf8).write(to: URL(filePath: path))
    do {
      let file = try OutputFile(path, as: .trace)
      try file.write(Array("new".utf8))
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
      try file.commit()
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
    #expect(try Tool.leftovers(in: folder) == ["t.jsonl"])
  }

  @Test func `a file that is given up leaves nothing`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      let file = try OutputFile(folder.appending(path: "t.jsonl").path(), as: .trace)
      try file.write([1, 2, 3])
    }
    #expect(try Tool.leftovers(in: folder) == [])
  }

  @Test func `a file keeps its permissions, and a new one gets the usual ones`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    for mode in [0o600, 0o640, 0o444] as [mode_t] {
      let path = folder.appending(path: "t\(mode)").path()
      try Data("old".utf8).write(to: URL(filePath: path))
      try #require(chmod(path, mode) == 0)
      let file = try OutputFile(path, as: .trace)
      #expect(try Self.modes(in: folder).filter { $0.key.hasSuffix(".partial") }.values.allSatisfy { $0 == mode })
      try file.write(Array("new".utf8))
      try file.commit()
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
      #expect(try Self.modes(in: folder)["t\(mode)"] == mode)
    }
    let usual = umask(0)
    umask(usual)
    try OutputFile(folder.appending(path: "fresh").path(), as: .trace).commit()
    #expect(try Self.modes(in: folder)["fresh"] == 0o666 & ~usual)
  }

  @Test func `no two files wait under the same name, and none under one that can be guessed`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "t.jsonl").path()
    var names: Set<String> = []
    for _ in 0..<8 {
      let file = try OutputFile(path, as: .trace)
      let waiting = try Tool.leftovers(in: folder)
      #expect(waiting.count == 1 && waiting[0].hasSuffix(".partial") && !waiting[0].contains(String(getpid())))
      // 128 random bits, in hexadecimal.
      let random = waiting[0].dropLast(".partial".count).split(separator: "-").last ?? ""
      #expect(random.count == 32 && random.allSatisfy(\.isHexDigit))
      names.insert(waiting[0])
      withExtendedLifetime(file) {}
    }
    #expect(names.count == 8)
  }

  /// The permissions of what is in a folder, by name.
  private static func modes(in folder: URL) throws -> [String: mode_t] {
    var modes: [String: mode_t] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path()) {
      var status = stat()
      guard lstat(folder.appending(path: name).path(), &status) == 0 else { continue }
      modes[name] = status.st_mode & 0o777
    }
    return modes
  }

  @Test func `a link is written through, a device directly`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let (target, link) = (folder.appending(path: "target").path(), folder.appending(path: "link").path())
    try Data("old".utf8).write(to: URL(filePath: target))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    let file = try OutputFile(link, as: .report)
    try file.write(Array("new".utf8))
    try file.commit()
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
    let device = try OutputFile("/dev/null", as: .trace)
    try device.write([1])
    try device.commit()
    #expect(FileManager.default.fileExists(atPath: "/dev/null"))
  }
}
