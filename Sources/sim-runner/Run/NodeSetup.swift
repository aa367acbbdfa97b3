import Link

/// What a node process is told when it joins: the scenario, the run's seed and the instant, as one JSON object.
struct NodeSetup {
  /// What to simulate, with the run's seed.
  var scenario: Scenario
  /// When the node starts.
  var now: VirtualTime
  /// Where a journal is kept, the number of the last grant whose answer the conductor has; nil where none is.
  var answered: UInt64?

  /// The text of a `welcome`.
  static func text(_ scenario: Scenario, at now: VirtualTime, answered: UInt64? = nil) -> String {
    var members = [JSONMember("seed", .string(String(scenario.seed))), JSONMember("now", .integer(now.nanoseconds))]
    if let answered { members.append(JSONMember("answered", .integer(Int64(clamping: answered)))) }
    members.append(JSONMember(key: "scenario", at: .nowhere, scenario.resolved))
    return String(decoding: JSONWriter.compact(JSONNode(.object(members))), as: UTF8.self)
  }

  /// Reads the text of a `welcome`.
  static func read(_ text: String) throws(Failure) -> NodeSetup {
    let collector = DiagnosticsCollector(file: "welcome")
    let node: JSONNode
    do throws(JSONError) { node = try JSONParser.parse(Array(text.utf8), dialect: .json) } catch {
      throw .input("welcome:\(error.description)")
    }
    guard let reader = JSONObjectReader(node, into: collector),
      let seed = reader.unsigned("seed", required: true),
      let now = reader.integer("now", in: 0...(.max), required: true),
      let nested = reader.value("scenario", required: true)
    else { throw .problems(collector.diagnostics.lines) }
    var (scenario, diagnostics) = Scenario.read(JSONWriter.compact(nested.node), file: "welcome", folder: "/")
    guard !diagnostics.contains(where: { $0.hasErrors }) else {
      throw .problems(diagnostics.flatMap { $0.lines })
    }
    scenario.seed = seed
    return NodeSetup(
      scenario: scenario, now: VirtualTime(nanoseconds: now), answered: reader.unsigned("answered"))
  }
}
