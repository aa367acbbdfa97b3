/// Kills a device's app, at an instant or at a named point of its work.
public struct KillFault: NodeFault {
  /// The device whose app dies.
  public var node: NodeRole
  /// How long after its death it is started again; nil for never.
  public var restartAfter: VirtualTime.Span?
  /// The place at whose next passage it dies; nil for at once.
  public var point: CrashPoint?

  /// Creates a fault.
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
      "The app dies as it stands: what it had committed is there at its next start, and nothing else. Frames that"
      + " arrive meanwhile are lost; the other side learns of it after the supervision time.",
    formula:
      "dies at `at`; with point, when it first passes the point at or after `at`, and never if it does not; `for` then"
      + " bounds the waiting. Started again restartAfter its death, in a new epoch. While several faults keep it down it"
      + " is down; it is up when the last of them has let go.",
    reality:
      "Users swipe apps away, systems end them for memory or for background work that takes too long (15 s were"
      + " measured on a watch), and they crash. Queued transfers go on; a message from the watch starts an ended iOS app"
      + " again within about a second. What an app had taken and not confirmed is handed over again"
      + " (WatchConnectivity's own pages, and reports on its inbox).",
    parameters: [
      .init("kill", "watch, phone", standard: nil, "whose app dies"),
      .init("restartAfter", "duration, 0 to 24h", standard: "stays down", "from its death to its next start"),
      .init("point", "a crash point", standard: "at once", "the place in its work at which it dies"),
    ])

  public static func draw(_ dice: inout FaultDice) -> Self {
    let node = dice.node()
    // Down again and again within seconds, or away for as long as the fault has.
    let restartAfter =
      dice.happens(percent: 30) ? dice.part(percent: 0...5) : dice.part(percent: 10...50)
    guard dice.happens(percent: 40) else { return Self(node, restartAfter: restartAfter) }
    // A point that is not passed in the first half is not waited for: the restart has to fit in too.
    dice.waiting = .milliseconds(max(1, dice.length.nanoseconds / 2_000_000))
    return Self(node, restartAfter: restartAfter, point: dice.pick(dice.points(of: node)))
  }

  public var simpler: [Self] { [Self(node, restartAfter: restartAfter)] }

  public init?(_ value: JSONValueReader, in fault: JSONObjectReader) {
    self.init(value, in: fault, points: CrashPoint.session)
  }

  public init?(_ value: JSONValueReader, in fault: JSONObjectReader, points: [CrashPoint]) {
    let node = Self.readNode(value)
    let restartAfter = fault.span("restartAfter")
    var point: CrashPoint?
    fault.allow(["point"])
    if fault.has("point") {
      point = fault.oneOf("point", points.map { ($0.name, $0) })
      if point == nil { return nil }
    } else if fault.has("for") {
      fault.error("a kill has no length: restartAfter says when the app is started again; \"for\" needs a point")
      return nil
    }
    guard let node, restartAfter != nil || !fault.has("restartAfter") else { return nil }
    self.init(node, restartAfter: restartAfter, point: point)
  }

  public var params: [JSONMember] { [nodeParameter] + options }
  public var spelling: [JSONMember] { [nodeSpelling] + options }
  private var options: [JSONMember] {
    var members: [JSONMember] = []
    if let restartAfter { members.append(.seconds("restartAfter", restartAfter)) }
    if let point { members.append(JSONMember("point", .string(point.name))) }
    return members
  }

  public var order: NodeOrder { .kill(cause: Self.kind, point: point, restartAfter: restartAfter) }
}
