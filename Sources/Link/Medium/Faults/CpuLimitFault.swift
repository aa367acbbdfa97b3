/// The system ends a device's app that used too much of the processor behind the foreground.
public struct CpuLimitFault: NodeFault {
  /// The device whose app dies.
  public var node: NodeRole
  /// The time from its death to its restart; nil for never.
  public var restartAfter: VirtualTime.Span?

  public init(_ node: NodeRole, restartAfter: VirtualTime.Span? = nil) {
    self.node = node
    self.restartAfter = restartAfter
  }

  public static let kind = "cpuLimit"
  public static let isForAppsOnly = true
  public static let example = Self(.phone, restartAfter: .seconds(60))
  public static let lasts = false
  public static let page = FaultPage(
    about: "The system ends the app behind the lock screen, without a call of its delegate: no crash, no message.",
    formula:
      "dies at `at`, and starts restartAfter later. Virtual time measures no processor: the scenario says when, or what"
      + " each turn of an app uses (`system.processorPerTurn`).",
    reality:
      "iOS ends an app that is not in front after 80 % of a processor for 60 s (five field reports, H24); a nemesis"
      + " draws `kill`, which looks the same to the app.")
  public static let story = FaultStory(ending: "the app may use the processor again", isReportedByDevice: true) {
    "the \($0.device)'s app uses too much of the processor"
  }
  public static let deaths = [(cause: kind, words: "its app is ended: it used 80 % of the processor for a minute")]
  public static let parameters = besideDevice(
    Self(.phone), "whose app dies",
    [
      Field(
        "restartAfter", \.restartAfter, .duration(max: .hours(24)), "from its death to its next start",
        .otherwise("stays down"))
    ]
  ) { _, reader in
    guard reader.has("for") else { return true }
    reader.error("a death has no length: restartAfter sets when the app starts again")
    return false
  }

  public static func draw(_ dice: inout FaultDice) -> Self {
    Self(dice.pickApp(), restartAfter: dice.partOfLength(percent: 10...50))
  }

  public var simpler: [Self] { [Self(node)].filter { $0 != self } }

  public var orders: [NodeOrder] { [.kill(cause: Self.kind, point: nil, restartAfter: restartAfter)] }
}
