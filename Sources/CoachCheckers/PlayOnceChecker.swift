import CoachReference
package import Link

/// `play-once`: a line that plays once is never repeated, whatever happens to link and phone.
package struct PlayOnceChecker: Checker {
  package static let invariant = "play-once"
  package static let about =
    "A play-once message, a point and a multiple are dispatched at most once in a run, restarts and new scripts included."

  private var belief = ReferenceBelief()
  /// The script in force.
  private var script: Source
  /// The line of each message's last dispatch in this run, and its multiple.
  private var spoken: [String: (line: Int, multiple: Int64)] = [:]

  /// A script, which is parsed when something is dispatched twice.
  private enum Source {
    case node(JSONNode)
    case text(String)
    /// Nil for an invalid script.
    case parsed(ReferenceScript?)

    /// The message with an id; nil if there is none, or for an invalid script.
    mutating func message(_ id: String) -> ReferenceScript.Message? {
      let script: ReferenceScript?
      switch self {
      case .node(let node): script = ReferenceScript(node)
      case .text(let text): script = (try? JSONParser.parse(text, dialect: .json)).flatMap { ReferenceScript($0) }
      case .parsed(let parsed): script = parsed
      }
      self = .parsed(script)
      return script?.messages.first { $0.id == id }
    }
  }

  package init(header: TraceHeader) { script = .node(header.script) }

  package mutating func runState(_ run: RunStateChanged, at event: Occurrence, into report: inout Report) {
    if belief.observe(run) { spoken = [:] }
  }

  package mutating func scriptLoaded(_ loaded: ScriptLoaded, at event: Occurrence, into report: inout Report) {
    script = .text(loaded.script.text)
  }

  package mutating func scriptDispatch(_ dispatch: ScriptDispatched, at event: Occurrence, into report: inout Report) {
    observeDispatch(dispatch.rank, event, &report)
  }

  private mutating func observeDispatch(
    _ rank: ScriptRank, _ event: Occurrence, _ report: inout Report
  ) {
    let id = rank.message
    let multiple = rank.multiple ?? 0
    defer { spoken[id] = (event.line, multiple) }
    guard let before = spoken[id] else { return }
    let isRepeat: Bool
    if rank.isReply {
      isRepeat = true
    } else if let message = script.message(id) {
      switch message.trigger {
      case .distance, .time, .halfway, .nearFinish, .nearEnd: isRepeat = true
      case .every: isRepeat = message.playsOnce || multiple <= before.multiple
      case .expression, .unknown: isRepeat = message.playsOnce
      }
    } else {
      isRepeat = multiple > 0 && multiple <= before.multiple
    }
    guard isRepeat else { return }
    report.add(
      "\"\(id)\" was dispatched again, though it plays once", at: event.time, lines: [before.line, event.line])
  }
}
