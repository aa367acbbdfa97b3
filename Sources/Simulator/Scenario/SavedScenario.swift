package import Console
import Foundation
package import Link

/// Writes a scenario as a file that repeats one run, with its seed, its complete fault plan and its script.
package enum SavedScenario {
  /// The text of the file, in JSON5; comments of the original file are lost.
  ///
  /// - Parameters:
  ///   - scenario: The scenario with the run's seed.
  ///   - folder: The folder of the file: to which the path of a recorded workout is relative.
  package static func text(_ scenario: Scenario, in folder: String) -> String {
    JSONWriter.pretty(node(scenario, in: folder), width: 120)
  }

  /// The file's content.
  package static func node(_ scenario: Scenario, in folder: String) -> JSONNode {
    scenario.settled.node(in: folder)
  }

  /// The scenario with the mark of a saved file if it names programs: reading it elsewhere must not start them.
  package static func marked(_ scenario: Scenario) -> Scenario {
    var marked = scenario
    marked.isSaved = !scenario.programs.isEmpty
    return marked
  }

  /// Writes the file.
  package static func write(_ scenario: Scenario, to path: String) throws(Failure) {
    try write(scenario, to: OutputFile(path, as: .scenario))
  }

  /// Writes an open file, and moves it to its final name.
  package static func write(_ scenario: Scenario, to file: OutputFile) throws(Failure) {
    try file.finish(Array(text(marked(scenario), in: FilePath.folder(of: file.path)).utf8))
  }
}

extension Scenario {
  /// The scenario as a file in a folder has it.
  package func node(in folder: String) -> JSONNode {
    var scenario = mappingFiles { FilePath.relative($0, to: folder) }
    for role in appRoles { scenario.programs[role]?.text = programs[role]?.text(relativeTo: folder) ?? "" }
    if programs.isEmpty { scenario.appTime = AppTime() }
    return JSONNode(.object(Self.schema.members(of: scenario, .brief)))
  }

  /// What a built-in node must know, as one JSON object; it refers to no other file than a workout's.
  var nodeMembers: [JSONMember] {
    var scenario = self
    (scenario.programs, scenario.appTime, scenario.acts) = (UserPrograms(), AppTime(), [])
    (scenario.expectations, scenario.situations) = ([], [])
    scenario.athleteSetup = AthleteSetup()
    scenario.actDraw = nil
    return Self.schema.members(of: scenario, .brief)
  }
}
