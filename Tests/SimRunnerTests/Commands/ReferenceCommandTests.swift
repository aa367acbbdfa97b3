import Foundation
import Link
import Testing

@testable import Simulator
@testable import Commands

@Suite struct ReferenceCommandTests {
  @Test func `the committed pages are those that the catalogues print`() throws {
    let docs = CommandChild.packageRoot.appending(path: "docs").path()
    let child = try CommandChild.call(["docs", "--check", docs])
    #expect(child.status == 0, "run sim-runner docs: \(child.output)")
  }

  @Test func `a page that differs is named`() throws {
    let folder = try TemporaryFolder()
    #expect(try CommandChild.call(["docs", folder.url.path()]).status == 0)
    #expect(
      folder.names == [
        "athlete.md", "expectations.md", "internals", "scenario.schema.json", "scenarios.md", "script.schema.json",
        "trace.schema.json",
      ])
    let internals = try FileManager.default.contentsOfDirectory(
      atPath: folder.url.appending(path: "internals").path())
    #expect(internals.sorted() == ["checkers.md", "faults.md", "profiles.md", "protocol.md", "trace-format.md"])
    try folder.write("internals/profiles.md", "mine\n")
    let child = try CommandChild.call(["docs", folder.url.path(), "--check"])
    #expect(child.status == 1)
    #expect(child.lines.count == 1)
    #expect(child.output.contains("profiles.md: differs"))
  }

  @Test func `the docs command is not among those for users`() throws {
    let child = try CommandChild.call(["--help"])
    #expect(!child.output.contains("\n  docs "))
    #expect(child.output.contains("\n  check "))
  }

  @Test(arguments: FaultCatalog.all.map { $0.kind })
  func `a fault's page has its example, and the example is right`(kind: String) throws {
    let child = try CommandChild.call(["faults", kind])
    #expect(child.status == 0)
    let example = try #require(child.lines.last).drop { $0 == " " }
    let folder = try TemporaryFolder()
    let path = try folder.write("s.json5", "{ scenario: \"x\", faults: [\(example)] }")
    let validated = try CommandChild.call(["validate", path])
    #expect(validated.status == 0, "\(validated.output)")
    let object = try CommandChild.call(["faults", kind, "--json"]).object()
    let fault = try #require((object["faults"] as? [[String: Any]])?.first)
    #expect(fault["kind"] as? String == kind)
    #expect((fault["example"] as? [String: Any])?[kind] != nil)
    for key in ["about", "formula", "reality", "parameters"] { #expect(fault[key] != nil) }
  }

  @Test func `the page's scenario does what it says`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("s.json5", ScenarioReference.example)
    let child = try CommandChild.call(["run", path, "--mode", "in-process"])
    #expect(child.status == 0, "\(child.output)")
  }

  @Test func `all faults, profiles and invariants are listed`() throws {
    #expect(try CommandChild.call(["faults"]).lines.count == FaultCatalog.all.count)
    #expect(try CommandChild.call(["profiles"]).lines.count == ProfileCatalog.all.count)
    #expect(try CommandChild.call(["invariants"]).lines.count == InvariantsCommand.all.count)
    for (command, key, count) in [
      ("faults", "faults", FaultCatalog.all.count), ("profiles", "profiles", ProfileCatalog.all.count),
      ("invariants", "invariants", InvariantsCommand.all.count),
    ] {
      let object = try CommandChild.call([command, "--json"]).object()
      #expect((object[key] as? [Any])?.count == count)
    }
  }

  @Test func `an invariant is found by each of its names, and no name means two`() throws {
    let names = InvariantsCommand.all.flatMap { [$0.invariant] + $0.aliases }
    #expect(Set(names).count == names.count)
    #expect(names.contains("undecodable-is-told") && names.contains("belief-newest-word"))
    for checker in InvariantsCommand.all {
      for name in [checker.invariant] + checker.aliases {
        #expect(InvariantsCommand.checker(named: name)?.invariant == checker.invariant, "\(name)")
      }
    }
    let page = try CommandChild.call(["invariants", "undecodable-is-told"])
    #expect(page.status == 0 && page.output.hasPrefix("undecodable-is-reported "), "\(page.output)")
    #expect(try CommandChild.call(["invariants", "undecodable-is"]).status == 2)
  }

  @Test func `a profile's page spells it out and says where its numbers come from`() throws {
    let child = try CommandChild.call(["profiles", "ble-running"])
    #expect(child.status == 0)
    #expect(child.output.contains("grounded: "))
    #expect(child.output.contains("assumed: "))
    #expect(child.output.contains("bytesPerSecond: 32000"))
  }

  @Test func `an unknown name ends with 2 and a hint`() throws {
    for (command, name, hint) in [
      ("faults", "los", "did you mean \"loss\"?"), ("faults", "xyzzyxyzzy", "expected one of loss, delay"),
      ("profiles", "ble-runing", "did you mean \"ble-running\"?"),
      ("invariants", "causalty", "did you mean \"causality\"?"),
    ] {
      let child = try CommandChild.call([command, name])
      #expect(child.status == 2)
      #expect(child.output.isEmpty)
      #expect(child.errors.contains(hint), "\(child.errors)")
    }
  }

  @Test func `the reference's scenario is right`() throws {
    let folder = try TemporaryFolder()
    let child = try CommandChild.call(["validate", folder.write("s.json5", ScenarioReference.example)])
    #expect(child.status == 0)
    #expect(child.output.isEmpty, "\(child.output)")
  }

  @Test func `the pages have a section for each object, and a row for each key and each event`() {
    let page = ScenarioReference.page + ScenarioReference.expectationsPage + ScenarioReference.athletePage
    let titles = page.split(separator: "\n").filter { $0.hasPrefix("### `") }
    #expect(Set(titles).count == titles.count)
    for title in [
      "workout.source.model", "workout.source.model: swimming", "workout and workouts[]", "phone.events[]",
      "link and uplink", "race.fuelingPlan[] and race.hydrationPlan[]", "phone.acts[] and watch.acts[]", "flights[]",
      "edge.failures[]", "sometimes[]",
    ] { #expect(page.contains("### `\(title)`\n"), "\(title)") }
    for field in Scenario.schema.description.fields { #expect(page.contains("| `\(field.name)` |"), "\(field.name)") }
    for form in Scenario.TimedCommand.phoneForms + Scenario.TimedCommand.watchForms {
      #expect(page.contains("| `\(form.name)` |"), "\(form.name)")
    }
  }
}
