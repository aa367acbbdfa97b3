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
      .generated(
        key: noteId.high ^ noteId.low, byteCount: VoiceNoteMetadata.audioBytes(seconds: command.seconds))
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
