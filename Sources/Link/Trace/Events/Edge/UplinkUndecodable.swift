/// The event `uplink.undecodable`.
public struct UplinkUndecodable: TraceEventKind {
  public static let name: TraceEvent.Name = "uplink.undecodable"
  public static let about = "A payload cannot be decoded."
  public static let places: TraceEvent.Writers = [.init(.phone), .init(.edge)]

  public var id: Identifier = .none
  public var epoch: Int64 = 0
  public var seq: Int64 = 0
  public var digest: EventDigest = .none
  public var error: String = ""

  public init() {}

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("id", &id, "the attempt")
    fields.field("epoch", &epoch, "the sender's epoch")
    fields.field("seq", &seq, "its number")
    fields.field("digest", &digest, "the payload's digest")
    fields.field("error", &error, "what is wrong with it")
  }
}
