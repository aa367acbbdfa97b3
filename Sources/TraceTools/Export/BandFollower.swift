import Console
package import Link

/// Follows everything that lasts in a run, from the lines that begin and end it: states, beliefs, silence, cuts,
/// faults, spoken lines.
package struct BandFollower {
  /// The track of a band; a track has at most one band at a time.
  package enum Track: Hashable {
    case watchState, watchApp, watchReach, link, uplink, belief, liveness, phoneReach, phoneApp, coach
    /// A fault, by its id.
    case fault(String)

    /// The name for readers.
    package var title: String {
      switch self {
      case .watchState: "workout"
      case .watchApp, .phoneApp: "app"
      case .watchReach, .phoneReach: "reachability"
      case .link: "link"
      case .uplink: "uplink"
      case .belief: "belief"
      case .liveness: "liveness"
      case .coach: "coach"
      case .fault(let id): id
      }
    }
  }

  /// The highlighting of a band.
  package enum Tone: Int {
    case plain, good, quiet, trouble, speech, fault
  }

  /// The beginning of a band or, without a label, the end of the current one.
  package struct Change {
    package var track: Track
    package var label: String?
    package var tone = Tone.plain
    /// Details, as pairs of name and value.
    var details: [(name: String, value: String)] = []
  }

  private var lines = SpokenLines()
  private var isLive = false
  /// Maximum number of fault tracks; a hostile trace may name a new fault on every line.
  private static let faultsMax = 4_096
  private var faults = 0

  package init() {}

  /// Observes the next event.
  ///
  /// - Returns: The bands that it begins and ends; usually none.
  package mutating func observe(_ event: TraceEvent) -> [Change] {
    switch event.body {
    case .workoutState(let change): return [state(change.to, change.cause, .watchState)]
    case .runState(let change):
      var changes = [state(change.to, change.cause, .belief)]
      if change.to == "ended" {
        isLive = false
        changes.append(Change(track: .liveness))
      }
      return changes
    case .snapshotFresh:
      guard !isLive else { return [] }
      isLive = true
      return [Change(track: .liveness, label: "live", tone: .good)]
    case .livenessDisconnected:
      isLive = true
      return [Change(track: .liveness, label: "watch silent", tone: .trouble)]
    case .livenessReconnected(let relief):
      isLive = relief.reason != "ended"
      return [Change(track: .liveness, label: isLive ? "live" : nil, tone: .good)]
    case .linkDown(let down):
      return [
        Change(
          track: event.place == .uplink ? .uplink : .link, label: "cut", tone: .trouble,
          details: [("cause", down.cause)])
      ]
    case .linkUp: return [Change(track: event.place == .uplink ? .uplink : .link)]
    case .reachability(let change):
      guard event.place == .watch || event.place == .phone else { return [] }
      return [
        Change(
          track: event.place == .watch ? .watchReach : .phoneReach, label: change.reachable ? nil : "unreachable",
          tone: .quiet)
      ]
    case .faultBegin(let fault): return begin(fault, isOnUplink: event.place == .uplink)
    case .faultEnd(let fault): return [Change(track: .fault(fault.fault))]
    case .nodeKilled(let node): return changeApp(node.target, "app down")
    case .nodeSuspended(let node): return changeApp(node.target, "asleep")
    case .nodeStarted(let node): return changeApp(node.target, nil)
    case .nodeResumed(let node): return changeApp(node.target, nil)
    case .audioStart(let audio):
      let id = audio.message
      return [Change(track: .coach, label: lines.text(of: id), tone: .speech, details: [("message", id)])]
    case .audioEnd, .audioInterrupted: return [Change(track: .coach)]
    default:
      lines.observe(event)
      return []
    }
  }

  private func state(_ state: String, _ cause: String, _ track: Track) -> Change {
    let tone: Tone = state == "running" ? .good : state == "paused" ? .quiet : .plain
    return Change(track: track, label: state == "ended" ? nil : state, tone: tone, details: [("cause", cause)])
  }

  private mutating func begin(_ fault: FaultBegan, isOnUplink: Bool) -> [Change] {
    faults += 1
    guard faults <= Self.faultsMax else { return [] }
    let label = (isOnUplink ? "uplink " : "") + fault.kind
    return [
      Change(
        track: .fault(fault.fault), label: label, tone: .fault,
        details: [("id", fault.fault), ("params", fault.params.text)])
    ]
  }

  private func changeApp(_ node: NodeRole, _ label: String?) -> [Change] {
    switch node {
    case .watch: [Change(track: .watchApp, label: label, tone: .trouble)]
    case .phone: [Change(track: .phoneApp, label: label, tone: .trouble)]
    case .edge: []
    }
  }
}

/// The texts of the coach's lines, by the ids of their messages.
package struct SpokenLines {
  /// For lookup only.
  private var texts: [String: String] = [:]
  private static let textsMax = 100_000

  package init() {}

  package mutating func observe(_ event: TraceEvent) {
    guard texts.count < Self.textsMax else { return }
    switch event.body {
    case .scriptLoaded(let loaded):
      for message in loaded.script.node?["messages"]?.elements ?? [] {
        guard let id = message["id"]?.text else { continue }
        texts[id] = message["text"]?.text ?? ""
      }
    case .aiReply(let reply): learn(reply.answer)
    case .aiCached(let reply): learn(reply.answer)
    case .aiFallback(let reply): learn(reply.answer)
    default: return
    }
  }

  private mutating func learn(_ answer: AnswerFields) {
    if let text = answer.text { texts[answer.id.text] = text }
  }

  /// The text of a message; its id if the text is unknown.
  package func text(of id: String) -> String { TerminalText.escape(texts[id] ?? id) }
}
