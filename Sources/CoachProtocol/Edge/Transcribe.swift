public import Link

/// The body of a `/transcribe` request: a voice note that the phone's own recogniser could not read.
public struct TranscribeRequest: Sendable, Equatable {
  public var noteId: Identifier
  /// What a recogniser can hear in its audio, in place of the audio; nil for nothing.
  public var hears: String?

  public init(noteId: Identifier, hears: String? = nil) {
    self.noteId = noteId
    self.hears = hears
  }
}

extension TranscribeRequest: EdgeShape {
  public init?(_ value: JSONValueReader) {
    guard let reader = value.object() else { return nil }
    let noteId = reader.identifier("noteId")
    let hears = reader.string("hears")
    reader.finish()
    guard let noteId else { return nil }
    self.init(noteId: noteId, hears: hears)
  }

  public var json: JSONValue {
    .object(of: ["noteId": noteId.text, "hears": hears])
  }
}

/// The body of a `/transcribe` response.
public struct TranscribeResponse: Sendable, Equatable {
  /// Empty for a note without words.
  public var transcript: String

  public init(transcript: String) { self.transcript = transcript }
}

extension TranscribeResponse: EdgeShape {
  public init?(_ value: JSONValueReader) {
    guard let reader = value.object() else { return nil }
    let transcript = reader.string("transcript", required: true)
    reader.finish()
    guard let transcript else { return nil }
    self.init(transcript: transcript)
  }

  public var json: JSONValue { .object(of: ["transcript": transcript]) }
}
