import Foundation
import Link
import Testing

@testable import sim_runner

@Suite struct ReferenceCommandTests {
  @Test func `the committed pages are those that the catalogues print`() throws {
    let docs = CommandChild.packageRoot.appending(path: "docs").path()
    let child = try CommandChild.run(["docs", "--check", docs])
    #expect(child.status == 0, "run sim-runner docs: \(child.output)")
  }

  @Test func `a page that differs is named`() throws {
    let folder = try TemporaryFolder()
    #expect(try CommandChild.run(["docs", folder.url.path()]).status == 0)
    #expect(
      folder.names == [
        "checkers.md", "profiles.md", "scenario-reference.md", "scenario.schema.json", "script.schema.json",
        "trace-format.md",
      ])
    try folder.write("profiles.md", "mine\n")
    let child = try CommandChild.run(["docs", folder.url.path(), "--check"])
    #expect(child.status == 1)
    #expect(child.lines.count == 1)
    #expect(child.output.contains("profiles.md: differs"))
  }

  @Test func `the docs command is not among those for users`() throws {
    let child = try CommandChild.run(["--help"])
    #expect(!child.output.contains("\n  docs "))
    #expect(child.output.contains("\n  check "))
  }

  @Test(arguments: FaultCatalog.all.map { $0.kind })
  func `a fault's page has its example, and the example is right`(kind: String) throws {
    let child = try CommandChild.run(["faults", kind])
    #expect(child.status == 0)
    let example = try #require(child.lines.last).drop { $0 == " " }
    let folder = try TemporaryFolder()
    let path = try folder.write("s.json5", "{ scenario: \"x\", faults: [\(example)] }")
    let validated = try CommandChild.run(["validate", path])
    #expect(validated.status == 0, "\(validated.output)")
    let object = try CommandChild.run(["faults", kind, "--json"]).object()
    let fault = try #require((object["faults"] as? [[String: Any]])?.first)
    #expect(fault["kind"] as? String == kind)
    #expect((fault["example"] as? [String: Any])?[kind] != nil)
    for key in ["about", "formula", "reality", "parameters"] { #expect(fault[key] != nil) }
  }

  @Test func `the page's scenario does what it says`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("s.json5", ScenarioReference.example)
    let child = try CommandChild.run(["run", path, "--mode", "in-process"])
    #expect(child.status == 0, "\(child.output)")
  }

  @Test func `all faults, profiles and invariants are listed`() throws {
    #expect(try CommandChild.run(["faults"]).lines.count == FaultCatalog.all.count)
    #expect(try CommandChild.run(["profiles"]).lines.count == ProfileCatalog.all.count)
    #expect(try CommandChild.run(["invariants"]).lines.count == InvariantsCommand.all.count)
    for (command, key, count) in [
      ("faults", "faults", FaultCatalog.all.count), ("profiles", "profiles", ProfileCatalog.all.count),
      ("invariants", "invariants", InvariantsCommand.all.count),
    ] {
      let object = try CommandChild.run([command, "--json"]).object()
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
    let page = try CommandChild.run(["invariants", "undecodable-is-told"])
    #expect(page.status == 0 && page.output.hasPrefix("undecodable-is-reported "), "\(page.output)")
    #expect(try CommandChild.run(["invariants", "undecodable-is"]).status == 2)
  }

  @Test func `a profile's page spells it out and says where its numbers come from`() throws {
    let child = try CommandChild.run(["profiles", "ble-running"])
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
      let child = try CommandChild.run([command, name])
      #expect(child.status == 2)
      #expect(child.output.isEmpty)
      #expect(child.errors.contains(hint), "\(child.errors)")
    }
  }

  @Test func `the reference's scenario is right`() throws {
    let folder = try TemporaryFolder()
    let child = try CommandChild.run(["validate", folder.write("s.json5", ScenarioReference.example)])
    #expect(child.status == 0)
    #expect(child.output.isEmpty, "\(child.output)")
  }

  /// The reader lists the keys it knows where an unknown one is near to none of them.
  @Test(arguments: ScenarioKeys.sections.map(\.path))
  func `the reference has exactly the keys that the reader knows`(path: String) throws {
    let section = try #require(ScenarioKeys.sections.first { $0.path == path })
    let odd = "qqqqqqqqqqqqqqqq: 1"
    let text =
      switch path {
      case "": "{ scenario: \"x\", \(odd) }"
      case "link and uplink": "{ scenario: \"x\", link: { \(odd) } }"
      case "plan", "health", "phone", "watch", "payload", "checks", "apps", "workout", "nemesis", "edge", "run", "race":
        "{ scenario: \"x\", \(path): { \(odd) } }"
      case "workout.source": "{ scenario: \"x\", workout: { source: { \(odd) } } }"
      case "workout.source.model": "{ scenario: \"x\", workout: { source: { model: { \(odd) } } } }"
      case _ where path.hasPrefix("workout.source.model: "):
        "{ scenario: \"x\", workout: { discipline: \"\(path.dropFirst(22))\", source: { model: { \(odd) } } } }"
      case "workout.source.model.stops[]":
        "{ scenario: \"x\", workout: { source: { model: { stops: [{ at: 1, for: 1, \(odd) }] } } } }"
      case "race.fuelingPlan[] and race.hydrationPlan[]":
        "{ scenario: \"x\", race: { fuelingPlan: [{ atMeters: 1, text: \"x\", \(odd) }] } }"
      case "edge.failures[]":
        "{ scenario: \"x\", edge: { failures: [{ do: \"late\", by: 1, \(odd) }] } }"
      case "workout.events[]": "{ scenario: \"x\", workout: { events: [{ at: 1, do: \"talk\", seconds: 3, \(odd) }] } }"
      case "workout.events[] and phone.events[]":
        "{ scenario: \"x\", phone: { events: [{ at: 1, do: \"sendMessage\", \(odd) }] } }"
      case "workout.events[]: ghost":
        "{ scenario: \"x\", workout: { events: [{ at: 1, do: \"ghost\", says: \"metrics\", \(odd) }] } }"
      case "phone.acts[] and watch.acts[]": "{ scenario: \"x\", watch: { acts: [{ at: 1, do: \"tap\", \(odd) }] } }"
      case "phone.ingestion": "{ scenario: \"x\", phone: { ingestion: { \(odd) } } }"
      case "phone.ingestion.failures[]":
        "{ scenario: \"x\", phone: { ingestion: { failures: [{ do: \"slow\", by: 1, \(odd) }] } } }"
      case "phone.events[]: ingestion":
        "{ scenario: \"x\", phone: { events: [{ at: 1, do: \"setIngestion\", type: \"sleep\", on: true, \(odd) }] } }"
      case "phone.daily": "{ scenario: \"x\", phone: { daily: { \(odd) } } }"
      case "phone.daily.chat": "{ scenario: \"x\", phone: { daily: { chat: { \(odd) } } } }"
      case "phone.events[]: chat":
        "{ scenario: \"x\", phone: { events: [{ at: 1, do: \"writeChat\", text: \"x\", \(odd) }] } }"
      case "phone.events[]: meals":
        "{ scenario: \"x\", phone: { events: [{ at: 1, do: \"logMeal\", name: \"x\", calories: 1, \(odd) }] } }"
      case "phone.training": "{ scenario: \"x\", phone: { training: { \(odd) } } }"
      case "phone.training.sync": "{ scenario: \"x\", phone: { training: { sync: { \(odd) } } } }"
      case "phone.events[]: training":
        "{ scenario: \"x\", phone: { events: [{ at: 1, do: \"scoreRide\", score: 1, \(odd) }] } }"
      case "phone.events[].sets[]":
        "{ scenario: \"x\", phone: { events: [{ at: 1, do: \"logDrill\", discipline: \"riding\", drillType: \"x\", "
          + "sets: [{ duration: 1, \(odd) }] }] } }"
      case "phone.events[].intervals[]":
        "{ scenario: \"x\", phone: { events: [{ at: 1, do: \"planWorkout\", discipline: \"riding\", name: \"x\", "
          + "intervals: [{ name: \"x\", \(odd) }] }] } }"
      case "edge.workouts": "{ scenario: \"x\", edge: { workouts: { \(odd) } } }"
      case "edge.workouts.failures[]":
        "{ scenario: \"x\", edge: { workouts: { failures: [{ do: \"late\", by: 1, \(odd) }] } } }"
      case "edge.events[]": "{ scenario: \"x\", edge: { events: [{ at: 1, do: \"wipe\", \(odd) }] } }"
      case "phone.events[]: record":
        "{ scenario: \"x\", phone: { events: [{ at: 1, do: \"record\", seconds: 3, \(odd) }] } }"
      case "phone.events[]": "{ scenario: \"x\", phone: { events: [{ at: 1, do: \"interruptionEnd\", \(odd) }] } }"
      default: ""
      }
    let (_, found) = Scenario.read(Array(text.utf8), file: "s", folder: "/")
    let messages = found.flatMap(\.list).map(\.message)
    let message = try #require(messages.first { $0.contains("unknown key \"qqqqqqqqqqqqqqqq\"") }, "\(messages)")
    let known = message.split(separator: "\"").map(String.init).enumerated().filter { $0.offset % 2 == 1 }
    let names = Set(known.map(\.element).dropFirst())
    if path.contains(" and phone") {
      // Test traffic: each word knows some of the section's keys.
      #expect(names.subtracting(["at"]).isSubset(of: section.keys.map(\.name)) && names.contains("count"))
    } else if path == "phone.events[]: ingestion" {
      #expect(names.isSubset(of: section.keys.map(\.name)) && names.contains("type"))
    } else if path == "phone.events[]: training" {
      #expect(names.isSubset(of: section.keys.map(\.name)) && names.contains("score"))
    } else {
      #expect(names == Set(section.keys.map(\.name)))
    }
  }
}
