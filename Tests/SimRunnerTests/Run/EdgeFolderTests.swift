import EdgeSim
import Foundation
import Link
import LinkTransport
import Testing

@testable import Simulator

/// The server's files on disk, against the same in memory.
@Suite struct EdgeFolderTests {
  @Test func `files on disk are those in memory, also after a restart`() throws {
    let folder = try TemporaryDirectory()
    var disk = try EdgeFolder(folder.path)
    var memory = MemoryEdgeStore()
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let file = EdgeFile.allCases.randomElement(using: &random) ?? .profile
      let bytes = (0..<Int.random(in: 0..<50, using: &random)).map { UInt8($0) }
      let change: EdgeChange =
        switch Int.random(in: 0..<10, using: &random) {
        case 0: .wipe
        case 1, 2: .tear(file)
        default: .write(file, bytes)
        }
      try disk.commit([], [change])
      memory.commit([], [change])
      var again = try EdgeFolder(folder.path)
      #expect(try again.begin().app == memory.record)
    }
  }

  @Test func `what an interrupted replacement left is removed`() throws {
    let folder = try TemporaryDirectory()
    let leftover = "\(folder.path)/context_store.json.new"
    try Data("half".utf8).write(to: URL(filePath: leftover))
    var disk = try EdgeFolder(folder.path)
    #expect(try disk.begin().app == EdgeRecord())
    #expect(!FileManager.default.fileExists(atPath: leftover))
  }

  @Test(arguments: ["half-trusted", "chat-once"])
  func `the server's files are the same in one process and in several`(scenario: String) throws {
    let folder = try TemporaryDirectory()
    var found: [[EdgeFile: [UInt8]]] = []
    for mode in RunOptions.Mode.allCases {
      let state = "\(folder.path)/\(mode.rawValue)"
      let result = try Tool.run([
        "run", Tool.scenario("field/\(scenario)"), "--json", "--mode", mode.rawValue, "--state-dir", state,
      ])
      #expect(result.status == 0)
      var disk = try EdgeFolder("\(state)/edge")
      found.append(try disk.begin().app.files)
    }
    #expect(found[0] == found[1] && found[0].keys.contains(.contextStore) && found[0].keys.contains(.insights))
    #expect((scenario == "chat-once") == found[0].keys.contains(.profile))
  }
}
