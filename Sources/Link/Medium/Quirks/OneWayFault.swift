/// Loses everything in one direction and nothing in the other.
public struct OneWayFault: FrameFault {
  /// The device whose frames are lost.
  public var from: NodeRole

  /// Creates a fault.
  public init(from: NodeRole) { self.from = from }

  public static let kind = "oneWay"
  public static let onlyLosesOrDelays = true
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
      + " sends fail or report nothing (openradar 30104132).")
  public static let story = FaultStory(ending: "both directions work again") {
    "nothing from the \($0.text("from") ?? "device") gets through"
  }
  public static let parameters = ObjectSchema<Self>(
    kind, "", Self(from: .watch), [Field("from", \.from, .device, "whose frames are lost", .required)])

  public static func draw(_ dice: inout FaultDice) -> Self { Self(from: dice.pickNode()) }

  public mutating func lose(_ passage: Passage) -> DropCause? {
    passage.direction == Direction(from: from) ? DropCause(Self.kind) : nil
  }
}
