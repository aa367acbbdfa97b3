import Console
package import Link

/// Follows everything that lasts in a run, from the lines that begin and end it: states, beliefs, silence, cuts,
/// faults, spoken lines.
struct BandFollower {
  /// The track of a band; a track has at most one band at a time.
  enum Track: Hashable {
    case watchState, watchApp, watchReach, link, uplink, belief, liveness, phoneReach, phoneApp, coach
    /// A fault, by its id.
    case fault(String)

    /// The name for readers.
    var title: String {
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
  enum Tone: Int {
    case plain, good, quiet, trouble, speech, fault
  }

  /// The beginning of a band or, without a label, the end of the current one.
  struct Change {
    var track: Track
    var label: String?
    var tone = Tone.plain
    /// Details, as pairs of name and value.
    var details: [(name: String, value: String)] = []
  }

  private var lines = SpokenLines()
  private var isLive = false
  /// Maximum number of fault tracks; a hostile trace may name a new fault on every line.
  private static let faultsMax = 4_096
  private var faults = 0

  /// Observes the next event.
  ///
  /// - Returns: The bands that it begins and ends; usually none.
  mutating func observe(_ event: TraceEvent) -> [Change] {
    switch event.name {
    case WorkoutStateChanged.name: return [state(event, .watchState)]
    case RunStateChanged.name: return believe(event)
    case SnapshotFresh.name:
      guard !isLive else { return [] }
      isLive = true
      return [Change(track: .liveness, label: "live", tone: .good)]
    case LivenessLost.name:
      isLive = true
      return [Change(track: .liveness, label: "watch silent", tone: .trouble)]
    case LivenessRegained.name:
      let isEnd = event["reason"]?.text == "ended"
      isLive = !isEnd
      return [Change(track: .liveness, label: isEnd ? nil : "live", tone: .good)]
    case LinkWentDown.name:
      let cause = event["cause"]?.text ?? ""
      return [
        Change(
          track: event.place == .uplink ? .uplink : .link, label: "cut", tone: .trouble, details: [("cause", cause)])
      ]
    case LinkCameUp.name: return [Change(track: event.place == .uplink ? .uplink : .link)]
    case ReachabilityChanged.name:
      guard event.place == .watch || event.place == .phone else { return [] }
      let isReachable = event["reachable"]?.boolean ?? true
      return [
        Change(
          track: event.place == .watch ? .watchReach : .phoneReach, label: isReachable ? nil : "unreachable",
          tone: .quiet)
      ]
    case FaultBegan.name: return begin(event)
    case FaultEnded.name: return [Change(track: .fault(event["fault"]?.text ?? ""))]
    case NodeKilled.name: return node(event, "app down")
    case NodeSuspended.name: return node(event, "asleep")
    case NodeStarted.name, NodeResumed.name: return node(event, nil)
    default: return speak(event)
    }
  }

  private mutating func believe(_ event: TraceEvent) -> [Change] {
    var changes = [state(event, .belief)]
    if event["to"]?.text == "ended" {
      isLive = false
      changes.append(Change(track: .liveness))
    }
    return changes
  }

  private func state(_ event: TraceEvent, _ track: Track) -> Change {
    let to = event["to"]?.text ?? ""
    let tone: Tone = to == "running" ? .good : to == "paused" ? .quiet : .plain
    return Change(
      track: track, label: to == "ended" ? nil : to, tone: tone, details: [("cause", event["cause"]?.text ?? "")])
  }

  private mutating func begin(_ event: TraceEvent) -> [Change] {
    faults += 1
    guard faults <= Self.faultsMax else { return [] }
    var details: [(name: String, value: String)] = [("id", event["fault"]?.text ?? "")]
    if case .json(let params)? = event["params"] { details.append(("params", params)) }
    let kind = (event.place == .uplink ? "uplink " : "") + (event["kind"]?.text ?? "fault")
    return [Change(track: .fault(event["fault"]?.text ?? ""), label: kind, tone: .fault, details: details)]
  }

  private func node(_ event: TraceEvent, _ label: String?) -> [Change] {
    switch event["target"]?.text {
    case "watch": [Change(track: .watchApp, label: label, tone: .trouble)]
    case "phone": [Change(track: .phoneApp, label: label, tone: .trouble)]
    default: []
    }
  }

  private mutating func speak(_ event: TraceEvent) -> [Change] {
    lines.observe(event)
    switch event.name {
    case AudioStarted.name:
      let id = event["message"]?.text ?? ""
      return [Change(track: .coach, label: lines.text(of: id), tone: .speech, details: [("message", id)])]
    case AudioEnded.name, AudioInterrupted.name: return [Change(track: .coach)]
    default: return []
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
    switch event.name {
    case ScriptLoaded.name:
      for message in StoryJSON.node(event["script"])?["messages"]?.elements ?? [] {
        guard let id = message["id"]?.text else { continue }
        texts[id] = message["text"]?.text ?? ""
      }
    case AIReplied.name, AIAnsweredFromCache.name, AIFellBack.name:
      if let id = event["id"]?.text, let text = event["text"]?.text { texts[id] = text }
    default: return
    }
  }

  /// The text of a message; its id if the text is unknown.
  package func text(of id: String) -> String { TerminalText.escape(texts[id] ?? id) }
}
