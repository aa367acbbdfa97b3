package import Link

/// `duck-balanced`: music that goes down comes back.
package struct DuckBalancedChecker: Checker {
  package static let invariant = "duck-balanced"
  package static let about = "Music is ducked and restored in turn, and does not stay ducked when nothing is spoken."
  package static let interests: [TraceEvent.Name] =
    NodeLines.interests + ["audio.start", "audio.duck", "audio.unduck", "end"]

  /// The line at which music was ducked; nil while it plays at full volume.
  private var ducked: (time: VirtualTime, line: Int)?
  private var lastUnduckLine: Int?
  /// When the last utterance ends, if nothing stops it.
  private var speaksUntil: VirtualTime?
  private var isPhoneUp = true

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    switch event.body {
    case .audioStart(let start):
      speaksUntil = AudioSerialChecker.end(of: start.words, from: event.time)
    case .audioDuck:
      if let ducked {
        report.append(
          Self.violation(
            "the phone ducked the music twice; it had done so at \(ducked.time.text)", at: event.time,
            lines: [ducked.line, line]))
      }
      ducked = (event.time, line)
    case .audioUnduck:
      if ducked == nil {
        report.append(
          Self.violation(
            "the phone restored the music, which was not ducked", at: event.time,
            lines: [lastUnduckLine, line].compactMap { $0 }))
      }
      ducked = nil
      lastUnduckLine = line
    default:
      guard let isUp = NodeLines.isPhoneUp(after: event) else { return }
      isPhoneUp = isUp
      // The system restores the music of a phone that died.
      if event.body.endedNode != nil {
        ducked = nil
        lastUnduckLine = nil
      }
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    // A run may end, or be stopped, in the middle of a long line.
    guard ending.isComplete, isPhoneUp, let ducked, speaksUntil.map({ $0 < ending.time }) ?? true else { return }
    report.append(
      Self.violation(
        "the phone never restored the music that it ducked at \(ducked.time.text)", at: ducked.time,
        lines: [ducked.line, ending.line]))
  }
}
