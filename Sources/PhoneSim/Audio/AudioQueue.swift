package import Link

/// Speaks the phone's utterances one after the other.
///
/// An utterance lasts `words / 2.5 + 0.4` s, or as long as another voice takes for its words. Its first and last 0.2 s are silent, so music is ducked from 200 ms before
/// the voice to 200 ms after. Between back-to-back utterances music stays ducked to avoid a flutter. Ducks and unducks
/// alternate, and music is ducked exactly while an utterance runs.
///
/// Mute and interruption are independent:
/// * While muted, nothing is spoken: the running utterance stops, and queued and new lines are dropped, because a line
///   about a point minutes ago is useless.
/// * While interrupted, the running utterance stops and other lines queue. When the interruption ends, the queue
///   continues with the next line, or is emptied if it should not resume.
///
/// The audio session is active while a workout is on, and until its last line is spoken.
///
/// An input that changes nothing (mute while muted) has no effects. What the queue does, in its order, are the events of
/// the trace.
package struct AudioQueue: Machine, Equatable {
  package enum Input: Sendable, Equatable {
    case dispatched(message: String, words: Int)
    /// A workout begins or ends on the phone.
    case run(isOn: Bool)
    case muted
    case unmuted
    /// Another app, such as a call, took the audio.
    case interrupted
    /// The other app released the audio.
    case interruptionEnded(shouldResume: Bool)
  }

  private enum Stop: String { case mute, interruption }
  /// Why a line is not spoken: dropped while muted, or by an interruption that does not resume.
  private enum Drop: String { case muted, cleared }

  private struct Waiting: Sendable, Equatable {
    var message: String
    var words: Int
  }

  private struct Running: Sendable, Equatable {
    var utterance: Int64
    var message: String
    var end: VirtualTime
  }

  private var waiting: [Waiting] = []
  private var running: Running?
  private var utteranceNext: Int64

  /// Whether a workout is on.
  package private(set) var isRunOn = false
  /// Whether the audio session is active: while a workout is on, and until the last line of it is spoken.
  private var isActive = false

  /// The voice of the next utterance.
  package var voice = InstalledVoice.standard
  package private(set) var isMuted: Bool
  /// Whether another app holds the audio.
  package private(set) var isInterrupted: Bool

  /// Creates a silent queue.
  ///
  /// - Parameters:
  ///   - utteranceFirst: The number of the first utterance; numbering continues over restarts.
  ///   - isMuted: The stored mute setting.
  ///   - isInterrupted: Whether another app holds the audio; a call outlives a restart of the app.
  package init(utteranceFirst: Int = 1, isMuted: Bool = false, isInterrupted: Bool = false) {
    utteranceNext = Int64(utteranceFirst)
    self.isMuted = isMuted
    self.isInterrupted = isInterrupted
  }

  package var isSpeaking: Bool { running != nil }
  /// Number of queued utterances.
  package var waitingCount: Int { waiting.count }

  package var nextDeadline: VirtualTime? { running?.end }

  package mutating func receive(_ input: Input?, at now: VirtualTime, into output: inout [any TraceEventKind]) {
    defer { updateSession(into: &output) }
    switch input {
    case .run(let isOn): isRunOn = isOn
    case .dispatched(let message, let words):
      if isMuted {
        output.append(Self.dropped(message, .muted))
      } else {
        waiting.append(Waiting(message: message, words: words))
        startNext(at: now, into: &output)
      }
    case .muted:
      guard !isMuted else { return }
      isMuted = true
      output.append(AudioMuted())
      interruptRunning(.mute, into: &output)
      dropWaiting(.muted, into: &output)
    case .unmuted:
      guard isMuted else { return }
      isMuted = false
      output.append(AudioUnmuted())
    case .interrupted:
      guard !isInterrupted else { return }
      isInterrupted = true
      output.append(AudioInterruptionBegan())
      interruptRunning(.interruption, into: &output)
    case .interruptionEnded(let shouldResume):
      guard isInterrupted else { return }
      isInterrupted = false
      var event = AudioInterruptionEnded()
      event.shouldResume = shouldResume
      output.append(event)
      if !shouldResume { dropWaiting(.cleared, into: &output) }
      startNext(at: now, into: &output)
    case nil:
      guard let running, running.end <= now else { return }
      self.running = nil
      var event = AudioEnded()
      (event.utterance, event.message) = (running.utterance, running.message)
      output.append(event)
      if waiting.isEmpty { output.append(AudioUnducked()) } else { startNext(isDucked: true, at: now, into: &output) }
    }
    assert(running == nil || !isMuted && !isInterrupted, "an utterance runs while muted or interrupted")
    assert(waiting.isEmpty || running != nil || isInterrupted, "a line waits although the queue is idle")
  }

  private mutating func updateSession(into output: inout [any TraceEventKind]) {
    let isNeeded = isRunOn || running != nil || !waiting.isEmpty
    guard isNeeded != isActive else { return }
    isActive = isNeeded
    output.append(AudioSessionChanged(isActive: isNeeded))
  }

  private mutating func startNext(
    isDucked: Bool = false, at now: VirtualTime, into output: inout [any TraceEventKind]
  ) {
    guard running == nil, !isMuted, !isInterrupted, !waiting.isEmpty else { return }
    let next = waiting.removeFirst()
    let span = SpeechLength.span(words: next.words, voice)
    running = Running(utterance: utteranceNext, message: next.message, end: now + span)
    updateSession(into: &output)
    if !isDucked { output.append(AudioDucked()) }
    var event = AudioStarted()
    (event.utterance, event.message, event.words) = (utteranceNext, next.message, Int64(next.words))
    // Lengths are multiples of 100 ms, so tenths of a second are exact.
    event.lasts = Double(span.nanoseconds / 100_000_000) / 10
    output.append(event)
    utteranceNext += 1
  }

  private mutating func interruptRunning(_ cause: Stop, into output: inout [any TraceEventKind]) {
    guard let running else { return }
    self.running = nil
    var event = AudioInterrupted()
    (event.utterance, event.message, event.cause) = (running.utterance, running.message, cause.rawValue)
    output.append(event)
    output.append(AudioUnducked())
  }

  private mutating func dropWaiting(_ cause: Drop, into output: inout [any TraceEventKind]) {
    for line in waiting { output.append(Self.dropped(line.message, cause)) }
    waiting = []
  }

  private static func dropped(_ message: String, _ cause: Drop) -> AudioDropped {
    var event = AudioDropped()
    (event.message, event.cause) = (message, cause.rawValue)
    return event
  }
}

