/// Never tells a device that what it queued has arrived.
public struct FinishLostFault: SessionQuirkFault {
  /// The device that is not told.
  public var node: NodeRole

  /// Creates a fault.
  public init(_ node: NodeRole) { self.node = node }

  public static let quirk = SessionQuirk.finishLost
  public static let example = Self(.watch)
  public static let page = FaultPage(
    about:
      "What reaches the other side's inbox is not reported as finished: the app is not told, and the transfer stays"
      + " on its list of outstanding ones until the app starts anew. Nothing is sent again.",
    formula:
      "every transfer of the device that is confirmed between begin and end: no `transfer.finished`, then or later,"
      + " and the run's end lists it as outstanding.",
    reality:
      "A file had arrived, its sender was never told, and the list of outstanding transfers did not shrink"
      + " (openradar 29779788). How often is not known: assumed.",
    parameters: [.init("finishLost", "watch, phone", standard: nil, "the device that is not told")])
}
