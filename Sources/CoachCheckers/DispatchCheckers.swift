import CoachProtocol
import CoachReference
package import Link

/// `dispatch-justified`: every dispatched line was due.
package struct DispatchJustifiedChecker: Checker {
  package static let invariant = "dispatch-justified"
  package static let about =
    "A dispatched message belongs to the script, its trigger holds at the fresh snapshot that the line names, and the disk has room to store that it was played."

  private var reference: ReferenceRun

  package init(header: TraceHeader) { reference = ReferenceRun(header: header) }

  package mutating func scriptDispatch(_ dispatch: ScriptDispatched, at event: Occurrence, into report: inout Report) {
    if !dispatch.rank.isReply, let objection = objection(to: dispatch, at: event.time) {
      let lines = (reference.snapshot.map { [$0.line] } ?? []) + [event.line]
      report.add("\"\(dispatch.rank.message)\" \(objection)", at: event.time, lines: lines)
    }
    reference.observe(dispatch, at: event)
  }

  package mutating func snapshotFresh(_ snapshot: SnapshotFresh, at event: Occurrence, into report: inout Report) {
    reference.observe(snapshot, at: event)
  }

  package mutating func runState(_ run: RunStateChanged, at event: Occurrence, into report: inout Report) {
    reference.observe(run, at: event)
  }

  package mutating func scriptLoaded(_ loaded: ScriptLoaded, at event: Occurrence, into report: inout Report) {
    reference.observe(loaded, at: event)
  }

  package mutating func scriptExpired(_ expired: ScriptExpired, at event: Occurrence, into report: inout Report) {
    reference.observe(expired, at: event)
  }

  package mutating func scriptSkipped(_ skipped: ScriptSkipped, at event: Occurrence, into report: inout Report) {
    reference.observe(skipped, at: event)
  }

  package mutating func faultBegin(_ fault: FaultBegan, at event: Occurrence, into report: inout Report) {
    reference.observe(fault, at: event)
  }

  package mutating func faultEnd(_ fault: FaultEnded, at event: Occurrence, into report: inout Report) {
    reference.observe(fault, at: event)
  }

  /// Why a dispatch was wrong; nil if it was not.
  private mutating func objection(to dispatch: ScriptDispatched, at time: VirtualTime) -> String? {
    guard reference.fullDisks.isEmpty else { return "was dispatched while the phone's disk was full" }
    guard let snapshot = reference.snapshot, snapshot.time == time else {
      return "was dispatched without a fresh snapshot at that instant"
    }
    guard dispatch.figures.epoch == snapshot.epoch, dispatch.figures.seq == snapshot.seq else {
      return "was dispatched with another snapshot than the fresh one"
    }
    guard dispatch.figures.elapsed == snapshot.elapsed, dispatch.figures.distance == snapshot.distance else {
      return "was dispatched with other figures than those of its snapshot"
    }
    guard let script = reference.script else { return "was dispatched before any script was loaded" }
    guard let index = script.messages.firstIndex(where: { $0.id == dispatch.rank.message }) else {
      return "is not in the script"
    }
    let message = script.messages[index]
    guard dispatch.rank.trigger == message.type else {
      return "has the trigger \(message.type), but was dispatched with another"
    }
    // Nothing is due in a run that is not running; another invariant reports that.
    guard reference.belief.isRunning else { return nil }
    reference.absorb()
    reference.evaluate()
    switch reference.standpoint(of: index) {
    case .due(let multiple):
      guard multiple > 0, dispatch.rank.multiple != multiple else { return nil }
      return "is due with its multiple \(multiple), but was dispatched with another"
    case .expired: return "is past its grace at \(snapshot.position)"
    case .notDue: return "is not due at \(snapshot.position)"
    }
  }
}

/// `dispatch-only-running`: the coach speaks only while the athlete runs.
package struct DispatchOnlyRunningChecker: Checker {
  package static let invariant = "dispatch-only-running"
  package static let about =
    "Lines of the script are dispatched only while the run is believed running; replies may come later."

  private var belief = ReferenceBelief()
  private var beliefLine: Int?

  package init(header: TraceHeader) {}

  package mutating func runState(_ run: RunStateChanged, at event: Occurrence, into report: inout Report) {
    _ = belief.observe(run)
    beliefLine = event.line
  }

  package mutating func scriptDispatch(_ dispatch: ScriptDispatched, at event: Occurrence, into report: inout Report) {
    guard !belief.isRunning, !dispatch.rank.isReply else { return }
    report.add(
      "\"\(dispatch.rank.message)\" was dispatched while the phone believed that \(belief.state.map { "the run is \($0)" } ?? "there is no run")",
      at: event.time, lines: (beliefLine.map { [$0] } ?? []) + [event.line])
  }
}

