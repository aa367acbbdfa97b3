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
    text(scenario.seed, at: now, answered: answered, scenario.nodeMembers)
  }

  /// The text of a `welcome` for an app in virtual time: what its session needs, always in the same shape.
  ///
  /// Parsing leaves traces in a process (instantiated generic types, memory layout). A removed fault, as in shrinking,
  /// or a scenario from a trace's header must not change how the app's threads run.
  static func appText(_ scenario: Scenario, at now: VirtualTime, answered: UInt64?) -> String {
    func span(_ span: VirtualTime.Span) -> JSONValue { .string("\(span.nanoseconds)ns") }
    let timeout = scenario.ownReplyTimeout ?? appReplyTimeout
    let delay = scenario.link.backgroundDelay ?? .ofApps
    let checks = scenario.madeChecks.compactMap(\.appMember)
    let settings = [JSONMember]([
      "startedAt": .string(scenario.start.text), "replyTimeout": span(timeout),
      "link": .fields(["backgroundDelay": .fields(["least": span(delay.least), "most": span(delay.most)])]),
      "payload": scenario.payloadName.map { .fields(["name": .string($0.text)]) },
      "checks": checks.isEmpty ? nil : .object(checks),
    ])
    return text(scenario.seed, at: now, answered: answered, settings)
  }

  private static func text(
    _ seed: UInt64, at now: VirtualTime, answered: UInt64?, _ scenario: [JSONMember]
  ) -> String {
    JSONOutput.line(
      [JSONMember]([
        "seed": .string(String(seed)), "now": .integer(now.nanoseconds), "answered": answered.map { .count($0) },
        "scenario": .object(scenario),
      ]))
  }

  /// The default timeout of an app's messages: docs/your-app-reference.md.
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