extension AudioSessionChanged {
  /// The coach speaks over other apps, which go down meanwhile.
  fileprivate init(isActive: Bool) {
    self.init()
    active = isActive
    guard isActive else { return }
    (category, mode, options) = ("playback", "spokenAudio", "mixWithOthers,duckOthers")
  }
}

/// The duration of a spoken line: `words / 2.5 + 0.4` seconds, 0.2 s of silence at each end.
package enum SpeechLength {
  /// Counts words separated by white space.
  package static func wordCount(in text: String) -> Int {
    var count = 0
    var isInWord = false
    // Fast path: Unicode properties are looked up only beyond ASCII.
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      for byte in text.utf8 {
        let isSpace = byte == 0x20 || 0x09...0x0D ~= byte
        if !isSpace, !isInWord { count += 1 }
        isInWord = !isSpace
      }
      return count
    }
    for scalar in text.unicodeScalars {
      let isSpace = scalar.properties.isWhitespace
      if !isSpace, !isInWord { count += 1 }
      isInWord = !isSpace
    }
    return count
  }

  /// The duration of a line.
  ///
  /// Exact: 2.5 words a second are 400 ms a word, and the silences add another 400 ms.
  package static func span(words: Int, _ voice: InstalledVoice = .standard) -> VirtualTime.Span {
    .milliseconds(voice.millisecondsPerWord * Int64(words) + 400)
  }
}
