/// Hands a device that wakes old and repeated contexts.
public struct ContextBurstFault: SessionQuirkFault {
  /// The device that receives them.
  public var node: NodeRole

  /// Creates a fault.
  public init(_ node: NodeRole) { self.node = node }

  public static let quirk = SessionQuirk.contextBurst
  public static let example = Self(.watch)
  public static let page = FaultPage(
    about:
      "When its app wakes, or starts, the device is handed the contexts of before once more, old ones and repeated"
      + " ones in a row, the latest one last.",
    formula:
      "at each waking the last 8 contexts received since begin, or the latest where there is none, each 1 + floor(3"
      + " x draw) times, in the order in which they came. Each is a `context.repeated` line, but for the first"
      + " handing over of one that is new.",
    reality:
      "A suspended watch app was handed contexts 618, 621, 621, 624, 630, 630, ... within one second as it woke"
      + " (pocket-casts-ios issue 1430).",
    parameters: [.init("contextBurst", "watch, phone", standard: nil, "the device that receives them")])
}
