import Foundation
import Link
import PhoneSim
import Testing

@testable import Simulator
@testable import Commands

/// One plant, one file, one line, one scenario.
@Suite struct PlantCatalogTests {
  private static let folders = ["Link", "CoachProtocol", "WatchSim", "PhoneSim", "EdgeSim"].map {
    "Sources/\($0)/Plants"
  }

  private static func files(_ folder: String) throws -> [(name: String, text: String)] {
    let path = CommandChild.packageRoot.appending(path: folder).path()
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted().map {
      ($0, try String(contentsOfFile: "\(path)/\($0)", encoding: .utf8))
    }
  }

  @Test func `every plant that is written is listed`() throws {
    let text = try Self.folders.flatMap { try Self.files($0) }.map(\.text).joined()
    #expect(text.components(separatedBy: " = Plant(\n").count - 1 == PlantCatalog.all.count)
    for plant in PlantCatalog.all { #expect(text.contains(", \"\(plant.name)\", in: "), "\(plant.name)") }
  }

  @Test func `each has its own bit, texts, and an existing checker`() {
    let invariants = Set(InvariantsCommand.all.map { $0.invariant })
    var all: Plants = []
    for plant in PlantCatalog.all {
      #expect(!all.contains(plant), "\(plant.name): its bit is that of another plant")
      all.insert(plant)
      #expect(!plant.caughtBy.isEmpty && plant.caughtBy.allSatisfy(invariants.contains), "\(plant.name)")
      #expect(!plant.nodes.isEmpty)
      for text in [plant.happened, plant.wrong, plant.right] { #expect(text.hasSuffix(".")) }
    }
  }

  @Test func `the scenarios of the field are those of the catalogue`() throws {
    let names = try Self.files("scenarios/field").map(\.name).filter { $0.hasSuffix(".json5") }
    #expect(names == PlantCatalog.all.map { "\($0.name).json5" }.sorted())
    for plant in PlantCatalog.all {
      let scenario = try Scenario.load(Tool.scenario("field/\(plant.name)"))
      #expect(scenario.name == plant.name)
      #expect(!scenario.about.isEmpty)
      #expect(scenario.plants.isEmpty)
    }
  }

  @Test func `the page on trust has a row for each`() throws {
    let path = CommandChild.packageRoot.appending(path: "docs/internals/trust.md")
    let page = try String(contentsOf: path, encoding: .utf8)
    for plant in PlantCatalog.all { #expect(page.contains("| `\(plant.name)` |"), "\(plant.name)") }
  }

  @Test func `the command lists them and describes each`() throws {
    let list = try CommandChild.call(["plants"])
    #expect(list.status == 0)
    #expect(list.lines.count == PlantCatalog.all.count)
    let page = try CommandChild.call(["plants", "half-file"])
    #expect(page.status == 0)
    #expect(page.output.contains("voice-note-whole"))
    #expect(page.output.contains("scenarios/field/half-file.json5"))
    let object = try CommandChild.call(["plants", "companion-echo", "--json"]).object()
    let plant = try #require((object["plants"] as? [[String: Any]])?.first)
    #expect(plant["nodes"] as? [String] == ["watch", "phone"])
    for key in ["plant", "happened", "planted", "right", "caughtBy", "scenario"] { #expect(plant[key] != nil) }
  }

  @Test(arguments: [
    ["plants", "half-fil"], ["run", "SCENARIO", "--plant", "half-fil"], ["test", "SCENARIO", "--plant", "half-fil"],
    ["sweep", "SCENARIO", "--seeds", "0..<1", "--plant", "half-fil"], ["shrink", "SCENARIO", "--plant", "half-fil"],
  ])
  func `a name that no plant has is refused with a hint`(words: [String]) throws {
    let result = try Tool.run(words.map { $0 == "SCENARIO" ? Tool.scenario("field/half-file") : $0 })
    #expect(result.status == 2)
    #expect(result.errors.contains("half-file"))
  }

  @Test func `a scenario's plants are read, and others refused at their position`() throws {
    let read = { (text: String) in Scenario.read(Array(text.utf8), file: "x.json5", folder: "/") }
    let (scenario, _) = read("{ scenario: \"x\", plants: [\"late-pause\"] }")
    #expect(scenario.plants == [.latePause])
    let (_, diagnostics) = read("{ scenario: \"x\", plants: [\"late-pause\", \"late-paus\"] }")
    #expect(diagnostics.map(\.description).joined().contains("x.json5:1:41"))
  }
}
