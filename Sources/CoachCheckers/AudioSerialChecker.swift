package import Link

/// `audio-serial`: the coach has one voice.
package struct AudioSerialChecker: Checker {
  package static let invariant = "audio-serial"
  package static let about =
    "One utterance runs at a time, and each is spoken to its end after words / 2.5 + 0.4 seconds, or is interrupted."
  package static let interests: [TraceEvent.Name] =
    NodeLines.interests + ["audio.start", "audio.end", "audio.interrupted", "end"]

  private struct Utterance {
    let number: Int64
    let time: VirtualTime
    let line: Int
    /// When it ends; nil if the line lacks the word count, or the phone was suspended since.
    var end: VirtualTime?
  }

  private var running: Utterance?
  private var isPhoneUp = true

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    switch event.body {
    case .audioStart(let start):
      let number = start.utterance
      if let running {
        report.append(
          Self.violation(
            "utterance \(number) begins while utterance \(running.number) runs", at: event.time,
            lines: [running.line, line]))
      }
      running = Utterance(
        number: number, time: event.time, line: line, end: Self.end(of: start.words, from: event.time))
    case .audioEnd(let end): stop(end.utterance, isInterrupted: false, event, line, &report)
    case .audioInterrupted(let interrupted):
      stop(interrupted.utterance, isInterrupted: true, event, line, &report)
    default:
      guard let isUp = NodeLines.isPhoneUp(after: event) else { return }
      isPhoneUp = isUp
      // No timer fires while the phone is suspended, and a phone that dies stops speaking.
      running?.end = nil
      if event.body.endedNode != nil { running = nil }
    }
  }

  private mutating func stop(
    _ number: Int64, isInterrupted: Bool, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]
  ) {
    if let objection = objection(toStopping: number, isInterrupted: isInterrupted, at: event.time) {
      report.append(Self.violation(objection, at: event.time, lines: (running.map { [$0.line] } ?? []) + [line]))
    }
    running = nil
  }

  /// When an utterance with a number of words ends; nil if the number is missing or impossible.
  static func end(of words: Int64?, from start: VirtualTime) -> VirtualTime? {
    guard let words, words >= 0, words < 1_000_000 else { return nil }
    return start + .milliseconds(400 * (words + 1))
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

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    // A run may end, or be stopped, in the middle of a long line.
    guard ending.isComplete, isPhoneUp, let running, running.end.map({ $0 < ending.time }) ?? true else { return }
    report.append(
      Self.violation(
        "utterance \(running.number) neither ended nor was interrupted", at: running.time,
        lines: [running.line, ending.line]))
  }
}
