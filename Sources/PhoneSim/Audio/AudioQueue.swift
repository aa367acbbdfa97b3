package import Link

/// The phone's one voice: speaks utterances one after the other, and stops when it must.
///
/// An utterance lasts `words / 2.5 + 0.4` s. Its first and last 0.2 s are silent, so music that ducks when it
/// begins and comes back when it ends is ducked from 200 ms before the voice to 200 ms after. Between
/// utterances that follow each other without a gap music stays ducked: coming up for no time at all would be heard
/// as a flutter. So ducks and unducks alternate, and music is ducked exactly while an utterance runs.
///
/// Mute and interruption are independent of each other:
/// * Muted, nothing is spoken: the running utterance stops, and what waits or comes is dropped, because a line about
///   where the runner was minutes ago helps nobody.
/// * Interrupted, the running utterance stops and what waits or comes waits. When the interruption ends, the queue goes
///   on with the next one, or is emptied where it should not resume.
/// An input that changes nothing (mute while muted, the end of no interruption) says nothing.
package struct AudioQueue: Machine, Equatable {
  /// What can happen to the queue.
  package enum Input: Sendable, Equatable {
    /// A line was dispatched.
    case dispatched(message: String, words: Int)
    /// The runner wants silence.
    case muted
    /// The runner wants to hear again.
    case unmuted
    /// Something else took the phone's sound: a call.
    case interrupted
    /// It gave it back.
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

  /// Whether the runner wants silence.
  package private(set) var isMuted: Bool
  /// Whether something else has the phone's sound.
  package private(set) var isInterrupted: Bool

  /// Creates a queue that is silent.
  ///
  /// - Parameters:
  ///   - utteranceFirst: The number of the first utterance; goes on counting after a restart of the phone.
  ///   - isMuted: Whether the runner wants silence; survives a restart as a setting does.
  ///   - isInterrupted: Whether something else has the phone's sound; a call goes on while the app restarts.
  package init(utteranceFirst: Int = 1, isMuted: Bool = false, isInterrupted: Bool = false) {
    utteranceNext = utteranceFirst
    self.isMuted = isMuted
    self.isInterrupted = isInterrupted
  }

  /// Whether an utterance runs.
  package var isSpeaking: Bool { running != nil }
  /// How many utterances wait for their turn.
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
    assert(running == nil || !isMuted && !isInterrupted, "somebody speaks who must not")
    assert(waiting.isEmpty || running != nil || isInterrupted, "something waits for nothing")
  }

  private mutating func startNext(
    isDucked: Bool = false, at now: VirtualTime, into output: inout [AudioEffect]
  ) {
    guard running == nil, !isMuted, !isInterrupted, !waiting.isEmpty else { return }
    let next = waiting.removeFirst()
    let span = SpeechLength.span(words: next.words)
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
