package import CoachProtocol
package import Link

/// The phone's microphone: records one note at a time.
package struct VoiceRecorder: Sendable, Equatable {
  /// A note that is being recorded.
  package struct Recording: Sendable, Equatable {
    /// Names the note.
    package var noteId: Identifier
    /// The run it belongs to; nil where none is on.
    package var runId: Identifier?
    /// When it began, in nanoseconds since 1970 by the phone's clock.
    package var recordedAt: Int64
    /// How long it will be, and what will be heard in it.
    package var command: RecordCommand
    /// When it is over, by the phone's timers.
    package var endsAt: VirtualTime

    /// What the file will hold.
    package var content: FileContent {
      .generated(
        key: noteId.high ^ noteId.low, byteCount: VoiceNoteMetadata.audioBytes(seconds: command.seconds))
    }
  }

  /// The note that is being recorded; nil for none.
  package private(set) var recording: Recording?

  /// Creates a microphone that is off.
  package init() {}

  /// When the recording is over; nil when none is on.
  package var nextDeadline: VirtualTime? { recording?.endsAt }

  /// Begins a note; none may be on.
  package mutating func begin(_ recording: Recording) {
    precondition(self.recording == nil, "one note at a time")
    self.recording = recording
  }

  /// Takes the note that is over; nil where none is.
  package mutating func takeDue(at now: VirtualTime) -> Recording? {
    guard let recording, recording.endsAt <= now else { return nil }
    self.recording = nil
    return recording
  }
}
