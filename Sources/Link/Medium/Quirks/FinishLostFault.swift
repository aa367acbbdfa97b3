/// Suppresses reports that a device's transfers have arrived.
public struct FinishLostFault: SessionQuirkFault {
  /// The device that gets no reports.
  public var node: NodeRole

  public init(_ node: NodeRole) { self.node = node }

  public static let quirk = SessionQuirk.finishLost
  public static let example = Self(.watch)
  public static let page = FaultPage(
    about:
      "A transfer that reaches the other side's inbox is not reported as finished: the app gets no callback, and the"
      + " transfer stays outstanding until the app restarts. Nothing is sent again.",
    formula:
      "every transfer of the device that is confirmed between begin and end: no `transfer.finished`, then or later,"
      + " and the end of the run lists it as outstanding.",
    reality:
      "A file had arrived, its sender got no callback, and the list of outstanding transfers did not shrink"
      + " (openradar 29779788). The frequency is assumed.")
  public static let story = FaultStory(ending: "finished transfers are reported again") {
    "the \($0.device) gets no reports of arrivals"
  }
  public static let parameters = besideDevice(Self(.watch), "the device that gets no report")
}
