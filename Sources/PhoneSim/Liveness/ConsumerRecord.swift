import CoachProtocol
package import Link

/// The state of ``LiveMetricsConsumer`` that survives restarts.
///
/// A consumer restored from the last committed record continues where the crashed one stopped.
package struct ConsumerRecord: Sendable, Equatable {
  package internal(set) var freshness = Freshness()
  package internal(set) var belief = RunBelief()
  package internal(set) var start = PhoneStartHandshake()
  package internal(set) var liveness: LivenessMonitor

  /// The record of a phone's first start.
  package init(startedAt now: VirtualTime) { liveness = LivenessMonitor(startedAt: now) }
}

/// What the user's `startWorkout` and `endWorkout` mean.
extension ConsumerRecord {
  /// Why no run can be requested now; nil if one can.
  var startRefusal: String? {
    if start.asking != nil { return "a start is being asked for" }
    return belief.isOn || start.tracker?.isLive == true ? "a run is on" : nil
  }

  /// What can be ended.
  enum Endable {
    /// The run that the phone tracks itself.
    case tracker
    /// The run whose start is unanswered.
    case request(Identifier)
    /// A run that was given up, which the watch never had.
    case givenUp(Identifier)
    /// The watch's run.
    case run(Identifier)
  }

  /// What the user can end now; nil if no run is on.
  var endable: Endable? {
    if start.tracker?.isLive == true { return .tracker }
    if let request = start.asking { return .request(request.runId) }
    guard let runId = belief.workoutId, belief.state != .ended else { return nil }
    // Without a given-up start also a run that the watch acknowledged without any update so far.
    return runId == belief.awaited && belief.isGivenUp(runId) ? .givenUp(runId) : .run(runId)
  }
}

/// Belief and start handshake as one text: the same updates change both, so they are stored together.
extension ConsumerRecord {
  /// Compact JSON: the belief's members, and `start` once a start was requested.
  var beliefText: String {
    var members = RunBelief.schema.members(of: belief)
    if start != PhoneStartHandshake() {
      members.append(JSONMember("start", .object(PhoneStartHandshake.schema.members(of: start))))
    }
    return JSONValue.object(members).compactText
  }

  /// Reads what ``beliefText`` wrote.
  ///
  /// - Throws: What is wrong with it: a store's file may be damaged.
  mutating func readBelief(_ text: String) throws(Diagnostics) {
    let collector = DiagnosticsCollector(file: "belief")
    do {
      let node = try JSONParser.parse(text, dialect: .json)
      if let reader = JSONObjectReader(node, into: collector) {
        start = reader.object("start") { PhoneStartHandshake.schema.read($0) } ?? PhoneStartHandshake()
        belief = RunBelief.schema.readWhole(reader) ?? RunBelief()
      }
    } catch {
      collector.diagnostics.add(error)
    }
    guard collector.diagnostics.isEmpty else { throw collector.diagnostics }
  }
}
