/// Replaces a device's app by a new version: for a while it does not run, and is not installed.
public struct AppUpdateFault: NodeFault {
  /// The device whose app is updated.
  public var node: NodeRole
  /// How long the update takes.
  public var takes: VirtualTime.Span

  public init(_ node: NodeRole, takes: VirtualTime.Span = .seconds(30)) {
    self.node = node
    self.takes = takes
  }

  public static let kind = "appUpdate"
  public static let example = Self(.watch)
  public static let lasts = false
  public static let isDrawnByDefault = false
  public static let page = FaultPage(
    about:
      "The system updates the app: it dies, and until the new version starts the other side's framework reports that the"
      + " device does not have the app. Stored data stays.",
    formula:
      "dies at `at`, and starts `takes` later, in a new epoch. Meanwhile every send of the other side fails at the call:"
      + " with watchAppNotInstalled on the phone (WCError 7006), companionAppNotInstalled on the watch (7018). Queued"
      + " transfers wait.",
    reality:
      "Updates are installed in the background, those of watch apps minutes to hours after the phone's. The flag for an"
      + " installed app was also seen to turn false for a moment while an app was in use (field reports). How long an"
      + " update takes is assumed.")
  public static let story = FaultStory(ending: "the update is over", isReportedByDevice: true) {
    "the \($0.device)'s app is updated"
  }
  public static let deaths = [(cause: kind, words: "its app is ended for an update")]
  public static let parameters = besideDevice(
    Self(.watch), "the device whose app is updated",
    [Field("takes", \.takes, .duration(max: .hours(24)), "from its end to the new version's start")]
  ) { _, reader in
    guard reader.has("for") else { return true }
    reader.error("an update has no length: takes sets when the app starts again")
    return false
  }

  public static func draw(_ dice: inout FaultDice) -> Self {
    Self(dice.pickNode(), takes: dice.partOfLength(percent: 10...50))
  }

  public var simpler: [Self] { [Self(node)].filter { $0 != self } }

  public var orders: [NodeOrder] { [.hideApp, .kill(cause: Self.kind, point: nil, restartAfter: takes)] }
}
