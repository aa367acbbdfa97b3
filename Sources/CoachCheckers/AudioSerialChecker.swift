package import Link

/// `audio-serial`: the coach has one voice.
package struct AudioSerialChecker: Checker {
  package static let invariant = "audio-serial"
  package static let about =
    "One utterance runs at a time, and each is spoken to its end after words / 2.5 + 0.4 seconds, or as long as the chosen voice takes, or is interrupted. The voice is the one that the user chose last."

  private struct Utterance {
    let number: Int64
    let time: VirtualTime
    let line: Int
    /// When it ends; nil if the line lacks the word count, or the phone was suspended since.
    var end: VirtualTime?
  }

  private var running: Utterance?
  private var isPhoneUp = true
  private var pace = VoicePace()

  package init(header: TraceHeader) {}

  package mutating func audioVoice(_ voice: VoiceSelected, at event: Occurrence, into report: inout Report) {
    if let objection = pace.objection(to: voice) {
      report.add(objection.text, at: event.time, lines: [objection.line, event.line])
    }
    pace.observe(voice, at: event.line)
  }

  package mutating func audioStart(_ start: AudioStarted, at event: Occurrence, into report: inout Report) {
    let number = start.utterance
    if let running {
      report.add(
        "utterance \(number) begins while utterance \(running.number) runs", at: event.time,
        lines: [running.line, event.line])
    }
    running = Utterance(
      number: number, time: event.time, line: event.line, end: pace.end(of: start.words, from: event.time))
  }

  package mutating func audioEnd(_ end: AudioEnded, at event: Occurrence, into report: inout Report) {
    stop(end.utterance, isInterrupted: false, event, &report)
  }

  package mutating func audioInterrupted(
    _ interrupted: AudioInterrupted, at event: Occurrence, into report: inout Report
  ) {
    stop(interrupted.utterance, isInterrupted: true, event, &report)
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    guard let isUp = change.isUp(.phone) else { return }
    isPhoneUp = isUp
    if change.hasEnded { pace.restart() }
    // No timer fires while the phone is suspended, and a phone that dies stops speaking.
    running?.end = nil
    if change.hasEnded { running = nil }
  }

  private mutating func stop(
    _ number: Int64, isInterrupted: Bool, _ event: Occurrence, _ report: inout Report
  ) {
    if let objection = objection(toStopping: number, isInterrupted: isInterrupted, at: event.time) {
      report.add(objection, at: event.time, lines: (running.map { [$0.line] } ?? []) + [event.line])
    }
    running = nil
  }

  private func objection(toStopping number: Int64, isInterrupted: Bool, at time: VirtualTime) -> String? {
    guard let running else { return "utterance \(number) stops, but none was playing" }
    guard number == running.number else { return "utterance \(number) stops while utterance \(running.number) runs" }
    guard let end = running.end else { return nil }
    if isInterrupted { return time > end ? "utterance \(number) is interrupted after its end" : nil }
    guard time != end else { return nil }
    return
      "utterance \(number) ends after \((time - running.time).text) instead of \((end - running.time).text)"
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    // A run may end, or be stopped, in the middle of a long line.
    guard ending.isComplete, isPhoneUp, let running, running.end.map({ $0 < ending.time }) ?? true else { return }
    report.add(
      "utterance \(running.number) neither ended nor was interrupted", at: running.time,
      lines: [running.line, ending.line])
  }
}

/// How fast the coach's voice speaks, as far as a trace says which one it is.
struct VoicePace: Sendable {
  /// Milliseconds that a word takes, by voice.
  private static let voices: [String: Int64] = [
    "Samantha": 400, "Ava": 300, "Daniel": 300, "Anna": 400, "Petra": 500, "Thomas": 300,
  ]

  private var millisecondsPerWord: Int64? = 400
  /// What the user chose last, and its line.
  private var chosen: (voice: String, line: Int)?
  /// Whether the app has started since it said which voice it has.
  private var isNew = false

  mutating func restart() { isNew = true }

  /// What is wrong with a voice: after a start it is the one that the user chose.
  func objection(to selected: VoiceSelected) -> (text: String, line: Int)? {
    guard isNew, selected.by == .system, let chosen else { return nil }
    let words = "the coach has the voice \(selected.voice) after a start, and the user chose \(chosen.voice)"
    return (words, chosen.line)
  }

  mutating func observe(_ selected: VoiceSelected, at line: Int) {
    millisecondsPerWord = Self.voices[selected.voice]
    if !isNew || selected.by == .user { chosen = selected.by == .user ? (selected.voice, line) : nil }
    isNew = false
  }

  /// When an utterance with a number of words ends; nil if the number is missing or impossible, or the voice unknown.
  func end(of words: Int64?, from start: VirtualTime) -> VirtualTime? {
    guard let words, words >= 0, words < 1_000_000, let millisecondsPerWord else { return nil }
    return start + .milliseconds(millisecondsPerWord * words + 400)
  }
}
