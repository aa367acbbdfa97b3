/// Delivers old and repeated contexts to a device that wakes.
public struct ContextBurstFault: SessionQuirkFault {
  /// The device that gets them.
  public var node: NodeRole

  public init(_ node: NodeRole) { self.node = node }

  public static let quirk = SessionQuirk.contextBurst
  public static let example = Self(.watch)
  public static let page = FaultPage(
    about:
      "When its app wakes or starts, the device gets earlier contexts once more, old and repeated ones in a row, the"
      + " latest last.",
    formula:
      "at each waking the last 8 contexts received since begin, or the latest one if there are none, each 1 + floor(3"
      + " x draw) times, in the order of arrival. Each delivery is a `context.repeated` line, except the first one of"
      + " a new context.",
    reality:
      "A suspended watch app got contexts 618, 621, 621, 624, 630, 630, ... within one second when it woke"
      + " (pocket-casts-ios issue 1430).")
  public static let story = FaultStory(ending: "contexts are no longer repeated") {
    "the \($0.device) gets old contexts again when it wakes"
  }
  public static let parameters = besideDevice(Self(.watch), "the device that gets them")
}
