import Link

/// A session's configuration, from its welcome.
struct RuntimeSetup: Sendable {
  var role: NodeRole
  var seed: UInt64
  /// The instant at which this start of the app begins.
  var now = VirtualTime.start
  /// The date at the run's start, in nanoseconds since 1970.
  var startedAt: Int64 = 1_767_254_400_000_000_000
  /// How long a message waits for its reply or its receipt: five minutes were observed (docs/your-app-reference.md).
  var replyTimeout = VirtualTime.Span.seconds(300)
  /// How long background transfers wait before they are sent.
  var backgroundDelay = BackgroundDelay.ofApps
  /// If nodes are killed at random moments, the number of the last grant whose answer the conductor has; else nil.
  var answered: UInt64?
  /// What names messages, contexts and transfers in the trace; nil for nothing.
  var payloadName: PayloadPath?
  /// The scenario's checks that this process makes.
  var checks = AppChecks()
  /// The device's folder for what outlives the app.
  var folder: String
}

extension RuntimeSetup {
  /// Reads the text of a `welcome`.
  ///
  /// - Throws: What is wrong with it, as text.
  init(welcome text: String, role: NodeRole, folder: String) throws(RuntimeError) {
    let collector = DiagnosticsCollector(file: "welcome")
    let node: JSONNode
    do throws(JSONError) { node = try JSONParser.parse(Array(text.utf8), dialect: .json) } catch {
      throw RuntimeError("welcome:\(error.description)")
    }
    guard let reader = JSONObjectReader(node, into: collector), let seed = reader.unsigned("seed", required: true),
      let now = reader.integer("now", in: 0...(.max), required: true)
    else { throw RuntimeError(collector.diagnostics.description) }
    self.init(role: role, seed: seed, folder: folder)
    self.now = VirtualTime(nanoseconds: now)
    answered = reader.unsigned("answered")
    let scenario: (VirtualTime.Span?, String?, BackgroundDelay?, String?, AppChecks?)? = reader.object("scenario") {
      scenario in
      let name = scenario.object("payload") { $0.string("name") }
      // Only this key: reading the whole profile would build its schema, a twentieth of an app's start.
      let delay = scenario.object("link") { $0.value("backgroundDelay").flatMap(BackgroundDelay.value.read) }
      return (
        scenario.duration("replyTimeout"), scenario.string("startedAt"), delay ?? nil, name ?? nil,
        scenario.object("checks") { AppChecks($0) }
      )
    }
    if let timeout = scenario?.0 { replyTimeout = timeout }
    if let delay = scenario?.2 { backgroundDelay = delay }
    if let checks = scenario?.4 { self.checks = checks }
    payloadName = (scenario?.3).flatMap { PayloadPath($0) }
    // Not by Foundation's formatter, which costs each start of an app a millisecond of ICU.
    if let text = scenario?.1, let date = TraceHeader.unixStart(text) { startedAt = date }
  }
}

/// Why a session cannot work at all.
struct RuntimeError: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
