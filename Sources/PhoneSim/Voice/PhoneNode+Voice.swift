import CoachProtocol
import Link

/// Connects the voice notes with session, run, coach and store.
extension PhoneNode {
  mutating func beginVoice(in turn: inout Turn) {
    guard let pendingStart else { return }
    voice.begin(interrupted: pendingStart.recording, pendingStart.transcriptions, &changes, in: &turn)
    if setup.plants.contains(.halfFile) { voice.listHalfFile(of: session, &changes, in: &turn) }
  }

  mutating func handleFiles(in turn: inout Turn) {
    voice.handleFiles(isSpeaking: audio.isSpeaking, &session, &changes, in: &turn)
  }

  mutating func record(_ command: NodeCommand, in turn: inout Turn) {
    do throws(CommandRefusal) {
      guard let order = try RecordCommand.reading(command) else { preconditionFailure("\(command.name) records") }
      try voice.record(
        order, during: consumer.hasRun ? consumer.workoutId : nil, clock: clock.reading(at: turn.now), &changes,
        in: &turn)
    } catch {
      refuse(command.name, why: error.why, in: &turn)
    }
  }

  /// Stores what was recorded or transcribed, and lets the coach reply to it.
  mutating func fireVoice(in turn: inout Turn) {
    voice.finishRecording(&changes, in: &turn)
    while let note = voice.finishTranscription(hasNetwork: coach.hasNetwork, &changes, in: &turn) {
      guard setup.hasEdge else { continue }
      let moment = coachMoment(at: turn.now)
      coach.ask(about: note, at: moment, &engine, &changes, in: &turn)
      if note.outcome == .failed { coach.askForTranscript(of: note, at: moment, &engine, &changes, in: &turn) }
      turn.items.append(.commit)
    }
  }
}
