package import Console
package import Link
package import Simulator

/// The scenario of a run on the page, with what hands have added to it.
///
/// It is the scenario as `--save` writes it, and each touch adds one entry, or ends one. The run is made from what is
/// read back of this
/// text, by the reader of scenario files: what the page shows is what the saved file repeats.
package struct PairDocument {
  /// Something that was done by hand.
  package struct Touch {
    package let at: VirtualTime
    /// For people: `link cut`.
    package let text: String
    fileprivate let before: JSONNode
  }

  /// The scenario as a file in ``folder`` has it.
  package private(set) var node: JSONNode
  package private(set) var touches: [Touch] = []
  /// The scenario that ``node`` is.
  package private(set) var scenario: Scenario
  private let folder: String

  private static let touchesMax = 2_000
  /// Kinds of faults that end with a start of their device, and the key that says when.
  private static let endKeys: [(kind: String, end: String)] = [
    ("kill", "restartAfter"), ("reboot", "unlockAfter"), ("appUpdate", "takes"),
  ]

  /// - Parameter folder: The folder that the file is saved in, to which its paths are relative.
  /// - Throws: For a scenario that cannot be saved and read back.
  package init(_ scenario: Scenario, folder: String) throws(Failure) {
    self.folder = folder
    node = SavedScenario.node(scenario, in: folder)
    self.scenario = scenario
    self.scenario = try read(node)
  }

  /// Begins a fault at an instant, as a scenario spells it without `at`.
  ///
  /// - Throws: For what is no fault, or not one of this scenario.
  package mutating func begin(_ fault: [JSONMember], at time: VirtualTime, text: String) throws(Failure) {
    guard !fault.contains(where: { $0.key == "at" || $0.key == "id" }) else {
      throw .input("a fault by hand: found \"at\" or \"id\", expected neither: it begins now")
    }
    let taken = Set((node["faults"]?.elements ?? []).compactMap { $0["id"]?.text })
    var number = 1
    while taken.contains("touch-\(number)") { number += 1 }
    let members = [JSONMember("id", .string("touch-\(number)")), Self.at(time)] + fault
    try change(appending(members, to: ["faults"]), at: time, text: text)
  }

  /// Ends a fault that is on.
  ///
  /// - Throws: For a fault that is not in the scenario, or that ended before.
  package mutating func end(_ id: String, at time: VirtualTime, text: String) throws(Failure) {
    var faults = node["faults"]?.elements ?? []
    guard let index = faults.firstIndex(where: { $0["id"]?.text == id }),
      case .object(var members) = faults[index].value,
      let begin = members.first(where: { $0.key == "at" })?.node.seconds
    else { throw .input("found no fault \"\(TerminalText.escape(id))\" in the scenario, expected one that is on") }
    let length = time - VirtualTime(nanoseconds: Int64((begin * 1e9).rounded()))
    guard length.nanoseconds > 0 else { throw .input("the fault begins now: it cannot end before that") }
    // A device that is down comes back; everything else lasts.
    let key = Self.endKeys.first { key in members.contains { $0.key == key.kind } }?.end ?? "for"
    members.removeAll { $0.key == key }
    members.append(JSONMember(key, .string(DurationText.text(length))))
    faults[index] = JSONNode(.object(members))
    try change(setting(["faults"], to: .array(faults)), at: time, text: text)
  }

  /// Adds a press on the watch, or something that happens to the phone, as a scenario spells it without `at`.
  package mutating func add(
    _ event: [JSONMember], on role: NodeRole, at time: VirtualTime, text: String
  ) throws(Failure) {
    let members = [Self.at(time)] + event.filter { $0.key != "at" }
    try change(
      appending(members, to: role == .phone ? ["phone", "events"] : watchEvents(at: time)), at: time, text: text)
  }

  /// Adds an act of an app of the user's own, as a scenario spells it without `at`.
  package mutating func act(
    _ act: [JSONMember], on role: NodeRole, at time: VirtualTime, text: String
  ) throws(Failure) {
    let members = [Self.at(time)] + act.filter { $0.key != "at" }
    try change(appending(members, to: [role.text, "acts"]), at: time, text: text)
  }

  /// Starts another workout on the watch, of the kind of the last one.
  ///
  /// - Throws: While the scenario has a workout that starts later.
  package mutating func startWorkout(at time: VirtualTime) throws(Failure) {
    var list = node["workouts"]?.elements ?? [node["workout"] ?? JSONNode(.object([]))]
    guard case .object(var last)? = list.last?.value else { return }
    // What the first workout says for all, and what happens in it alone.
    last.removeAll { ["events", "at", "mode", "personality", "runType", "startedBy"].contains($0.key) }
    list.append(JSONNode(.object(last + [Self.at(time)])))
    var members = self.members.filter { $0.key != "workout" && $0.key != "workouts" }
    members.append(JSONMember("workouts", .array(list)))
    try change(JSONNode(.object(members)), at: time, text: "workout started on the watch")
  }

  /// Takes the last touch back; false if there is none.
  package mutating func undo() throws(Failure) -> Bool {
    guard let last = touches.last else { return false }
    scenario = try read(last.before)
    node = last.before
    touches.removeLast()
    return true
  }

  // MARK: The node

  private var members: [JSONMember] { if case .object(let members) = node.value { members } else { [] } }

  private static func at(_ time: VirtualTime) -> JSONMember {
    JSONMember("at", .string(DurationText.text(time - .start)))
  }

  /// Where a press on the watch is written: in the latest workout that has begun.
  private func watchEvents(at time: VirtualTime) -> [String] {
    guard let list = node["workouts"]?.elements, !list.isEmpty else { return ["workout", "events"] }
    let seconds = Double(time.nanoseconds) / 1e9
    let index = list.lastIndex { ($0["at"]?.seconds ?? 0) <= seconds } ?? 0
    return ["workouts", String(index), "events"]
  }

  private func appending(_ members: [JSONMember], to path: [String]) -> JSONNode {
    let list = node.node(atPath: path)?.elements ?? []
    return setting(path, to: .array(list + [JSONNode(.object(members))]))
  }

  private func setting(_ path: [String], to value: JSONValue) -> JSONNode {
    node.setting(path[...], to: JSONNode(value))
  }

  private mutating func change(_ changed: JSONNode, at time: VirtualTime, text: String) throws(Failure) {
    guard touches.count < Self.touchesMax else { throw .input("found \(touches.count) touches, expected no more") }
    scenario = try read(changed)
    touches.append(Touch(at: time, text: text, before: node))
    node = changed
  }

  /// Reads the scenario of a node, as from a file.
  private func read(_ node: JSONNode) throws(Failure) -> Scenario {
    // Written and read as text, so that it is what a file would be.
    let text = Array(JSONWriter.pretty(node, width: 120).utf8)
    let (scenario, diagnostics) = Scenario.read(text, file: "the run as a scenario", folder: folder)
    if diagnostics.contains(where: { $0.hasErrors }) {
      throw .input(
        diagnostics.flatMap { $0.list }.filter { $0.severity == .error }.map(\.message).joined(separator: "; "))
    }
    try scenario.checkApps()
    return scenario
  }
}

extension JSONNode {
  /// The value at a path of keys, and of numbers for elements; nil if there is none.
  fileprivate func node(atPath path: [String]) -> JSONNode? {
    var node: JSONNode? = self
    for key in path {
      if let elements = node?.elements, let index = Int(key) {
        node = elements.indices.contains(index) ? elements[index] : nil
      } else {
        node = node?[key]
      }
    }
    return node
  }

  /// The node with the value at such a path set; objects on the way are made.
  fileprivate func setting(_ path: ArraySlice<String>, to value: JSONNode) -> JSONNode {
    guard let key = path.first else { return value }
    let rest = path.dropFirst()
    if case .array(var elements) = self.value, let index = Int(key), elements.indices.contains(index) {
      elements[index] = elements[index].setting(rest, to: value)
      return JSONNode(.array(elements))
    }
    var members: [JSONMember] = if case .object(let members) = self.value { members } else { [] }
    if let index = members.firstIndex(where: { $0.key == key }) {
      members[index].node = members[index].node.setting(rest, to: value)
    } else {
      members.append(JSONMember(key, JSONNode(.object([])).setting(rest, to: value).value))
    }
    return JSONNode(.object(members))
  }
}
