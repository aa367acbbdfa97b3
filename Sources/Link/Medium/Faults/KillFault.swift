/// Kills a device's app, at an instant or at a crash point.
public struct KillFault: NodeFault {
  /// The device whose app dies.
  public var node: NodeRole
  /// The time from its death to its restart; nil for never.
  public var restartAfter: VirtualTime.Span?
  /// The crash point at whose next passage it dies; nil for at once.
  public var point: CrashPoint?

  public init(_ node: NodeRole, restartAfter: VirtualTime.Span? = nil, point: CrashPoint? = nil) {
    self.node = node
    self.restartAfter = restartAfter
    self.point = point
  }

  public static let kind = "kill"
  public static let example = Self(.phone, restartAfter: .seconds(5), point: .inboxCommitted)
  public static let lasts = false
  public static let page = FaultPage(
    about:
      "The app dies at once: at its next start it finds exactly what it had committed. Frames that arrive meanwhile are"
      + " lost; the other side notices after the supervision time.",
    formula:
      "dies at `at`; with point, when it first reaches the point at or after `at`, possibly never; `for` then limits the"
      + " wait. Starts again restartAfter its death, in a new epoch. If several faults hold it down, it starts when the"
      + " last of them has ended.",
    reality:
      "Users swipe apps away, systems end them for memory or for background work that takes too long (15 s were"
      + " measured on a watch), and they crash. Queued transfers continue; a message from the watch launches a dead iOS"
      + " app within about a second. Items that an app had received and not confirmed are delivered again"
      + " (WatchConnectivity's documentation, and reports on its inbox).")
  public static let story = FaultStory(ending: "the crash is over", isReportedByDevice: true) {
    "the \($0.device)'s app crashes"
  }
  public static var parameters: ObjectSchema<Self> { parameters(points: CrashPoint.session) }

  public static func parameters(points: [CrashPoint]) -> ObjectSchema<Self> {
    besideDevice(
      Self(.watch), "whose app dies",
      [
        Field(
          "restartAfter", \.restartAfter, .duration(max: .hours(24)), "from its death to its next start",
          .otherwise("stays down")),
        Field(
          "point", \.point, .crashPoint(points), "the point in its work at which it dies", .otherwise("at once")),
      ]
    ) { _, reader in
      guard reader.has("for"), !reader.has("point") else { return true }
      reader.error("a kill has no length: restartAfter sets when the app starts again; \"for\" needs a point")
      return false
    }
  }

  public static func draw(_ dice: inout FaultDice) -> Self {
    let node = dice.pickNode()
    // Down repeatedly for seconds, or for the whole length of the fault.
    let restartAfter =
      dice.happens(percent: 30) ? dice.partOfLength(percent: 0...5) : dice.partOfLength(percent: 10...50)
    guard dice.happens(percent: 40) else { return Self(node, restartAfter: restartAfter) }
    // Stops waiting for the point after the first half of the length, so that the restart fits in.
    dice.waiting = .milliseconds(max(1, dice.length.nanoseconds / 2_000_000))
    let point = dice.pickElement(dice.points(of: node))
    // Drawn last, so that all other draws are as without these points.
    let filePoints = dice.filePoints(of: node)
    guard !filePoints.isEmpty, dice.happens(percent: 10) else {
      return Self(node, restartAfter: restartAfter, point: point)
    }
    return Self(node, restartAfter: restartAfter, point: dice.pickElement(filePoints))
  }

  public var simpler: [Self] { [Self(node, restartAfter: restartAfter)] }

  public var orders: [NodeOrder] { [.kill(cause: Self.kind, point: point, restartAfter: restartAfter)] }
}
