import Foundation
import Testing

@testable import Commands

/// What `adopt` decides of an app's text, and of its folder.
@Suite struct `adopt reads an app` {
  private func parse(_ text: String) -> SwiftParser { SwiftParser(Array(text.utf8)) }

  @Test func `declarations are those of the code, not of strings and comments`() {
    let parser = parse(
      """
      import Foundation
      // class NotThis {}
      /* class /* nested */ NorThis {} */
      let text = "class Neither { \\("}" + "x")"
      let raw = #"class Nor { " "#
      @MainActor public final class Model: NSObject, WCSessionDelegate {
        static let shared = Model()
        @Published private(set) var count = 0
        var other: [Int] = [], third: Int?
        private init() {}
        func start(plan: Int, _ fast: Bool = true, then: @escaping () -> Void) async throws -> Bool { true }
      }
      extension Model { func stop() {} }
      """)
    #expect(parser.declarations.map(\.name) == ["text", "raw", "Model", "Model"])
    let model = parser.declarations[2]
    #expect(model.inherits == ["NSObject", "WCSessionDelegate"] && model.attributes == ["MainActor"])
    #expect(model.members.map(\.name) == ["shared", "count", "other", "", "start"])
    #expect(model.members[1].attributes == ["Published"] && !model.members[1].isPrivate)
    #expect(model.members[3].isPrivate)
    let start = model.members[4]
    #expect(
      start.parameters.map(\.label) == ["plan", nil, "then"]
        && start.parameters.map(\.hasDefault) == [false, true, false])
    #expect(start.isAsync && start.isThrowing && start.type == "Bool")
    #expect(parser.imports.map(\.module) == ["Foundation"])
  }

  @Test(arguments: [
    ("#if os(iOS)", "#if true", "#if false"),
    ("#if !os(watchOS) && DEBUG", "#if !false && DEBUG", "#if !true && DEBUG"),
    ("#elseif targetEnvironment(simulator)", "#elseif false", "#elseif false"),
    ("#if canImport(WatchKit) || os(macOS)", "#if false || false", "#if true || false"),
    ("#if canImport(ActivityKit) && canImport(AVFoundation)", "#if true && true", "#if false && true"),
    ("#if canImport(UIKit)", "#if true", "#if true"), ("#if swift(>=6)", "#if swift(>=6)", "#if swift(>=6)"),
    ("#if (os(", "#if (os(", "#if (os("),
  ])
  func `conditions get the device's answers`(condition: String, phone: String, watch: String) {
    #expect(DeviceTruth(role: .phone).resolve(condition) == phone)
    #expect(DeviceTruth(role: .watch).resolve(condition) == watch)
  }

  @Test(
    arguments: [
      ("true && !false", true), ("(false || true) && true", true), ("DEBUG && false", false), ("DEBUG || true", true),
      ("DEBUG", nil), ("true && swift(>=6)", nil), ("!(true)", false), ("true extra", nil), ("", nil),
    ] as [(String, Bool?)])
  func `a condition is decided only where it can be`(condition: String, truth: Bool?) {
    #expect(DeviceTruth.evaluate(condition) == truth)
  }

  @Test func `a file of views keeps its models, line by line`() {
    let text = """
      import SwiftUI
      import Lottie; import os.log
      struct Page: View {
        var body: some View { Text("x") }
      }
      enum Kind { case a
        var color: Color { .red }
        var title: String { "a" } }
      #Preview { Page() }
      #if os(iOS)
      let only = 1
      #else
      let other = 2
      #endif
      """
    let source = AppSource(path: "Page.swift", bytes: Array(text.utf8), role: .watch)
    let result = String(decoding: source.text, as: UTF8.self)
    #expect(source.declared == ["Kind", "other"] && source.blanked == ["Page", "Kind.color"])
    #expect(source.missingModules == ["Lottie"] && result.contains("import os    \n"))
    let (before, after) = (
      text.split(separator: "\n", omittingEmptySubsequences: false),
      result.split(separator: "\n", omittingEmptySubsequences: false)
    )
    #expect(before.count == after.count && after[7] == before[7] && after[9] == "#if false")
    #expect(!result.contains("Preview") && !result.contains("only"))
    let views = AppSource(
      path: "V.swift", bytes: Array("struct V: View { var body: some View { X() } }".utf8), role: .phone)
    #expect(views.isEmpty)
  }

  @Test func `objects are made from what their initializers need, and offer what looks like a button`() {
    let parser = parse(
      """
      final class Link: NSObject, WCSessionDelegate {
        init(store: Store, isTest: Bool, onLap: @escaping (Int, String) -> Void, bug: String? = nil) {}
        func connect() { WCSession.default.activate() }
        func startRun(plan: Int) {}
        func startled() {}
        func sendAll(items: [String: Any]) {}
        private func stopAll() {}
        func stop() async throws -> Int { 1 }
      }
      final class Store { init(folder: URL) {} }
      final class Lone: ObservableObject { init(x: Unknown) {} }
      """)
    let types = Dictionary(uniqueKeysWithValues: parser.declarations.map { ($0.name, $0) })
    let objects = AppObjects(types: types)
    #expect(objects.made == ["Store", "Link"] && objects.hasSession)
    #expect(
      objects.lines[1].code == "let theLink = Link(store: theStore, isTest: false, onLap: { _, _ in })")
    #expect(objects.lines[2].code == "theLink.connect()")
    #expect(objects.hands.map(\.name) == ["startRun", "stop"] && objects.hands[0].arguments == "plan: 1")
    #expect(objects.lines.last?.code.contains("Task { @MainActor in _ = try? await theLink.stop() }") == true)
    #expect(objects.unmade.count == 1 && objects.unmade[0].hasPrefix("Lone"))
  }

  @Test func `errors are those of the package's files, each once`() {
    let line = "/tmp/p/Sources/XPhone/App/A.swift:3:9: error: cannot find type 'B' in scope"
    let output = "[1/2] Compiling\n\(line)\n\(line)\n/tmp/q/C.swift:1:1: error: no\nwarning: x"
    #expect(
      AdoptRounds.problems(output, in: "/tmp/p") == [
        AdoptRounds.Problem(
          path: "Sources/XPhone/App/A.swift", line: 3, column: 9, text: "cannot find type 'B' in scope")
      ])
  }

  private static let partly = """
    final class Store {
      static let shared = Store()
      var count: Int {
        bad
      }
      init(url: URL) {
        self.url = url
        monitor.handler = { path in
          bad
        }
        load()
      }
      func save(_ x: Int, to y: Int) throws -> Int {
        do {
          let a = [1,
            2]
          try bad(a)
            .more()
        } catch { print(error) }
        switch x {
        case bad: return 1
        default:
          stay()
          return bad
        }
      }
      func load(x: Bad<Int>) {
        go() }
    }
    """

  @Test(
    arguments: [
      ("bad\n    }\n    load()", "Store.init(url:): bad"),
      ("path in", "Store.init(url:): monitor.handler = { path in"),
      ("bad(a)", "Store.save(_:to:): try bad(a)"), (".more", "Store.save(_:to:): try bad(a)"),
      ("2]", "Store.save(_:to:): let a = [1,"), ("bad: return", "Store.save(_:to:): switch x {"),
      ("return bad", "Store.save(_:to:): return bad"), ("Bad<Int>", "Store.load(x:)"),
      ("bad\n  }\n  init", "Store.count: bad"), ("url: URL", nil), ("shared", nil), ("Store {", nil),
    ] as [(String, String?)])
  func `the least is left out around what does not compile`(place: String, name: String?) throws {
    var source = AppSource(path: "S.swift", bytes: Array(Self.partly.utf8), role: .phone)
    let before = try #require(Self.partly.range(of: place)).lowerBound
    let lines = Self.partly[..<before].split(separator: "\n", omittingEmptySubsequences: false)
    let column = (lines.last?.utf8.count ?? 0) + 1
    #expect(source.part(atLine: lines.count, column: column) == name)
    guard let name else { return }
    let isLeftOut = source.leaveOut(name)
    #expect(isLeftOut)
    let text = String(decoding: source.text, as: UTF8.self)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count == 29)
    #expect(text.contains("reportMissing(") == name.contains(": "))
    // The copy of a later build is the same.
    let again = AppSource(path: "S.swift", bytes: Array(Self.partly.utf8), role: .phone, without: [name, "Gone.x {}"])
    #expect(again.text == source.text)
  }

  @Test func `where leaving out a statement is not enough, its body goes, then its member`() {
    var source = AppSource(path: "S.swift", bytes: Array(Self.partly.utf8), role: .phone)
    let statement = source.part(atLine: 4, column: 5)
    source.leaveOut(statement ?? "")
    #expect(statement == "Store.count: bad")
    #expect(String(decoding: source.text, as: UTF8.self).contains("reportMissing(\"Store.count: bad\")\n"))
    let body = source.part(atLine: 4, column: 5)
    source.leaveOut(body ?? "")
    #expect(body == "Store.count {}")
    #expect(String(decoding: source.text, as: UTF8.self).contains("{ return stubValue(\"Store.count\") \n\n}"))
    let member = source.part(atLine: 3, column: 20)
    source.leaveOut(member ?? "")
    #expect(member == "Store.count")
    #expect(!source.parser.declarations[0].members.contains { $0.name == "count" })
    #expect(source.part(atLine: 3, column: 20) == nil)
  }

  @Test(arguments: [(0, 1), (1, 0), (99, 1), (1, 999)])
  func `a place outside every member has no part to leave out`(line: Int, column: Int) {
    let source = AppSource(path: "S.swift", bytes: Array(Self.partly.utf8), role: .phone)
    #expect(source.part(atLine: line, column: column) == nil)
  }

  @Test func `objects that the app makes are taken from it, and a store is made for the others`() {
    let text = """
      import SwiftUI
      @main struct RunApp: App {
        @State private var model: Model
        @StateObject private var coach = Coach(voice: true)
        init() { _model = State(initialValue: Model(number: 1)) }
        var body: some Scene { W() }
      }
      @Observable final class Model { init(number: Int) {} }
      final class Coach: ObservableObject { init(voice: Bool) {} }
      final class Log: ObservableObject { init(context: ModelContext, in container: ModelContainer) {} }
      """
    let source = AppSource(path: "RunApp.swift", bytes: Array(text.utf8), role: .phone)
    let types = Dictionary(uniqueKeysWithValues: source.parser.declarations.map { ($0.name, $0) })
    let objects = AppObjects(types: types, models: ["Lap", "Shoe"])
    #expect(
      objects.lines.map(\.code) == [
        "let theRunApp = RunApp()", "let theModel = theRunApp.model", "let theCoach = theRunApp.coach",
        "let theModelContainer = try! ModelContainer(for: Lap.self, Shoe.self)",
        "let theLog = Log(context: theModelContainer.mainContext, in: theModelContainer)",
      ])
    #expect(AppObjects(types: types).unmade == ["Log: its initializers need what adopt cannot make"])
  }

  @Test func `an extension that is compiled has its members, and no stub`() {
    let link = AppSource(
      path: "Link.swift", bytes: Array("import WatchConnectivity\nfinal class Link { }".utf8), role: .phone)
    let log = AppSource(
      path: "Log.swift", bytes: Array("extension Logger { static let run = 1 }".utf8), role: .phone)
    var plan = AppPlan(role: .phone, sources: [link, log])
    #expect(plan.extender(of: "Logger", member: "run") == "Log.swift" && !plan.extends("Logger", with: "run"))
    plan.add("Log.swift")
    #expect(plan.extender(of: "Logger", member: "run") == nil && plan.extends("Logger", with: "run"))
    #expect(!plan.extends("Logger", with: "walk"))
  }

  @Test func `access is asked for at the start, and what the system calls is no button`() {
    let parser = parse(
      """
      final class Link: NSObject, WCSessionDelegate {
        func requestAuthorization(then: (() -> Void)? = nil) async {}
        func requestPlan() {}
        func updateForStatistics(_ statistics: HKStatistics?) {}
        func showPlan(_ plan: Plan?) {}
      }
      """)
    let objects = AppObjects(types: ["Link": parser.declarations[0]])
    #expect(objects.hands.map(\.name) == ["requestPlan", "showPlan"])
    #expect(objects.lines[1].code == "Task { @MainActor in await theLink.requestAuthorization() }")
  }

  @Test(arguments: ["", "{", "( a, ", "{ objects = { }", "\"", "{ a = b }"])
  func `a project that is none is refused`(text: String) {
    #expect(XcodeProject(parsing: Array(text.utf8)) == nil)
  }

  @Test func `an app of SwiftUI keeps what it does at its start, without what it shows`() {
    let text = """
      import SwiftUI
      @main
      struct RunApp: App {
        @UIApplicationDelegateAdaptor(Delegate.self) private var delegate
        @State private var link = Link.shared
        init() { Link.shared.begin(from: "start") }
        var body: some Scene { WindowGroup { Page().task { link.more() } } }
      }
      """
    let source = AppSource(path: "RunApp.swift", bytes: Array(text.utf8), role: .phone)
    #expect(source.blanked == ["RunApp.delegate", "RunApp.body"] && source.isOfApp)
    let result = String(decoding: source.text, as: UTF8.self)
    #expect(result.contains("struct RunApp: App") && !result.contains("Adaptor") && !result.contains("@main"))
    let objects = AppObjects(types: ["RunApp": source.parser.declarations[0]])
    #expect(objects.lines.map(\.code) == ["let theRunApp = RunApp()"])
    // One that does nothing at its start is a view like any other.
    let plain = AppSource(
      path: "P.swift", bytes: Array("struct P: App { var body: some Scene { W() } }".utf8), role: .phone)
    #expect(plain.isEmpty)
  }

  @Test func `a class of SwiftData is observed, and its unique properties are known`() {
    let text = """
      import SwiftData
      @Model final class Lap {
        @Attribute(.unique, hashModifier: "a(b)") var id: UUID
        @Relationship(deleteRule: .cascade, inverse: \\Other.lap) var others: [Other] = []
        @Transient var isShown = false
        #Index<Lap>([\\.id])
        init(id: UUID) { self.id = id }
      }
      """
    let source = AppSource(path: "Lap.swift", bytes: Array(text.utf8), role: .watch)
    let result = String(decoding: source.text, as: UTF8.self)
    #expect(source.models.map(\.name) == ["Lap"] && source.models.first?.unique == ["id"])
    for lost in ["@Model", "@Attribute", "@Relationship", "@Transient", "#Index", "hashModifier"] {
      #expect(!result.contains(lost), "\(lost)")
    }
    #expect(result.contains("@Observable final class Lap") && result.contains("@ObservationIgnored var isShown"))
    #expect(result.split(separator: "\n", omittingEmptySubsequences: false).count == 8)
    // A property wrapper of the app's own with such a name stays.
    let own = AppSource(path: "O.swift", bytes: Array("struct O { @Attribute(1) var a: Int }".utf8), role: .watch)
    #expect(String(decoding: own.text, as: UTF8.self).contains("@Attribute(1)"))
  }

  @Test func `an actor of SwiftData gets its store and its context`() {
    let text = "import SwiftData\n@ModelActor\npublic actor Archive: Store {\n  func keep() {}\n}\n"
    let source = AppSource(path: "Archive.swift", bytes: Array(text.utf8), role: .watch)
    let lines = String(decoding: source.text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(source.modelActors == ["Archive"] && lines.count == 6)
    #expect(!lines[1].contains("@"))
    #expect(lines[2].hasPrefix("public actor Archive: Store { nonisolated let modelContainer"))
  }

  @Test func `a member that a type of ours lacks is stubbed as it is used`() {
    let text = """
      import UIKit
      final class Link: NSObject {
        func look() { UIDevice.current.lock(1); UIDevice.current.tint = true; if UIDevice.current.tone == 1 {} }
      }
      """
    let source = AppSource(path: "Link.swift", bytes: Array(text.utf8), role: .phone)
    #expect(source.parser.isOnlySet("tint") && !source.parser.isOnlySet("lock") && !source.parser.isOnlySet("tone"))
    let link = AppSource(
      path: "Session.swift", bytes: Array("import WatchConnectivity\nlet link = Link()".utf8), role: .phone)
    let plan = AppPlan(role: .phone, sources: [source, link])
    #expect(plan.chosen == ["Link.swift", "Session.swift"])
    var stubs = AppStubs()
    let imports: Set = ["UIKit", "Lottie"]
    // Known already, the app's own, or of no type that can be extended.
    let asked = [
      ("lock", "UIDevice"), ("tint", "UIDevice?"), ("lock", "UIDevice"), ("x", "Link"), ("x", "[Int]"),
      ("x", "any Error"),
    ]
    let added = asked.map { name, type in
      stubs.add(name, ofType: type, isStatic: false, imports: imports, for: plan)
    }
    #expect(added == [true, true, false, false, false, false])
    let result = stubs.text(for: plan)
    #expect(result.contains("import UIKit\n") && !result.contains("Lottie"))
    #expect(result.contains("var `lock`: StubMember { StubMember(path: \"UIDevice.lock\") }"))
    #expect(result.contains("var `tint`: Any? {"))
  }

  @Test func `the description of a project says which files are whose`() {
    let text = """
      name: Run
      targets:
        Run:
          type: application
          platform: iOS
          sources:
            - path: App
              excludes: ["x"]
            - Common # both
          settings:
            base:
              type: no
        "RunWatch":
          type: application.watchapp2
          platform: watchOS
          sources: [Watch, Common]
        Kit:
          type: framework
          supportedDestinations: [iOS, watchOS]
        RunTests:
          type: bundle.unit-test
          sources: Tests
      schemes:
        Run:
          build: {}
      """
    let targets = GeneratedProject(parsing: Array(text.utf8)).targets
    #expect(targets.map(\.name) == ["Run", "RunWatch", "Kit", "RunTests"])
    #expect(targets.map(\.folders) == [["App", "Common"], ["Watch", "Common"], ["Kit"], ["Tests"]])
    #expect(targets.map(\.isWatch) == [false, true, false, false])
    #expect(targets.map(\.isApp) == [true, true, false, false] && targets[2].isLibrary)
  }

  @Test(arguments: ["", "targets:", "targets:\n  A", "targets:\n- x\n- y", ":::", "targets:\n  A:\n    sources:\n"])
  func `a description that says nothing has no files`(text: String) {
    #expect(GeneratedProject(parsing: Array(text.utf8)).targets.allSatisfy { $0.files.isEmpty })
  }
}
