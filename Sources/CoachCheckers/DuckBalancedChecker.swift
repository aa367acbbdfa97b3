package import Link

/// `duck-balanced`: music that goes down comes back.
package struct DuckBalancedChecker: Checker {
  package static let invariant = "duck-balanced"
  package static let about = "Music is ducked and restored in turn, and does not stay ducked when nothing is spoken."

  /// The line at which music was ducked; nil while it plays at full volume.
  private var ducked: (time: VirtualTime, line: Int)?
  private var lastUnduckLine: Int?
  /// When the last utterance ends, if nothing stops it.
  private var speaksUntil: VirtualTime?
  private var isPhoneUp = true
  private var pace = VoicePace()

  package init(header: TraceHeader) {}

  package mutating func audioVoice(_ voice: VoiceSelected, at event: Occurrence, into report: inout Report) {
    pace.observe(voice, at: event.line)
  }

  package mutating func audioStart(_ start: AudioStarted, at event: Occurrence, into report: inout Report) {
    speaksUntil = pace.end(of: start.words, from: event.time)
  }

  package mutating func audioDuck(_: AudioDucked, at event: Occurrence, into report: inout Report) {
    if let ducked {
      report.add(
        "the phone ducked the music twice; it had done so at \(ducked.time.text)", at: event.time,
        lines: [ducked.line, event.line])
    }
    ducked = (event.time, event.line)
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
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    // A run may end, or be stopped, in the middle of a long line.
    guard ending.isComplete, isPhoneUp, let ducked, speaksUntil.map({ $0 < ending.time }) ?? true else { return }
    report.add(
      "the phone never restored the music that it ducked at \(ducked.time.text)", at: ducked.time,
      lines: [ducked.line, ending.line])
  }
}
