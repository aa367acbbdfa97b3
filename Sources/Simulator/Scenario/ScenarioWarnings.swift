import CoachProtocol
import Console
package import Link
import PhoneSim
import WatchSim

/// Finds parts of a scenario that can never have an effect, whatever the seed: expectations that nothing can match,
/// faults that never strike, lines of the script that are never due.
struct ScenarioWarnings {
  /// A warning with its position in the file.
  struct Warning: Equatable {
    var text: String
    var position: TextPosition
  }

  private(set) var all: [Warning] = []
  private let scenario: Scenario

  init(_ scenario: Scenario) {
    self.scenario = scenario
    for (index, expectation) in scenario.expectations.enumerated() {
      for text in objections(to: expectation.node) {
        all.append(Warning(text: "expect[\(index)]: \(text)", position: expectation.node.position))
      }
    }
    for fault in scenario.faults { check(fault) }
    checkEvents()
    checkScript()
  }

  /// Warns about lines of the script whose distance or time no workout reaches.
  private mutating func checkScript() {
    guard scenario.programs.isEmpty, let text = scenario.scriptText,
      let node = try? JSONParser.parse(text, dialect: .json)
    else { return }
    // The athlete of the model stops at the first step at or past the distance.
    let distances = scenario.workouts.map { workout in
      if case .model(let runner) = workout.source { runner.distance + 20 } else { Double.infinity }
    }
    let farthest = distances.max() ?? .infinity
    let longest = (scenario.endAtLatest - .start).seconds
    for message in node["messages"]?.elements ?? [] {
      guard let id = message["id"]?.text, let trigger = message["triggerSpec"] else { continue }
      let metres = trigger["atMeters"]?.double ?? 0
      let seconds = trigger["atSeconds"]?.double ?? 0
      guard metres > farthest || seconds > longest else { continue }
      let why =
        metres > farthest
        ? "it is at \(MeasureText.metres(metres)), and no workout is as long"
        : "it is at \(StoryText.clock(seconds: Int64(min(seconds, 1e9)))), and the run ends at \(StoryText.clock(scenario.endAtLatest))"
      all.append(
        Warning(text: "the line \(quoted(id)) of the script is never due: \(why)", position: .nowhere))
    }
  }

  /// Warns about events after the end, which are never carried out.
  private mutating func checkEvents() {
    let end = scenario.endAtLatest
    for timed in scenario.watchCommands + scenario.phoneCommands where timed.at >= end {
      all.append(
        Warning(
          text: "\(quoted(timed.command.name)) at \(StoryText.clock(timed.at)) never happens: the run ends at"
            + " \(StoryText.clock(end)) at the latest", position: timed.position))
    }
    for later in scenario.laterWorkouts where later.startedBy != .phone && later.at >= end {
      all.append(
        Warning(
          text: "the workout at \(StoryText.clock(later.at)) never starts: the run ends at \(StoryText.clock(end))",
          position: .nowhere))
    }
  }

  private mutating func check(_ fault: PlannedFault) {
    // A fault that begins after the end is reported when it is read.
    guard fault.end == fault.begin else { return }
    let why = "it lasts no time"
    all.append(Warning(text: "the fault \(quoted(fault.id)) never strikes: \(why)", position: .nowhere))
  }

  // MARK: Expectations

  /// Why an expectation can never match; empty if it can.
  private func objections(to node: JSONNode) -> [String] {
    var found: [String] = []
    for key in ["event", "never", "count", "always"] {
      if let name = node[key]?.text { found += objections(to: name, node["where"]) }
    }
    for key in ["after", "until"] {
      if let other = node[key], let name = other["event"]?.text {
        found += objections(to: name, other["where"])
      }
    }
    if let ids = messageIds {
      for id in node["dispatched"]?.elements.compactMap(\.text) ?? [] where !ids.contains(id) {
        found.append(unknown(id, "line of the script", among: ids))
      }
    }
    return found
  }

  private func objections(to name: String, _ condition: JSONNode?) -> [String] {
    guard let condition else { return [] }
    var found: [String] = []
    let ofScript = name.hasPrefix("script.") || name.hasPrefix("audio.") || name == "haptic"
    if ofScript, let id = condition["message"]?.text, let ids = messageIds, !ids.contains(id) {
      found.append(unknown(id, "line of the script", among: ids))
    }
    if ["script.dispatch", "script.expired", "script.skipped"].contains(name),
      let type = condition["trigger"]?.text, let types = triggerTypes, !types.contains(type)
    {
      found.append(unknown(type, "trigger of the script", among: types))
    }
    let key = name.hasPrefix("link.") ? "cause" : name.hasPrefix("fault.") || name == "frame.dropped" ? "fault" : nil
    if let key, let id = condition[key]?.text, let ids = faultIds, !ids.contains(id) {
      found.append(unknown(id, "fault", among: ids))
    }
    return found
  }

  private func unknown(_ id: String, _ what: String, among known: [String]) -> String {
    let hint = Spelling.nearest(to: id, among: known).map { "; did you mean \(quoted($0))?" } ?? ""
    return "nothing ever matches: no \(what) is \(quoted(id))\(hint)"
  }

  private func quoted(_ text: String) -> String { "\"\(text)\"" }

  /// The ids of the script; nil if others may come: an edge writes scripts and answers.
  private var messageIds: [String]? {
    guard scenario.edge == nil, scenario.programs.isEmpty else { return nil }
    return scenario.script.messages.map(\.id)
  }

  /// The types of the script's triggers; nil if others may come.
  private var triggerTypes: [String]? {
    guard scenario.edge == nil, scenario.programs.isEmpty, let text = scenario.scriptText,
      let node = try? JSONParser.parse(text, dialect: .json)
    else { return nil }
    return node["messages"]?.elements.compactMap { $0["triggerSpec"]?["type"]?.text } ?? []
  }

  /// The ids of the faults; nil if a nemesis draws others.
  private var faultIds: [String]? { scenario.nemesis == nil ? scenario.faults.map(\.id) : nil }
}

/// The parts of a scenario that a sweep with `--nemesis` does not judge.
package struct UnjudgedParts: Sendable {
  package var expectations: [ReadExpectation] = []
  package var situations: [Situation] = []

  package init(expectations: [ReadExpectation] = [], situations: [Situation] = []) {
    (self.expectations, self.situations) = (expectations, situations)
  }

  package var isEmpty: Bool { expectations.isEmpty && situations.isEmpty }

  /// The expectations as canonical JSON text.
  package var expectationTexts: [String] {
    expectations.map { String(decoding: JSONWriter.compact($0.node), as: UTF8.self) }
  }

  /// Why they are not judged.
  package static let reason = "--nemesis draws faults that the file does not have"

  /// How many of each there are, if any.
  package static func count(_ all: [UnjudgedParts]) -> String? {
    let expectations = all.reduce(0) { $0 + $1.expectations.count }
    let situations = all.reduce(0) { $0 + $1.situations.count }
    let parts = [(expectations, "expectation"), (situations, "situation")].filter { $0.0 > 0 }
    guard !parts.isEmpty else { return nil }
    return parts.map { StoryText.count($0, $1) }.joined(separator: " and ")
  }
}
