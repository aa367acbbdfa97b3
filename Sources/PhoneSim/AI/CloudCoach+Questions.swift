import CoachProtocol
import Link

/// What the coach is asked, and when.
extension CloudCoach {
  /// Remembers a start of a workout that is no run: it needs no script.
  mutating func recordStart(_ message: AppMessage) {
    guard setup.coachesRunsOnly, case .workoutStarted(let start) = message, start.discipline ?? .running != .running
    else { return }
    otherStarts.append(start.workoutId)
  }

  /// Requests what this input's decisions about runs call for, once they are carried out.
  ///
  /// - Parameter sessions: The stored training sessions; nil if the app stores none.
  mutating func askAfterDecisions(
    at moment: Moment, sessions: TrainingRecord?, _ engine: inout ScriptEngine, _ changes: inout [PhoneChange],
    in turn: inout Turn
  ) {
    for decision in runDecisions {
      ask(after: decision, at: moment, sessions: sessions, &engine, &changes, in: &turn)
    }
    runDecisions.removeAll(keepingCapacity: true)
    otherStarts.removeAll()
  }

  private mutating func ask(
    after decision: RunDecision, at moment: Moment, sessions: TrainingRecord?, _ engine: inout ScriptEngine,
    _ changes: inout [PhoneChange], in turn: inout Turn
  ) {
    switch decision {
    case .opened(let runId, _):
      diary.startRun()
      pauseInRace(at: moment, &engine, &changes, in: &turn)
      if !setup.coachesRunsOnly { askForScript(of: runId, at: moment, &engine, &changes, in: &turn) }
    case .named(let runId, _, _) where setup.coachesRunsOnly:
      // A run that is over, or a workout of another discipline, needs no script.
      guard !otherStarts.contains(runId), moment.consumer.workoutId == runId, moment.consumer.state != .ended else {
        return
      }
      askForScript(of: runId, at: moment, &engine, &changes, in: &turn)
    case .state(let runId, _, .ended, _, _):
      pauseInRace(at: moment, &engine, &changes, in: &turn)
      receive(.runEnded(runId), at: moment, &engine, &changes, in: &turn)
    case .state(_, _, .running, .command, _):
      // A run of the phone's own tracker is never `opened`.
      diary.startRun()
      pauseInRace(at: moment, &engine, &changes, in: &turn)
    case .finished(let runId, _, _):
      // The report of a session arrives before its end.
      if setup.coachesRunsOnly, let session = sessions?.session(runId), session.discipline != .running { return }
      askForSummary(of: runId, at: moment, &engine, &changes, in: &turn)
    case .state, .named, .recorded, .orderWatchToEnd, .history, .refused: break
    }
  }

  private mutating func askForScript(
    of runId: Identifier, at moment: Moment, _ engine: inout ScriptEngine, _ changes: inout [PhoneChange],
    in turn: inout Turn
  ) {
    guard setup.asksForScript else { return }
    let body = Questions.script(setup, diary, memory.facts)
    let question = AIClient.Input.asked(.generateScript, runId: runId, noteId: nil, body: body)
    receive(question, at: moment, &engine, &changes, in: &turn)
  }

  private mutating func askForSummary(
    of runId: Identifier, at moment: Moment, _ engine: inout ScriptEngine, _ changes: inout [PhoneChange],
    in turn: inout Turn
  ) {
    let isHeard = engine.evaluations > 0
    let body = Questions.summary(
      of: runId, setup, diary, memory.facts, script: engine.script,
      elapsed: isHeard ? engine.furthestElapsed : nil, distance: isHeard ? engine.furthestDistance : nil)
    let question = AIClient.Input.asked(.postRunSummary, runId: runId, noteId: nil, body: body)
    receive(question, at: moment, &engine, &changes, in: &turn)
  }

  /// Requests the words of a note that the phone's own recogniser could not read; in a race, after it.
  mutating func askForTranscript(
    of note: PendingTranscription, at moment: Moment, _ engine: inout ScriptEngine, _ changes: inout [PhoneChange],
    in turn: inout Turn
  ) {
    let body = String(
      decoding: TranscribeRequest(noteId: note.noteId, hears: note.says).bytes, as: UTF8.self)
    // A note of no run asks in the name of none.
    let question = AIClient.Input.asked(
      .transcribe, runId: note.runId ?? Identifier(high: 0, low: 0), noteId: note.noteId, body: body)
    receive(question, at: moment, &engine, &changes, in: &turn)
  }

  /// Requests a reply to a note of the current run; never in a race.
  mutating func ask(
    about note: PendingTranscription, at moment: Moment, _ engine: inout ScriptEngine,
    _ changes: inout [PhoneChange], in turn: inout Turn
  ) {
    let consumer = moment.consumer
    guard let runId = consumer.workoutId, let state = consumer.state, state != .ended, note.runId == runId else {
      return
    }
    let transcript = note.outcome == .done ? note.says ?? "" : nil
    diary.recordNote(note.noteId, transcript: transcript)
    guard setup.mode != .race, let transcript, SpeechLength.wordCount(in: transcript) > 0 else { return }
    let last = engine.trail.points.last
    var (elapsed, distance) = (Double(last?.milliseconds ?? 0) / 1000, Optional(last?.distance ?? 0))
    if let tracker = consumer.record.start.tracker, tracker.isLive, tracker.runId == runId {
      // The phone knows its own run's duration but measures no distance.
      (elapsed, distance) = (tracker.elapsed(at: turn.now), nil)
    }
    let body = Questions.reply(to: transcript, setup, diary, state: state, elapsed: elapsed, distance: distance)
    let question = AIClient.Input.asked(.chatReply, runId: runId, noteId: note.noteId, body: body)
    receive(question, at: moment, &engine, &changes, in: &turn)
  }
}
