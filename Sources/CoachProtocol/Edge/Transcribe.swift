public import Link

/// The body of a `/transcribe` request: a voice note that the phone's own recogniser could not read.
public struct TranscribeRequest: EdgeShape {
  public var noteId: Identifier
  /// What a recogniser can hear in its audio, in place of the audio; nil for nothing.
  public var hears: String?

  public init(noteId: Identifier, hears: String? = nil) {
    self.noteId = noteId
    self.hears = hears
  }

  public static let schema = ObjectSchema<Self>(
    "TranscribeRequest", "Asks for the words of a note.", Self(noteId: Identifier(high: 0, low: 0)),
    [
      Field("noteId", \.noteId, .identifier, "the note", .required),
      Field("hears", \.hears, .string, "what a recogniser can hear"),
    ])
}

/// The body of a `/transcribe` response.
public struct TranscribeResponse: EdgeShape {
  /// Empty for a note without words.
  public var transcript: String

  public init(transcript: String) { self.transcript = transcript }

  public static let schema = ObjectSchema<Self>(
    "TranscribeResponse", "The words of a note.", Self(transcript: ""),
    [Field("transcript", \.transcript, .string, "empty for a note without words", .required)])
}
