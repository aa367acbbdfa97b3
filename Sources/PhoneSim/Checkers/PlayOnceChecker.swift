package import Link

/// `play-once`: what is said once is said once, whatever the link and the phone went through.
package struct PlayOnceChecker: Checker {
  package static let invariant = "play-once"
  package static let about =
    "A play-once message, a point and a multiple are dispatched at most once in a run, restarts and new scripts included."
  package static let interests: [TraceEvent.Name] = ["run.state", "script.loaded", "script.dispatch"]

  private var belief = ReckonedBelief()
  /// The script that is in force; read where it is asked for, which is when something is dispatched twice.
  private var script: Source
  /// Where each message was dispatched last in this run, and with which multiple.
  private var spoken: [String: (line: Int, multiple: Int64)] = [:]

  private enum Source {
    case node(JSONNode)
    case text(String)

    /// nil for what is no script.
    var script: ReckonedScript? {
      switch self {
      case .node(let node): ReckonedScript(node)
      case .text(let text): (try? JSONParser.parse(text, dialect: .json)).flatMap { ReckonedScript($0) }
      }
    }
  }

  package init(header: TraceHeader) { script = .node(header.script) }

  package mutating func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {
    switch event.name.code {
    case TraceEvent.Name.Code.runState:
      if belief.observe(event) { spoken = [:] }
    case TraceEvent.Name.Code.scriptLoaded:
      if case .json(let text) = event["script"] { script = .text(text) }
    default: observeDispatch(event, line, &report)
    }
  }

  private mutating func observeDispatch(_ event: TraceEvent, _ line: Int, _ report: inout [Violation]) {
    guard let id = event["message"]?.text else { return }
    let multiple = event["multiple"]?.integer ?? 0
    defer { spoken[id] = (line, multiple) }
    guard let before = spoken[id] else { return }
    let isRepeat: Bool
    if event["trigger"]?.text == "ai_reply" {
      isRepeat = true
    } else if let message = script.script?.messages.first(where: { $0.id == id }) {
      switch message.trigger {
      case .distance, .time, .halfway, .nearFinish: isRepeat = true
      case .every: isRepeat = message.playsOnce || multiple <= before.multiple
      case .expression, .unknown: isRepeat = message.playsOnce
      }
    } else {
      isRepeat = multiple > 0 && multiple <= before.multiple
    }
    guard isRepeat else { return }
    report.append(Self.violation("\"\(id)\" was dispatched again", at: event.time, lines: [before.line, line]))
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