/// `dispatch-window`: the coach does not speak too often.
package struct DispatchWindowChecker: Checker {
  package static let invariant = "dispatch-window"
  package static let about = "At least 30 seconds lie between two dispatches of a run, replies included."

  private var belief = ReferenceBelief()
  private var last: (time: VirtualTime, line: Int)?

  package init(header: TraceHeader) {}

  package mutating func runState(_ run: RunStateChanged, at event: Occurrence, into report: inout Report) {
    if belief.observe(run) { last = nil }
  }

  package mutating func scriptDispatch(_ dispatch: ScriptDispatched, at event: Occurrence, into report: inout Report) {
    if let last, event.time - last.time < ReferenceRun.window {
      let gap = event.time - last.time
      report.add(
        "\"\(dispatch.rank.message)\" was dispatched \(gap.text) after the dispatch of \(last.time.text), less than 30 s",
        at: event.time, lines: [last.line, event.line])
    }
    last = (event.time, event.line)
  }
}

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

/// `script-in-force`: a failing edge leaves no athlete in silence.
package struct ScriptInForceChecker: Checker {
  package static let invariant = "script-in-force"
  package static let about =
    "When the third attempt at a run's script has failed, one of that run is in force, or is loaded at that instant."

  /// The failed attempts after which the phone must use its own script.
  private static let failuresMax: Int64 = 3

  private struct Attempt: Sendable {
    var runId: Identifier
    var number: Int64
  }

  /// Unsettled script requests, by id; for lookup only.
  private var attempts: [Identifier: Attempt] = [:]
  /// The line of the first request for each run, until a script is loaded after it.
  private var waiting: [(runId: Identifier, line: Int)] = []
  /// The run of the script in force; nil before the first, or if the script names none.
  private var scripted: Identifier?
  /// Runs whose third request failed without a script, with its time and lines.
  private var overdue: [(at: VirtualTime, runId: Identifier, lines: [Int])] = []

  package init(header: TraceHeader) {}

  package mutating func scriptLoaded(_ loaded: ScriptLoaded, at event: Occurrence, into report: inout Report) {
    reportOverdue(before: event.time, &report)
    let script = try? JSONParser.parse(loaded.script.text, dialect: .json)
    scripted = script?["runId"]?.text.flatMap { Identifier(text: $0) }
    waiting = []
    overdue = []
  }

  package mutating func aiRequested(_ request: AIRequested, at event: Occurrence, into report: inout Report) {
    reportOverdue(before: event.time, &report)
    guard request.kind == "generateScript" else { return }
    let (runId, number) = (request.runId, request.attempt ?? 1)
    attempts[request.id] = Attempt(runId: runId, number: number)
    // The coach asks again for a run that already speaks the phone's own script.
    if number == 1, runId != scripted, !waiting.contains(where: { $0.runId == runId }) {
      waiting.append((runId, event.line))
    }
  }

  package mutating func aiFailed(_ failed: AIFailed, at event: Occurrence, into report: inout Report) {
    reportOverdue(before: event.time, &report)
    guard let attempt = attempts.removeValue(forKey: failed.id),
      attempt.number >= Self.failuresMax, let first = waiting.first(where: { $0.runId == attempt.runId })
    else { return }
    overdue.append((event.time, attempt.runId, [first.line, event.line]))
    waiting.removeAll { $0.runId == attempt.runId }
  }

  private mutating func reportOverdue(before now: VirtualTime, _ report: inout Report) {
    while let first = overdue.first, first.at < now {
      overdue.removeFirst()
      report.add(
        "the third attempt at the script of run \(first.runId.text.prefix(8)) failed, but no script is in force",
        at: first.at, lines: first.lines)
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    reportOverdue(before: .distantFuture, &report)
  }
}

/// `no-network-in-race-mode`: a race needs only watch and phone.
package struct NoNetworkInRaceChecker: Checker {
  package static let invariant = "no-network-in-race-mode"
  package static let about = "In race mode the phone requests nothing from the edge during the run."

  private let isRace: Bool
  private var belief = ReferenceBelief()
  private var beliefLine = 0

  package init(header: TraceHeader) {
    let workout = header.extras.first { $0.key == "workout" }
    isRace = workout?.node["mode"]?.text == "race"
  }

  package mutating func runState(_ run: RunStateChanged, at event: Occurrence, into report: inout Report) {
    guard isRace else { return }
    _ = belief.observe(run)
    beliefLine = event.line
  }

  package mutating func aiRequested(_ request: AIRequested, at event: Occurrence, into report: inout Report) {
    guard isRace, let state = belief.state, state != "ended" else { return }
    report.add(
      "the phone asked the edge in the middle of a race (\(request.kind))", at: event.time,
      lines: [beliefLine, event.line])
  }
}
