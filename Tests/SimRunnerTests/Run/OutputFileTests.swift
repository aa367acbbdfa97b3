import Foundation
import Testing

@testable import sim_runner

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
