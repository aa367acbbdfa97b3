package import CoachProtocol
package import Link

/// The phone's microphone, which records one note at a time.
package struct VoiceRecorder: Sendable, Equatable {
  package struct Recording: Sendable, Equatable {
    package var noteId: Identifier
    /// Nil if no run is on.
    package var runId: Identifier?
    /// In nanoseconds since 1970 by the phone's clock.
    package var recordedAt: Int64
    /// Its length and content.
    package var command: RecordCommand
    /// When it ends, by the phone's timers.
    package var endsAt: VirtualTime

    /// The generated content of its file.
    package var content: FileContent {
      VoiceNoteMetadata.audio(of: noteId, seconds: command.seconds)
    }
  }

  /// The current recording, if any.
  package private(set) var recording: Recording?

  /// When the recording ends, if any.
  package var nextDeadline: VirtualTime? { recording?.endsAt }

  /// Starts a recording; none may be running.
  package mutating func begin(_ recording: Recording) {
    precondition(self.recording == nil, "one note at a time")
    self.recording = recording
  }

  /// Removes and returns a finished recording, if any.
  package mutating func popDue(at now: VirtualTime) -> Recording? {
    guard let recording, recording.endsAt <= now else { return nil }
    self.recording = nil
    return recording
  }
}

/// Transcribes voice notes, each one second after its arrival: a stand-in for the phone's speech recogniser.
///
/// Notes do not wait for one another. Unfinished ones start again after a restart.
package struct Transcriber: Sendable, Equatable {
  /// The duration of a transcription, by the phone's timers.
  package static let delay = VirtualTime.Span.seconds(1)

  private struct Task: Sendable, Equatable {
    var note: PendingTranscription
    var due: VirtualTime
  }

  /// In the order of their due times.
  private var tasks: [Task] = []
  /// Whether results are held back because they could not be stored.
  private var isPaused = false

  /// When the next transcription finishes; nil if there is none, or while results are held back.
  package var nextDeadline: VirtualTime? { isPaused ? nil : tasks.first?.due }

  package mutating func begin(_ note: PendingTranscription, at now: VirtualTime) {
    tasks.append(Task(note: note, due: now + Self.delay))
  }

  /// Removes and returns a finished note, if any.
  package mutating func popDue(at now: VirtualTime) -> PendingTranscription? {
    guard let due = nextDeadline, due <= now else { return nil }
    return tasks.removeFirst().note
  }

  /// Holds results back while there is no room for them.
  package mutating func pause() { isPaused = true }

  /// Restarts all unfinished notes once there is room again.
  package mutating func resume(at now: VirtualTime) {
    isPaused = false
    for index in tasks.indices { tasks[index].due = now + Self.delay }
  }
}
