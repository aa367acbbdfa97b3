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

  private static let run = """
    import WatchConnectivity
    final class Link: NSObject, WCSessionDelegate {
      static let shared = Link()
      func sendValue(key: String, value: Any) {}
      func sendState(_ isOn: Bool) {}
      func syncAll() {}
    }
    """
  private static let model = """
    import Observation
    @Observable final class Model {
      var isRunning = false
      func start(plan: Plan, isTest: Bool, kind: Kind = .fast) { Link.shared.sendState(true); Link.shared.syncAll() }
      func log(_ lap: Lap, in unit: Unit) {}
      func mark(_ page: Page) {}
    }
    struct Plan { let name: String }
    extension Plan {
      static let empty = Plan(name: "")
      static let defaults: [Plan] = [Plan(name: "5k")]
    }
    struct Lap {
      let number: Int
      let at: Date
      var note: String?
      var meters = 0.0
    }
    enum Unit: CaseIterable { case km, mile }
    enum Kind { case fast, slow }
    struct Page { let bytes: Data }
    """
  private static let view = """
    import SwiftUI
    struct Page1: View {
      var body: some View {
        Button("Send") { link.sendValue(key: "text", value: "from \\(1)"); link.sendValue(key: "text", value: "hi") }
        Button("Go") { model.start(plan: plan, isTest: false, kind: .slow) }
        Button("Sync", action: Link.shared.syncAll)
      }
    }
    """

  @Test func `a view's literals are what a press gives, and what only models call is no button`() throws {
    let made = try adopt(["Link.swift": Self.run, "Model.swift": Self.model, "Page.swift": Self.view])
    // A text that depends on something is no literal.
    #expect(made.scenario.contains(#"{ do: "sendValue", with: { key: "text", value: "hi" } }"#))
    #expect(made.main.contains(#"value: act.string("value") ?? "hi""#))
    #expect(!made.scenario.contains("sendState") && made.scenario.contains("syncAll"))
  }

  @Test func `a value of the app's own is one that it has, or one made of simple values`() throws {
    let made = try adopt(["Link.swift": Self.run, "Model.swift": Self.model, "Page.swift": Self.view])
    #expect(made.scenario.contains(#"{ do: "start", with: { plan: 0, isTest: false } }"#))
    #expect(made.main.contains(#"if let planSample = Sample.of(Plan.defaults, act.integer("plan")) { theModel.start("#))
    #expect(made.main.contains(#"plan: planSample, isTest: act.flag("isTest") ?? false, kind: .slow"#))
    #expect(made.main.contains("let valueSample = Optional(Lap(number: 0, at: Date()))"))
    #expect(made.main.contains("in: Unit.allCases.first!"))
    #expect(!made.scenario.contains("mark"))
  }

  @Test(arguments: [("func go() { WCSession.default.activate() }", false), ("func go() {}", true)])
  func `a session that only a view activates is activated`(method: String, isView: Bool) throws {
    let link = "import WatchConnectivity\nfinal class Link: NSObject, WCSessionDelegate { \(method) }"
    let view = "struct V: View { var body: some View { Text(\"\").onAppear { link.session.activate() } } }"
    let main = try adopt(["Link.swift": link, "View.swift": view]).main
    #expect(main.contains("  WCSession.default.activate()\n") == isView)
    #expect(main.contains("theLink.go()") == !isView)
  }

  @Test func `what begins and ends is drawn in the order in which a screen offers it`() throws {
    let text = """
      import WatchConnectivity
      final class Link: NSObject, WCSessionDelegate {
        func startRun() {}
        func pauseRun() {}
        func resumeRun() {}
        func endRun() {}
        func logLap() {}
      }
      """
    let scenario = try adopt(["Link.swift": text]).scenario
    #expect(scenario.contains("resting: { startRun: \"running\", logLap: \"resting\" },"))
    #expect(scenario.contains("running: { pauseRun: \"paused\", endRun: \"resting\", logLap: \"running\" },"))
    #expect(scenario.contains("paused: { resumeRun: \"running\", endRun: \"resting\", logLap: \"paused\" },"))
    let alone = "import WatchConnectivity\nfinal class Link: NSObject, WCSessionDelegate { func startRun() {} }"
    #expect(try !adopt(["Link.swift": alone]).scenario.contains("model:"))
  }

  @Test func `a method that a view calls is a button, whatever its name`() throws {
    let link = """
      import WatchConnectivity
      final class Link: NSObject, WCSessionDelegate {
        func skipForward() { sendAll() }
        func sendAll() {}
        func kilometres() -> Double { 1 }
      }
      """
    let view = """
      import SwiftUI
      struct V: View { var body: some View { Button("x") { link.skipForward() }; Text(link.kilometres()) } }
      """
    let scenario = try adopt(["Link.swift": link, "View.swift": view]).scenario
    #expect(scenario.contains("{ do: \"skipForward\" }"))
    #expect(!scenario.contains("kilometres") && !scenario.contains("sendAll"))
  }

  @Test func `an app without a button is said to have none`() throws {
    let folder = try Tool.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = "import WatchConnectivity\nfinal class Link: NSObject, WCSessionDelegate {}"
    try Data(text.utf8).write(to: folder.appending(path: "Link.swift"))
    let result = try Tool(["adopt", ".", "--no-build", "--into", "../\(folder.lastPathComponent)-out"], in: folder)
      .finish()
    defer { try? FileManager.default.removeItem(at: URL(filePath: "\(folder.path())-out")) }
    #expect(result.output.contains("found no method that looks like a button"))
  }
}
