/// The event `voice.recorded`.
public struct VoiceRecorded: TraceEventKind {
  public static let name: TraceEvent.Name = "voice.recorded"
  public static let about = "A voice note is recorded; the phone stores its own at once."
  public static let places: TraceEvent.Writers = [.init(.watch), .init(.phone)]

  public var note: Identifier = .none
  public var seconds: Double = 0
  public var bytes: Int64 = 0
  public var runId: Identifier?
  public var recordedAt: Int64?

  public init() {}
  public var body: EventBody { .voiceRecorded(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("note", &note, "the note")
    fields.number("seconds", &seconds, places: 3, "its length")
    fields.field("bytes", &bytes, "the length of its audio")
    fields.field("runId", &runId, "on the phone: the run, if there is one")
    fields.field("recordedAt", &recordedAt, "on the phone: when")
  }
}
