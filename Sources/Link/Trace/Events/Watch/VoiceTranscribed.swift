/// The event `voice.transcribed`.
public struct VoiceTranscribed: TraceEventKind {
  public static let name: TraceEvent.Name = "voice.transcribed"
  public static let about = "A note's words are found, or cannot be."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  /// The values of `status`.
  public enum Status: String, EventWord { case done, failed }

  public var note: Identifier = .none
  public var status: Status = .done
  public var transcript: String?

  public init() {}
  public var body: EventBody { .voiceTranscribed(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("note", &note, "the note")
    fields.field("status", &status, "how it ended")
    fields.field("transcript", &transcript, "the words")
  }
}
