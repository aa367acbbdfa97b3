package import Link

/// `duck-balanced`: music that goes down comes back.
package struct DuckBalancedChecker: Checker {
  package static let invariant = "duck-balanced"
  package static let about =
    "Music is ducked and restored in turn, and does not stay ducked when nothing is spoken. The app ducks it only while it has the audio session: from the beginning of a workout to its end, or to the last line."

  /// The line at which music was ducked; nil while it plays at full volume.
  private var ducked: (time: VirtualTime, line: Int)?
  private var lastUnduckLine: Int?
  /// When the last utterance ends, if nothing stops it.
  private var speaksUntil: VirtualTime?
  private var isPhoneUp = true
  /// The line at which the app took the audio session, or left it; nil before, and in traces without such lines.
  private var session: (isActive: Bool, time: VirtualTime, line: Int)?
  /// Whether the phone follows a workout.
  private var isRunOn = false
  /// Whether another app has the audio, as while the phone rings.
  ///
  /// Lines wait for its end. A new start of the app finds it so, too.
  private var isInterrupted = false
  private var pace = VoicePace()

  package init(header: TraceHeader) {}

  package mutating func audioVoice(_ voice: VoiceSelected, at event: Occurrence, into report: inout Report) {
    pace.observe(voice, at: event.line)
  }

  package mutating func audioStart(_ start: AudioStarted, at event: Occurrence, into report: inout Report) {
    speaksUntil = pace.end(of: start.words, from: event.time)
  }

  package mutating func audioInterruptionBegan(
    _: AudioInterruptionBegan, at _: Occurrence, into _: inout Report
  ) {
    isInterrupted = true
  }

  package mutating func audioInterruptionEnded(
    _: AudioInterruptionEnded, at _: Occurrence, into _: inout Report
  ) {
    isInterrupted = false
  }

  package mutating func audioDuck(_: AudioDucked, at event: Occurrence, into report: inout Report) {
    if let ducked {
      report.add(
        "the phone ducked the music twice; it had done so at \(ducked.time.text)", at: event.time,
        lines: [ducked.line, event.line])
    }
    ducked = (event.time, event.line)
    if let session, !session.isActive {
      report.add(
        "the phone ducks the music without the audio session, which it left at \(session.time.text)", at: event.time,
        lines: [session.line, event.line])
    }
  }

  package mutating func audioSession(
    _ change: AudioSessionChanged, at event: Occurrence, into report: inout Report
  ) {
    if let ducked, !change.active {
      report.add(
        "the phone leaves the audio session while the music is ducked", at: event.time,
        lines: [ducked.line, event.line])
    }
    session = (change.active, event.time, event.line)
  }

  package mutating func runState(_ state: RunStateChanged, at event: Occurrence, into report: inout Report) {
    isRunOn = state.to != "ended"
  }

  package mutating func audioUnduck(_: AudioUnducked, at event: Occurrence, into report: inout Report) {
    if ducked == nil {
      report.add(
        "the phone restored the music, which was not ducked", at: event.time,
        lines: [lastUnduckLine, event.line].compactMap { $0 })
    }
    ducked = nil
    lastUnduckLine = event.line
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    guard let isUp = change.isUp(.phone) else { return }
    isPhoneUp = isUp
    // The system restores the music of a phone that died.
    if change.hasEnded {
      ducked = nil
      lastUnduckLine = nil
      session = nil
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    // A run may end, or be stopped, in the middle of a long line.
    guard ending.isComplete, isPhoneUp else { return }
    if let session, session.isActive, !isRunOn, !isInterrupted, speaksUntil.map({ $0 < ending.time }) ?? true {
      report.add(
        "the phone has the audio session since \(session.time.text), and no workout is on", at: ending.time,
        lines: [session.line, ending.line])
    }
    guard let ducked, speaksUntil.map({ $0 < ending.time }) ?? true else { return }
    report.add(
      "the phone never restored the music that it ducked at \(ducked.time.text)", at: ducked.time,
      lines: [ducked.line, ending.line])
  }
}
