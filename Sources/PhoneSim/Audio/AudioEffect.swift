package import Link

/// A change of the audio queue.
package enum AudioEffect: Sendable, Equatable {
  /// An utterance began; `lasts` includes its silence.
  case started(utterance: Int, message: String, words: Int, lasts: VirtualTime.Span)
  case ended(utterance: Int, message: String)
  /// An utterance was cut off.
  case interrupted(utterance: Int, message: String, cause: Stop)
  /// A line will not be spoken.
  case dropped(message: String, cause: Drop)
  /// Music volume goes down.
  case duck
  /// Music volume comes back.
  case unduck
  case muted
  case unmuted
  case interruption
  case interruptionEnded(shouldResume: Bool)

  package enum Stop: String, Sendable, CaseIterable { case mute, interruption }
  /// Why a line is not spoken: dropped while muted, or by an interruption that does not resume.
  package enum Drop: String, Sendable, CaseIterable { case muted, cleared }

  /// The trace event.
  package func event(at now: VirtualTime) -> TraceEvent {
    typealias Field = TraceEvent.Field
    func event(_ name: TraceEvent.Name, _ fields: [Field] = []) -> TraceEvent {
      TraceEvent(name, at: now, on: .phone, fields)
    }
    func subject(_ utterance: Int, _ message: String) -> [Field] {
      [Field("utterance", .int(Int64(utterance))), Field("message", .string(message))]
    }
    switch self {
    case .started(let utterance, let message, let words, let lasts):
      // Lengths are multiples of 400 ms, so tenths of a second are exact.
      let tenths = TraceValue.fixed(lasts.nanoseconds / 100_000_000, places: 1)
      return event(
        "audio.start", subject(utterance, message) + [Field("words", .int(Int64(words))), Field("lasts", tenths)])
    case .ended(let utterance, let message): return event("audio.end", subject(utterance, message))
    case .interrupted(let utterance, let message, let cause):
      return event("audio.interrupted", subject(utterance, message) + [Field("cause", .string(cause.rawValue))])
    case .dropped(let message, let cause):
      return event("audio.dropped", [Field("message", .string(message)), Field("cause", .string(cause.rawValue))])
    case .duck: return event("audio.duck")
    case .unduck: return event("audio.unduck")
    case .muted: return event("audio.mute")
    case .unmuted: return event("audio.unmute")
    case .interruption: return event("audio.interruption")
    case .interruptionEnded(let shouldResume):
      return event("audio.interruptionEnd", [Field("shouldResume", .bool(shouldResume))])
    }
  }
}
