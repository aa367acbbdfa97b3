package import Link

/// `score-follows-session`: a competition is a container, and its sessions are the truth.
package struct ScoreFollowsSessionChecker: Checker {
  package static let invariant = "score-follows-session"
  package static let about =
    "A competition's cached result is that of the session it refers to, also after the session was changed."
  package static let interests: [TraceEvent.Name] = ["training.stored", "training.edited", "training.competition"]

  private struct Result {
    var value: Int64?
    var line: Int
    var time: VirtualTime
  }

  /// What the sessions say, by session.
  private var sessions: [Identifier: Result] = [:]
  /// What competitions say, by discipline: the session and its cached result.
  private var cached: [String: (session: Identifier, result: Result)] = [:]

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    // The cache is refreshed at the instant of the change.
    compare(before: event.time, into: &report)
    switch event.body {
    case .trainingStored(let stored):
      sessions[stored.sessionId] = Result(value: stored.result, line: line, time: event.time)
    case .trainingEdited(let edited):
      sessions[edited.sessionId] = Result(value: edited.result, line: line, time: event.time)
    case .competitionUpdated(let update):
      cached[update.discipline] = (
        update.sessionId, Result(value: update.result, line: line, time: event.time)
      )
    default: break
    }
  }

  private mutating func compare(before now: VirtualTime?, into report: inout [Violation]) {
    for discipline in cached.keys.sorted() {
      guard let (session, result) = cached[discipline], let truth = sessions[session], truth.value != result.value
      else { continue }
      if let now, max(truth.time, result.time) >= now { continue }
      report.append(
        Self.violation(
          "the competition shows \(Self.text(result.value)) for \(discipline), and its session says \(Self.text(truth.value))",
          at: max(truth.time, result.time), lines: [result.line, truth.line].sorted()))
      // Each change is reported once.
      cached[discipline]?.result.value = truth.value
    }
  }

  private static func text(_ value: Int64?) -> String {
    guard let value else { return "no result" }
    var text = ""
    TraceValue.fixed(value, places: 3).append(to: &text)
    return text
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    // Without its end the trace may stop between a change and its refresh.
    compare(before: ending.isComplete ? nil : ending.time, into: &report)
  }
}
