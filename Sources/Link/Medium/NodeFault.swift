/// A way a device misbehaves: an order to whoever keeps the nodes, taken back when the fault ends.
///
/// To add one: a file in `Faults/` and a line in ``FaultCatalog``.
public protocol NodeFault: FaultKind {
  /// The device it happens to.
  var node: NodeRole { get }
  /// What is done to the device from the fault's begin on.
  var order: NodeOrder { get }
  /// Whether the device is locked until its app is started again; a watch's app may ask that of its phone.
  var locksDevice: Bool { get }
  /// Reads the parameters, with the places at which a crash can be asked for.
  ///
  /// - Parameter points: The catalogue that a name is looked up in.
  /// - Returns: Nil after reporting what is wrong.
  init?(_ value: JSONValueReader, in fault: JSONObjectReader, points: [CrashPoint])
}

extension NodeFault {
  public var body: PlannedFault.Body { .node(self) }
  public static var isSelective: Bool { false }
  public static var hits: String { "a device" }
  public var locksDevice: Bool { false }

  public init?(_ value: JSONValueReader, in fault: JSONObjectReader, points: [CrashPoint]) {
    self.init(value, in: fault)
  }
}

/// What a ``NodeFault`` has done to a device for as long as it is on.
public enum NodeOrder: Sendable, Equatable {
  /// The app's process dies: at once, or when it next passes `point`.
  ///
  /// It is started again `restartAfter` its death; nil for never. Then the fault is over, as it is when the run heals.
  case kill(cause: String, point: CrashPoint?, restartAfter: VirtualTime.Span?)
  /// The app sleeps until the fault ends; with `wakes`, a message wakes it for a while.
  case suspend(wakes: Bool)
  /// The device's clock is off by `offset`, and from the fault's begin on by `driftPPM` millionths of the time more.
  case skewClock(offset: VirtualTime.Span, driftPPM: Double)
  /// The device's disk has no room.
  case fillDisk
  /// The counterpart is told that the device does not have the app.
  case hideApp
  /// The device's session gets something wrong; `error` is what its messages fail with, nil to draw it for each.
  case impose(SessionQuirk, error: SessionError?)
}

extension NodeFault {
  /// The device that a fault names: the value of the key named after the kind, or a key of its own.
  static func readNode(_ value: JSONValueReader?) -> NodeRole? {
    value?.oneOf([NodeRole.watch, .phone].map { ($0.text, $0) })
  }

  /// The device as a parameter.
  var nodeParameter: JSONMember { JSONMember("node", .string(node.text)) }
  /// The device as the value of the key named after the kind.
  var nodeSpelling: JSONMember { JSONMember(Self.kind, .string(node.text)) }
}
