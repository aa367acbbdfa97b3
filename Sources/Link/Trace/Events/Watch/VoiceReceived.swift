/// The event `voice.received`.
public struct VoiceReceived: TraceEventKind {
  public static let name: TraceEvent.Name = "voice.received"
  public static let about = "A note's audio and its row are stored, in one transaction."
  public static let places: TraceEvent.Writers = [.init(.phone)]

  public var note: Identifier = .none
  public var runId: Identifier?
  public var recordedAt: Int64 = 0
  public var bytes: Int64 = 0
  public var seconds: Double = 0

  public init() {}
  public var body: EventBody { .voiceReceived(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("note", &note, "the note")
    fields.field("runId", &runId, "the run")
    fields.field("recordedAt", &recordedAt, "when")
    fields.field("bytes", &bytes, "the length of its audio")
    fields.number("seconds", &seconds, places: 3, "its length")
  }
}
