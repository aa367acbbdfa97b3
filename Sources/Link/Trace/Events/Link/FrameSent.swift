/// The event `frame.sent`.
public struct FrameSent: TraceEventKind {
  public static let name: TraceEvent.Name = "frame.sent"
  public static let about =
    "A frame is sent. The runner writes the line in the sender's name, from the frame's header."
  public static let places: TraceEvent.Writers = .nodes
  public static let isReserved = true

  public var id: Int64 = 0
  public var to: NodeRole = .watch
  public var kind: Frame.Kind = .data
  public var channel: Channel = .message
  public var epoch: Int64 = 0
  public var seq: Int64 = 0
  public var bytes: Int64 = 0
  public var digest: EventDigest = .none
  public var attempt: Int64?
  public var transfer: Identifier?
  public var offset: Int64?
  public var wantsReply: Bool?
  public var tSend: Int64?
  public var payload: String?

  public init() {}
  public var body: EventBody { .frameSent(self) }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "counts the run's frames from 1")
    fields.field("to", &to, "the receiver")
    fields.field("kind", &kind, "what the frame is")
    fields.field("channel", &channel, "the channel")
    fields.field("epoch", &epoch, "the sender's epoch")
    fields.field("seq", &seq, "the number in its channel")
    fields.field("bytes", &bytes, "the length of the payload")
    fields.field("digest", &digest, "the payload's digest")
    fields.field("attempt", &attempt, "from the second attempt on")
    fields.field("transfer", &transfer, "of transfers, requests and answers to requests")
    fields.field("offset", &offset, "of chunks: their first byte in the file")
    fields.field("wantsReply", &wantsReply, "only true: the message waits for a reply")
    fields.field("t_send", &tSend, "in recordings by an app: when it was sent, if that was before `t`")
    fields.field("payload", &payload, "in recordings by an app: the payload in hexadecimal digits")
  }
}
