/// The event `frame.refused`.
public struct FrameRefused: TraceEventKind {
  public static let name: TraceEvent.Name = "frame.refused"
  public static let about = "A frame arrived that no correct session sends in this situation."
  public static let places: TraceEvent.Writers = .nodes

  public var kind: Frame.Kind = .data
  public var channel: Channel = .message
  public var epoch: Int64 = 0
  public var seq: Int64 = 0
  public var why: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("kind", &kind, "what the frame is")
    fields.field("channel", &channel, "the channel")
    fields.field("epoch", &epoch, "the sender's epoch")
    fields.field("seq", &seq, "the number in its channel")
    fields.field("why", &why, "what is wrong with it")
  }
}
