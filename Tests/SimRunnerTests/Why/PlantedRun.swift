import Link

@testable import Simulator
@testable import TraceTools
@testable import Console

/// A field scenario with its bug planted, as a trace.
enum PlantedRun {
  static func trace(_ name: String, isPlanted: Bool = true) throws -> RecordedTrace {
    var scenario = try Scenario.load(Tool.scenario("field/\(name)"))
    if isPlanted, let plant = PlantCatalog.all.first(where: { $0.name == name }) { scenario.plant([plant]) }
    return try trace(scenario, name)
  }

  static func trace(_ scenario: Scenario, _ name: String) throws -> RecordedTrace {
    let bytes = Bytes()
    var options = RunOptions()
    options.showsPrograms = false
    options.output = { bytes.all += $0 }
    _ = try ScenarioRun.run(scenario, options)
    return try RecordedTrace(name, bytes.all)
  }

  private final class Bytes {
    var all: [UInt8] = []
  }

  /// The story of a trace.
  static func story(_ trace: RecordedTrace, _ filter: StoryFilter = StoryFilter()) -> [StoryLine] {
    var book = StoryBook(header: trace.header, filter: filter)
    for (index, event) in trace.events.enumerated() { book.observe(event, line: trace.line(of: index)) }
    return book.finish()
  }
}
