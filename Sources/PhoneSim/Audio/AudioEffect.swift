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

  /// The trace event; `rendered` is the name of the recording that an utterance plays, nil if there is none.
  package func event(rendered: String? = nil, at now: VirtualTime) -> TraceEvent {
    func event<Kind: TraceEventKind>(_ kind: Kind.Type, _ fill: (inout Kind) -> Void = { _ in }) -> TraceEvent {
      TraceEvent(kind, at: now, on: .phone, fill)
    }
    return switch self {
    case .started(let utterance, let message, let words, let lasts):
      event(AudioStarted.self) {
        $0.utterance = Int64(utterance)
        $0.message = message
        $0.words = Int64(words)
        // Lengths are multiples of 400 ms, so tenths of a second are exact.
        $0.lasts = Double(lasts.nanoseconds / 100_000_000) / 10
        $0.rendered = rendered
      }
    case .ended(let utterance, let message):
      event(AudioEnded.self) {
        $0.utterance = Int64(utterance)
        $0.message = message
      }
    case .interrupted(let utterance, let message, let cause):
      event(AudioInterrupted.self) {
        $0.utterance = Int64(utterance)
        $0.message = message
        $0.cause = cause.rawValue
      }
    case .dropped(let message, let cause):
      event(AudioDropped.self) {
        $0.message = message
        $0.cause = cause.rawValue
      }
    case .duck: event(AudioDucked.self)
    case .unduck: event(AudioUnducked.self)
    case .muted: event(AudioMuted.self)
    case .unmuted: event(AudioUnmuted.self)
    case .interruption: event(AudioInterruptionBegan.self)
    case .interruptionEnded(let shouldResume): event(AudioInterruptionEnded.self) { $0.shouldResume = shouldResume }
    }
  }
}
