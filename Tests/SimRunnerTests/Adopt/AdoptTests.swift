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
        AdoptRounds.Problem(path: "Sources/XPhone/App/A.swift", line: 3, text: "cannot find type 'B' in scope")
      ])
  }

  @Test(arguments: ["", "{", "( a, ", "{ objects = { }", "\"", "{ a = b }"])
  func `a project that is none is refused`(text: String) {
    #expect(XcodeProject(parsing: Array(text.utf8)) == nil)
  }
}
