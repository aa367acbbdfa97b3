public import Link

/// The metadata of a voice note's file: its owner, and what the recogniser will find.
///
/// The file plays as silence, so the transcript travels in the metadata, for the simulated recogniser only.
public struct VoiceNoteMetadata: FieldRecord {
  /// The outcome of a transcription.
  public enum Transcription: String, EventWord {
    /// The recogniser finds the transcript.
    case done
    /// The transcription fails; the audio stays.
    case failed
  }

  /// The longest note, in seconds: recording stops there.
  public static let secondsMax = 30.0
  /// The longest ``says``, in bytes of UTF-8.
  public static let saysBytesMax = 4_096
  /// Bytes for three seconds of audio: a note of 30 s has 250,000.
  private static let audioBytesPerThreeSeconds = 25_000.0

  public var noteId = Identifier.none
  /// Nil if no run was on.
  public var runId: Identifier?
  /// By the watch's clock.
  public var recordedAt = WatchTime.none
  /// Seconds, above 0 and at most ``secondsMax``.
  public var seconds = 0.0
  /// What the recogniser will find; nil for nothing.
  public var says: String?
  public var transcription = Transcription.done

  public init() {}

  public init(
    noteId: Identifier, runId: Identifier? = nil, recordedAt: WatchTime, seconds: Double, says: String? = nil,
    transcription: Transcription = .done
  ) {
    self.noteId = noteId
    self.runId = runId
    self.recordedAt = recordedAt
    self.seconds = seconds
    self.says = says
    self.transcription = transcription
  }

  /// A recording's audio: an M4A file of its length, whose bytes follow from its note.
  ///
  /// - Parameter seconds: Its length, above 0 and at most ``secondsMax``.
  public static func audio(of note: Identifier, seconds: Double) -> FileContent {
    let milliseconds = UInt64((seconds * 1_000).rounded())
    let bytes = UInt64((seconds * audioBytesPerThreeSeconds / 3).rounded(.up))
    return .recording(
      key: RandomStream.key(note.high, note.low), milliseconds: milliseconds,
      byteCount: max(bytes, M4AContainer.size(milliseconds: milliseconds)))
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("noteId", &noteId, "the note")
    fields.field("runId", &runId, "absent: no run was on")
    fields.time("recordedAt", &recordedAt, "when it was recorded")
    fields.number("seconds", &seconds, in: .leastNonzeroMagnitude...Self.secondsMax, places: 3, "its length")
    fields.field("says", &says, "what the recogniser will find")
    if let says, says.utf8.count > Self.saysBytesMax {
      fields.refuse("says", found: "\(says.utf8.count) bytes", expected: "at most \(Self.saysBytesMax)")
    }
    fields.field("transcription", &transcription, "how the transcription ends")
  }
}
