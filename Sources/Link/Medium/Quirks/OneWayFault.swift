/// Loses everything in one direction and nothing in the other.
public struct OneWayFault: FrameFault {
  /// The device whose frames are lost.
  public var from: NodeRole

  /// Creates a fault.
  public init(from: NodeRole) { self.from = from }

  public static let kind = "oneWay"
  public static let example = Self(from: .phone)
  public static let isSelective = false
  public static let hits = "one direction of the link, `from` a device"
  public static let page = FaultPage(
    about:
      "Nothing from one device arrives, although the link is up and the other direction works. Its confirmations are"
      + " lost too, so the other side keeps retransmitting its queue.",
    formula:
      "every frame of the device is dropped as `oneWay` from begin to end. Neither side notices: reachability does not"
      + " change.",
    reality:
      "5 to 10 minutes at a time from phone to watch, while frames from the watch arrived; it ends by itself, and"
      + " sends fail or report nothing (openradar 30104132).",
    parameters: [.init("from", "watch, phone", standard: nil, "whose frames are lost")])

  public static func draw(_ dice: inout FaultDice) -> Self { Self(from: dice.pickNode()) }

  public init?(_ value: JSONValueReader, in fault: JSONObjectReader) {
    guard let reader = value.object() else { return nil }
    defer { reader.finish() }
    guard let from = reader.oneOf("from", [NodeRole.watch, .phone].map { ($0.text, $0) }, required: true) else {
      return nil
    }
    self.init(from: from)
  }

  public var params: [JSONMember] { [JSONMember("from", .string(from.text))] }

  public mutating func lose(_ passage: Passage) -> DropCause? {
    passage.direction == Direction(from: from) ? DropCause(Self.kind) : nil
  }
}
