package import Link

/// Speaks the phone's utterances one after the other.
///
/// An utterance lasts as the voice says, `words / 2.5 + 0.4` s for a compact one. Its first and last 0.2 s are silent, so music is ducked from 200 ms before
/// the voice to 200 ms after. Between back-to-back utterances music stays ducked to avoid a flutter. Ducks and unducks
/// alternate, and music is ducked exactly while an utterance runs.
///
/// Mute and interruption are independent:
/// * While muted, nothing is spoken: the running utterance stops, and queued and new lines are dropped, because a line
///   about a point minutes ago is useless.
/// * While interrupted, the running utterance stops and other lines queue. When the interruption ends, the queue
///   continues with the next line, or is emptied if it should not resume.
///
/// An input that changes nothing (mute while muted) has no effects.
package struct AudioQueue: Machine, Equatable {
  package enum Input: Sendable, Equatable {
    case dispatched(message: String, words: Int)
    case muted
    case unmuted
    /// Another app, such as a call, took the audio.
    case interrupted
    /// The other app released the audio.
    case interruptionEnded(shouldResume: Bool)
  }

  private struct Waiting: Sendable, Equatable {
    var message: String
    var words: Int
  }

  private struct Running: Sendable, Equatable {
    var utterance: Int
    var message: String
    var end: VirtualTime
  }

  private var waiting: [Waiting] = []
  private var running: Running?
  private var utteranceNext: Int
  private let voice: SpeechVoice

  package private(set) var isMuted: Bool
  /// Whether another app holds the audio.
  package private(set) var isInterrupted: Bool

  /// Creates a silent queue.
  ///
  /// - Parameters:
  ///   - utteranceFirst: The number of the first utterance; numbering continues over restarts.
  ///   - isMuted: The stored mute setting.
  ///   - isInterrupted: Whether another app holds the audio; a call outlives a restart of the app.
  ///   - voice: Who speaks.
  package init(
    utteranceFirst: Int = 1, isMuted: Bool = false, isInterrupted: Bool = false, voice: SpeechVoice = SpeechVoice()
  ) {
    utteranceNext = utteranceFirst
    self.voice = voice
    self.isMuted = isMuted
    self.isInterrupted = isInterrupted
  }

  package var isSpeaking: Bool { running != nil }
  /// Number of queued utterances.
  package var waitingCount: Int { waiting.count }

  package var nextDeadline: VirtualTime? { running?.end }

  package mutating func receive(_ input: Input?, at now: VirtualTime, into output: inout [AudioEffect]) {
    switch input {
    case .dispatched(let message, let words):
      if isMuted {
        output.append(.dropped(message: message, cause: .muted))
      } else {
        waiting.append(Waiting(message: message, words: words))
        startNext(at: now, into: &output)
      }
    case .muted:
      guard !isMuted else { return }
      isMuted = true
      output.append(.muted)
      interruptRunning(.mute, into: &output)
      dropWaiting(.muted, into: &output)
    case .unmuted:
      guard isMuted else { return }
      isMuted = false
      output.append(.unmuted)
    case .interrupted:
      guard !isInterrupted else { return }
      isInterrupted = true
      output.append(.interruption)
      interruptRunning(.interruption, into: &output)
    case .interruptionEnded(let shouldResume):
      guard isInterrupted else { return }
      isInterrupted = false
      output.append(.interruptionEnded(shouldResume: shouldResume))
      if !shouldResume { dropWaiting(.cleared, into: &output) }
      startNext(at: now, into: &output)
    case nil:
      guard let running, running.end <= now else { return }
      self.running = nil
      output.append(.ended(utterance: running.utterance, message: running.message))
      if waiting.isEmpty { output.append(.unduck) } else { startNext(isDucked: true, at: now, into: &output) }
    }
    assert(running == nil || !isMuted && !isInterrupted, "an utterance runs while muted or interrupted")
    assert(waiting.isEmpty || running != nil || isInterrupted, "a line waits although the queue is idle")
  }

  private mutating func startNext(
    isDucked: Bool = false, at now: VirtualTime, into output: inout [AudioEffect]
  ) {
    guard running == nil, !isMuted, !isInterrupted, !waiting.isEmpty else { return }
    let next = waiting.removeFirst()
    let span = voice.span(words: next.words)
    running = Running(utterance: utteranceNext, message: next.message, end: now + span)
    if !isDucked { output.append(.duck) }
    output.append(.started(utterance: utteranceNext, message: next.message, words: next.words, lasts: span))
    utteranceNext += 1
  }

  private mutating func interruptRunning(_ cause: AudioEffect.Stop, into output: inout [AudioEffect]) {
    guard let running else { return }
    self.running = nil
    output.append(.interrupted(utterance: running.utterance, message: running.message, cause: cause))
    output.append(.unduck)
  }

  private mutating func dropWaiting(_ cause: AudioEffect.Drop, into output: inout [AudioEffect]) {
    for line in waiting { output.append(.dropped(message: line.message, cause: cause)) }
    waiting = []
  }
}
