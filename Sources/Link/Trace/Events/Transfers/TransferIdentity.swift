/// The fields that identify a transfer and its number.
public struct TransferIdentity: Sendable, Equatable {
  public var transfer: Identifier = .none
  public var channel: Channel = .message
  public var complication: Bool?
  public var seq: Int64?

  public init() {}

  init(_ transfer: Identifier, _ lane: Lane, _ seq: SequenceNumber) {
    self.transfer = transfer
    channel = lane.channel
    if lane == .complication { complication = true }
    self.seq = Int64(clamping: seq.rawValue)
  }

  /// Visits the fields in the order of the trace.
  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("transfer", &transfer, "the transfer")
    fields.field("channel", &channel, "userInfo or file")
    fields.field("complication", &complication, "only true: a complication transfer")
    fields.field("seq", &seq, "its number in its queue; always present unless an app recorded the trace")
  }
}
