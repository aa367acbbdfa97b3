package import Console
package import Link

/// The content of a node process's `welcome`: the scenario, the run's seed and the instant, as one JSON object.
package struct NodeSetup {
  /// The scenario with the run's seed.
  package var scenario: Scenario
  /// When the node starts.
  package var now: VirtualTime
  /// With a journal, the number of the last grant whose answer the conductor has; nil without.
  package var answered: UInt64?

  /// The text of a `welcome`.
  static func text(_ scenario: Scenario, at now: VirtualTime, answered: UInt64? = nil) -> String {
    var members = [JSONMember("seed", .string(String(scenario.seed))), JSONMember("now", .integer(now.nanoseconds))]
    if let answered { members.append(JSONMember("answered", .integer(Int64(clamping: answered)))) }
    members.append(JSONMember("scenario", .object(scenario.nodeMembers)))
    return String(decoding: JSONWriter.compact(JSONNode(.object(members))), as: UTF8.self)
  }

  /// The text of a `welcome` for an app in virtual time: what its session needs, always in the same shape.
  ///
  /// Parsing leaves traces in a process (instantiated generic types, memory layout). A removed fault, as in shrinking,
  /// or a scenario from a trace's header must not change how the app's threads run.
  static func appText(_ scenario: Scenario, at now: VirtualTime, answered: UInt64?) -> String {
    func span(_ span: VirtualTime.Span) -> JSONValue { .string("\(span.nanoseconds)ns") }
    let timeout = scenario.ownReplyTimeout ?? appReplyTimeout
    let delay = scenario.link.backgroundDelay ?? .ofApps
    let link = JSONMember(
      "backgroundDelay", .object([JSONMember("least", span(delay.least)), JSONMember("most", span(delay.most))]))
    var members = [JSONMember("seed", .string(String(scenario.seed))), JSONMember("now", .integer(now.nanoseconds))]
    if let answered { members.append(JSONMember("answered", .integer(Int64(clamping: answered)))) }
    var settings = [
      JSONMember("startedAt", .string(scenario.start.text)), JSONMember("replyTimeout", span(timeout)),
      JSONMember("link", .object([link])),
    ]
    if let name = scenario.payloadName {
      settings.append(JSONMember("payload", .object([JSONMember("name", .string(name.text))])))
    }
    let checks = scenario.checks.compactMap(\.appMember)
    if !checks.isEmpty { settings.append(JSONMember("checks", .object(checks))) }
    members.append(JSONMember("scenario", .object(settings)))
    return String(decoding: JSONWriter.compact(JSONNode(.object(members))), as: UTF8.self)
  }

  /// The default timeout of an app's messages: docs/watchconnectivity-reference.md.
  private static let appReplyTimeout = VirtualTime.Span.seconds(300)

  /// Reads the text of a `welcome`.
  package static func read(_ text: String) throws(Failure) -> NodeSetup {
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
