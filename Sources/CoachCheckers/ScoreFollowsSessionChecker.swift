package import Link

/// `score-follows-session`: a competition is a container, and its sessions are the truth.
package struct ScoreFollowsSessionChecker: Checker {
  package static let invariant = "score-follows-session"
  package static let about =
    "A competition's cached result is that of the session it refers to, also after the session was changed."

  private struct Result {
    var value: Int64?
    var line: Int
    var time: VirtualTime
  }

  /// A session, as one of the phones has it.
  private struct Session: Hashable {
    var id: Identifier
    var phone: Int64
  }

  /// A competition's result of a discipline, as one of the phones shows it.
  private struct Place: Hashable, Comparable {
    var phone: Int64
    var discipline: String

    static func < (lhs: Self, rhs: Self) -> Bool { (lhs.phone, lhs.discipline) < (rhs.phone, rhs.discipline) }
  }

  /// What the sessions say; nothing for one that was removed.
  private var sessions: [Session: Result] = [:]
  /// What competitions say: the session and its cached result.
  private var cached: [Place: (session: Session, result: Result)] = [:]

  package init(header: TraceHeader) {}

  package mutating func trainingStored(_ stored: TrainingStored, at event: Occurrence, into report: inout Report) {
    // The cache is refreshed at the instant of the change.
    compare(before: event.time, into: &report)
    sessions[Session(id: stored.sessionId, phone: 1)] = Result(value: stored.result, line: event.line, time: event.time)
  }

  package mutating func trainingEdited(_ edited: TrainingEdited, at event: Occurrence, into report: inout Report) {
    // The cache is refreshed at the instant of the change.
    compare(before: event.time, into: &report)
    let session = Session(id: edited.sessionId, phone: edited.phone ?? 1)
    sessions[session] = Result(value: edited.result, line: event.line, time: event.time)
  }

  package mutating func trainingRemoved(_ removed: TrainingRemoved, at event: Occurrence, into report: inout Report) {
    // The cache is refreshed at the instant of the change.
    compare(before: event.time, into: &report)
    let session = Session(id: removed.sessionId, phone: removed.phone ?? 1)
    sessions[session] = Result(value: nil, line: event.line, time: event.time)
  }

  package mutating func competitionUpdated(
    _ update: CompetitionUpdated, at event: Occurrence, into report: inout Report
  ) {
    // The cache is refreshed at the instant of the change.
    compare(before: event.time, into: &report)
    let session = Session(id: update.sessionId, phone: update.phone ?? 1)
    cached[Place(phone: session.phone, discipline: update.discipline)] = (
      session, Result(value: update.result, line: event.line, time: event.time)
    )
  }

  private mutating func compare(before now: VirtualTime?, into report: inout Report) {
    for place in cached.keys.sorted() {
      guard let (session, result) = cached[place], let truth = sessions[session], truth.value != result.value
      else { continue }
      if let now, max(truth.time, result.time) >= now { continue }
      report.add(
        "the competition\(place.phone == 2 ? " on the second phone" : "") shows \(Self.text(result.value)) for \(place.discipline), and its session says \(Self.text(truth.value))",
        at: max(truth.time, result.time), lines: [result.line, truth.line].sorted())
      // Each change is reported once.
      cached[place]?.result.value = truth.value
    }
  }

  private static func text(_ value: Int64?) -> String {
    guard let value else { return "no result" }
    var text = ""
    TraceValue.fixed(value, places: 3).append(to: &text)
    return text
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    // Without its end the trace may stop between a change and its refresh.
    compare(before: ending.isComplete ? nil : ending.time, into: &report)
  }
}
