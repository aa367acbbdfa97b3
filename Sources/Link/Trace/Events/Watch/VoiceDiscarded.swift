/// The event `voice.discarded`.
public struct VoiceDiscarded: TraceEventKind {
  public static let name: TraceEvent.Name = "voice.discarded"
  public static let about = "A recording is not stored."
  public static let places: TraceEvent.Writers = [.init(.watch)]

  public var why: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("why", &why, "cancelled, or its workout was discarded")
  }
}
