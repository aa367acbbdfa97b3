@testable import CoachCheckers
@testable import LinkCheckers
import Foundation
import Link
import PhoneSim
import Testing

@testable import TraceTools
@testable import Console
@testable import Commands

/// A catalogue lists what its folder declares: a kind that is written and not listed would silently do nothing.
@Suite struct CatalogueTests {
  @Test func `every command is listed`() throws {
    let listed = CommandCatalog.all.map { "\($0)" }
    let found = try [": Command", ": DeviceProgram"].flatMap { try declared($0, in: "Sources/sim-runner") }
    #expect(found.sorted() == listed.sorted())
    #expect(Set(CommandCatalog.all.map { $0.name }).count == listed.count)
  }

  @Test func `every checker is listed`() throws {
    let ofLink = CheckerCatalog.all.map { "\($0)" }
    #expect(try declared(": Checker", in: "Sources/Link/Checkers") == ofLink.sorted())
    let ofCoach = CoachCheckerCatalog.all.map { "\($0)" }
    let found = try [": Checker", ": ChecksConditions", ": ChecksDays"].flatMap {
      try declared($0, in: "Sources/CoachCheckers")
    }
    #expect(found.sorted() == ofCoach.sorted())
    let names = (CheckerCatalog.all + CoachCheckerCatalog.all).map { $0.invariant }
    #expect(Set(names).count == names.count)
  }

  @Test func `every expectation is listed`() throws {
    let listed = ExpectationCatalog.all.map { "\($0)" }
    #expect(try declared(": Expectation", in: "Sources/Link/Judge/Expectations") == listed.sorted())
  }

  @Test func `every exporter is listed`() throws {
    let listed = ExporterCatalog.all.map { "\($0)" }
    #expect(try declared(": TraceExporter", in: "Sources/TraceTools/Export") == listed.sorted())
    #expect(Set(ExporterCatalog.all.map { $0.name }).count == listed.count)
  }

  @Test func `every fuzz target is listed`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "Fuzz/Sources/fuzz/FuzzTarget.swift"), encoding: .utf8)
    let listed = text.split(separator: "\n").filter { $0.hasSuffix("Target.self,") }
      .map { $0.split { !$0.isLetter }[0] }.map(String.init)
    #expect(try declared(": FuzzTarget", in: "Fuzz/Sources/fuzz/Targets") == listed.sorted())
    #expect(listed.count >= 18)
  }

  /// The types whose declaration says that they conform, by name.
  private func declared(_ conformance: String, in folder: String) throws -> [String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let path = root.appending(path: folder).path
    var names: [String] = []
    for file in try FileManager.default.subpathsOfDirectory(atPath: path) where file.hasSuffix(".swift") {
      let text = try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
      for line in text.split(separator: "\n") {
        let words = line.split { " {,".contains($0) }
        guard let index = words.firstIndex(where: { $0 == "struct" || $0 == "enum" }), index + 2 < words.count,
          words[index + 1].hasSuffix(":"), words[(index + 2)...].contains(where: { ": \($0)" == conformance })
        else { continue }
        names.append(String(words[index + 1].dropLast()))
      }
    }
    return names.sorted()
  }
}
