public import Link

/// The metadata of a voice note's file: its owner, and what the recogniser will find.
///
/// The file plays as silence, so the transcript travels in the metadata, for the simulated recogniser only.
public struct VoiceNoteMetadata: Sendable, Equatable {
  /// The outcome of a transcription.
  public enum Transcription: String, Sendable, CaseIterable {
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

  public var noteId: Identifier
  /// Nil if no run was on.
  public var runId: Identifier?
  /// By the watch's clock.
  public var recordedAt: WatchTime
  /// Seconds, above 0 and at most ``secondsMax``.
  public var seconds: Double
  /// What the recogniser will find; nil for nothing.
  public var says: String?
  public var transcription: Transcription

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

  /// The metadata as a binary property list: `kind`, `v`, then the fields in their fixed order.
  public var encoded: [UInt8] {
    var writer = PropertyListWriter(entryCount: 6 + (runId == nil ? 0 : 1) + (says == nil ? 0 : 1))
    writer.string("kind", FileMetadata.Kind.voiceNote.rawValue)
    writer.integer("v", FileMetadata.version)
    writer.identifier("noteId", noteId)
    if let runId { writer.identifier("runId", runId) }
    writer.integer("recordedAt", recordedAt.nanoseconds)
    writer.real("seconds", seconds)
    if let says { writer.string("says", says) }
    writer.string("transcription", transcription.rawValue)
    return writer.finish()
  }
}

extension VoiceNoteMetadata {
  /// Decodes the fields after `kind` and `v`.
  init(from fields: inout FileMetadataFields) throws(FileMetadataError) {
    guard let noteId = try fields.identifier("noteId") else { throw fields.missing("noteId") }
    self.noteId = noteId
    runId = try fields.identifier("runId")
    guard let recordedAt = try fields.integer("recordedAt", -(1 << 62)...(1 << 62)) else {
      throw fields.missing("recordedAt")
    }
    self.recordedAt = WatchTime(nanoseconds: recordedAt)
    seconds = try fields.real("seconds", Double.leastNonzeroMagnitude...Self.secondsMax)
    says = try fields.optionalString("says")
    if let says, says.utf8.count > Self.saysBytesMax {
      throw FileMetadataError("says is \(says.utf8.count) bytes, expected at most \(Self.saysBytesMax)")
    }
    let word = try fields.string("transcription")
    guard let transcription = Transcription(rawValue: word) else {
      throw FileMetadataError("transcription is \"\(word.prefix(64))\", expected done or failed")
    }
    self.transcription = transcription
  }
}
