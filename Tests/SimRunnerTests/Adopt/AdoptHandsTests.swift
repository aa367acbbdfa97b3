import Foundation
import Testing

@testable import Commands

/// What `adopt` lets a user do, and what the scenario expects of it.
@Suite struct `adopt draws what users do` {
  private func adopt(_ files: [String: String]) throws -> (main: String, scenario: String, page: String) {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    for (path, text) in files {
      let file = folder.appending(path: "App/\(path)")
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let result = try Tool(["adopt", "App", "--no-build", "--into", "out"], in: folder).finish()
    #expect(result.status == 0, "\(result.errors)")
    func text(_ path: String) throws -> String {
      try String(contentsOf: folder.appending(path: "out/\(path)"), encoding: .utf8)
    }
    return (try text("Sources/AppPhone/main.swift"), try text("drawn.json5"), try text("ADOPTED.md"))
  }

  @Test(arguments: [("resume", false), ("start", true)])
  func `what a resume alone can begin has begun before`(act: String, isExpected: Bool) throws {
    let text = """
      import WatchConnectivity
      @Observable final class Link: NSObject, WCSessionDelegate {
        var isActive = false
        func \(act)() {}
      }
      """
    let scenario = try adopt(["Link.swift": text]).scenario
    #expect(scenario.contains("{ do: \"\(act)\" }"))
    #expect(scenario.contains("onlyAfter: \"app.Link-isActive\"") == isExpected)
  }
}
