import Foundation
import Link

/// Writes a scenario as a file that repeats one run, with its seed, its complete fault plan and its script.
enum SavedScenario {
  /// The text of the file, in JSON5; comments of the original file are lost.
  ///
  /// - Parameters:
  ///   - scenario: The scenario with the run's seed.
  ///   - folder: The folder of the file: to which the path of a recorded workout is relative.
  static func text(_ scenario: Scenario, in folder: String) -> String {
    JSONWriter.pretty(node(scenario, in: folder), width: 120)
  }

  /// The file's content.
  static func node(_ scenario: Scenario, in folder: String) -> JSONNode {
    JSONNode(.object(members(scenario, in: folder)))
  }

  /// Writes the file.
  static func write(_ scenario: Scenario, to path: String) throws(Failure) {
    try write(scenario, to: OutputFile(path, as: .scenario))
  }

  /// Writes an open file, and moves it to its final name.
  static func write(_ scenario: Scenario, to file: OutputFile) throws(Failure) {
    do { try file.write(Array(text(scenario, in: FilePath.folder(of: file.path)).utf8)) } catch {
      throw .environment("\(file.path): error: the scenario cannot be written: \(error.systemText)")
    }
    try file.commit()
  }

  private static func members(_ scenario: Scenario, in folder: String) -> [JSONMember] {
    var members = scenario.written
    set("scenario", .string(scenario.name), in: &members, behind: [])
    set("about", .string(scenario.about), in: &members, behind: ["scenario"])
    if scenario.about.isEmpty { members.removeAll { $0.key == "about" } }
    set("seed", seed(scenario.seed), in: &members, behind: ["about", "scenario"])
    let plan = scenario.faultPlan.map { JSONNode($0.json) }
    if plan.isEmpty {
      members.removeAll { $0.key == "faults" }
    } else {
      set("faults", .array(plan), in: &members, behind: ["nemesis", "link", "workout", "workouts", "seed"])
    }
    members.removeAll { $0.key == "nemesis" }
    if case .object(let resolved) = scenario.resolved.value, let script = resolved.first(where: { $0.key == "script" }),
      let index = members.firstIndex(where: { $0.key == "script" })
    {
      members[index].node = script.node
    }
    Scenario.setPaths(of: scenario.workouts, in: &members) { FilePath.relative($0, to: folder) }
    Scenario.setPrograms(of: scenario, in: &members, folder: folder)
    Scenario.setActs(of: scenario, in: &members)
    return members
  }

  /// Replaces a member, or inserts it after the first of some others that is present.
  private static func set(_ key: String, _ value: JSONValue, in members: inout [JSONMember], behind others: [String]) {
    if let index = members.firstIndex(where: { $0.key == key }) {
      members[index].node = JSONNode(value)
      return
    }
    let place = others.compactMap { other in members.firstIndex { $0.key == other } }.first
    members.insert(JSONMember(key, value), at: place.map { $0 + 1 } ?? 0)
  }

  /// A number if every JSON reader keeps all of its digits; otherwise a string.
  private static func seed(_ seed: UInt64) -> JSONValue {
    seed < 1 << 53 ? .integer(Int64(seed)) : .string(String(seed))
  }
}
