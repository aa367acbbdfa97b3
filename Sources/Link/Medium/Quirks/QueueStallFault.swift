/// Holds what a device has queued until one more is queued.
public struct QueueStallFault: SessionQuirkFault {
  /// The device whose queue stalls.
  public var node: NodeRole

  /// Creates a fault.
  public init(_ node: NodeRole) { self.node = node }

  public static let quirk = SessionQuirk.queueStall
  public static let example = Self(.watch)
  public static let page = FaultPage(
    about:
      "Queued user infos stay outstanding on a good link; each further one that is queued lets the oldest go, and"
      + " waits itself. The next start of the app lets everything go that is queued then. Complication transfers and"
      + " files are not held.",
    formula:
      "number of user infos that may go = number queued since begin; in order, the oldest first. At the end all go.",
    reality:
      "User infos stuck until the next one was queued, which released the oldest; ending the app or a reboot"
      + " released all (openradar 25767669). How long it lasts is not known: minutes are assumed.",
    parameters: [.init("queueStall", "watch, phone", standard: nil, "the device whose queue stalls")])
}
