package import Console
import Foundation
import Link
import PhoneSim

/// The scenario in a trace's header.
package struct RepeatedScenario {
  package var scenario: Scenario
  /// Notes for the user: what the header lacks, and what was used instead.
  package var notes: [String] = []
  /// Whether the header contains all that a whole run needs.
  package var isComplete = true

  /// Keys that header and scenario share.
  private static let shared = [
    "workout", "workouts", "phone", "watch", "payload", "checks", "edge", "run", "race", "plants",
    "athlete", "truth", "healthKit", "system", "units",
  ]

  /// Reconstructs the scenario.
  ///
  /// - Parameter workout: The recorded workout's file; nil to look for it beside the trace.
  /// - Throws: For a header with something that no scenario can have: position, found, expected.
  package init(_ trace: RecordedTrace, workout: String? = nil) throws(Failure) {
    let header = trace.header
    var members = [JSONMember]([
      "scenario": .string(header.scenario), "seed": .string(String(header.seed)),
      "startedAt": .string(header.startedAt), "timeZone": .string(header.timeZone),
      "duration": .string("\(max(1, header.duration.nanoseconds))ns"),
    ])
    members.append(JSONMember(key: "plan", at: header.plan.position, header.plan))
    if header.script.value != .null {
      members.append(JSONMember(key: "script", at: header.script.position, Self.script(of: header)))
    }
    members.append(JSONMember(key: "memory", at: header.memory.position, header.memory))
    if Self.hasMembers(header.link) { members.append(JSONMember(key: "link", at: header.link.position, header.link)) }
    if Self.hasMembers(header.uplink), !Self.isAbsent(header.uplink) {
      members.append(JSONMember(key: "uplink", at: header.uplink.position, header.uplink))
    }
    members.append(JSONMember(key: "faults", at: header.faults.position, header.faults))
    for extra in header.extras where Self.shared.contains(extra.key) { members.append(extra) }
    if let span = header.extra("replyTimeout")?.integer {
      members.append(JSONMember("replyTimeout", .string("\(max(0, span))ns")))
    }
    if let health = header.extra("health") { members.append(JSONMember("health", Self.health(health))) }
    let all = Self.expectations(trace)
    let expected = all.filter(Self.isReadable)
    if expected.count < all.count {
      let count = PlainText.count(all.count - expected.count, "expectation")
      notes.append("\(count) of the run can match nothing, which this release refuses: omitted")
    }
    if !expected.isEmpty { members.append(JSONMember("expect", .array(expected))) }
    let folder = FilePath.folder(of: trace.path)
    var (scenario, diagnostics) = Scenario.read(JSONNode(.object(members)), file: trace.path, folder: folder)
    if diagnostics.contains(where: { $0.hasErrors }) {
      throw .problems(diagnostics.flatMap { $0.lines })
    }
    if !header.utcOffsets.isEmpty {
      scenario.start.offsets = header.utcOffsets.map {
        WallHour.Offset(from: $0.time, seconds: Int64($0.seconds))
      }
    }
    self.scenario = scenario
    if header.extra("workout") == nil, header.extra("workouts") == nil {
      isComplete = false
      notes.append("the header does not say what the watch recorded; its run is not repeated")
    }
    if header.build != Version.text {
      notes.append("made by release \(header.build.isEmpty ? "unknown" : header.build), repeated by \(Version.text)")
    }
    for key in ["freeRunning", "proxy"] where header.extra(key) != nil {
      notes.append("the run had a part that is not repeatable (\(key))")
    }
    if let workout {
      guard case .recorded(_, let number, let stretch, let discipline) = scenario.workout.source else {
        throw .input("--workout: the run of \(trace.path) came from no recorded workout")
      }
      self.scenario.workout.source = .recorded(
        path: workout, number: number, stretch: stretch, discipline: discipline)
    }
    if let (key, path) = self.scenario.workout.source.file, !FileManager.default.fileExists(atPath: path) {
      isComplete = false
      notes.append(
        "the run came from the file \(TerminalText.escape(path)) (workout.source.\(key)), which is not there; "
          + "--workout FILE names it elsewhere")
    } else if let (_, path) = self.scenario.workout.source.file,
      let mismatch = WorkoutDigest.mismatch(header, file: path)
    {
      notes.append(mismatch)
    }
    for later in self.scenario.laterWorkouts {
      guard let (_, path) = later.source.file, !FileManager.default.fileExists(atPath: path) else { continue }
      isComplete = false
      notes.append("a later workout came from the file \(TerminalText.escape(path)), which is not there")
    }
  }

  /// The script without the lines that a race adds, because they are added again.
  private static func script(of header: TraceHeader) -> JSONNode {
    guard header.extra("race") != nil, let messages = header.script["messages"] else { return header.script }
    let kept = messages.elements.filter { message in
      guard let id = message["id"]?.text else { return true }
      return !id.hasPrefix("fueling.") && !id.hasPrefix("hydration.")
    }
    return header.script.replacing(["messages"], with: JSONNode(.array(kept), at: messages.position))
  }

  /// A lag in nanoseconds as a scenario writes it.
  private static func health(_ node: JSONNode) -> JSONValue {
    guard let nanoseconds = node["syncLag"]?.integer else { return node.value }
    return .fields(["syncLag": .string("\(max(0, nanoseconds))ns")])
  }

  /// Whether this release accepts an expectation; an older one may have accepted more.
  private static func isReadable(_ expectation: JSONNode) -> Bool {
    let collector = DiagnosticsCollector(file: "")
    _ = ExpectationCatalog.read(JSONValueReader(JSONNode(.array([expectation])), path: "expect", into: collector))
    return !collector.diagnostics.hasErrors
  }

  private static func hasMembers(_ node: JSONNode) -> Bool {
    if case .object(let members) = node.value { !members.isEmpty } else { false }
  }

  private static func isAbsent(_ node: JSONNode) -> Bool {
    node["exists"]?.boolean == false
  }

  /// The scenario's expectations, from the events before the end.
  private static func expectations(_ trace: RecordedTrace) -> [JSONNode] {
    var found: [JSONNode] = []
    for event in trace.events.reversed() {
      guard event.place == .runner else { break }
      guard event.name == "expectation" else { continue }
      guard case .json(let text)? = event["expectation"], let node = try? JSONParser.parse(text, dialect: .json)
      else { continue }
      found.append(node)
    }
    return found.reversed()
  }
}
