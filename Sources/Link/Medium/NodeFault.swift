/// A fault of a device: orders to the owner of the nodes, reverted when the fault ends.
///
/// To add one: a file in `Faults/` and a line in ``FaultCatalog``.
public protocol NodeFault: FaultKind {
  /// The affected device.
  var node: NodeRole { get set }
  /// What happens to the device from the fault's beginning on, in order.
  ///
  /// A kill without a point ends the fault when the app starts again, and reverts the other orders then.
  var orders: [NodeOrder] { get }
  /// Whether the device is locked until its app starts again; a watch's app can query that of its phone.
  var locksDevice: Bool { get }
  /// Whether the device loses its power when the fault begins.
  var losesPower: Bool { get }
  /// What stories say of an app that dies, by the cause in `node.killed`; of other causes, that it crashes.
  static var deaths: [(cause: String, words: String)] { get }
}

extension NodeFault {
  public var body: PlannedFault.Body { .node(self) }
  public static var isSelective: Bool { false }
  public static var hits: String { "a device" }
  public var locksDevice: Bool { false }
  public var losesPower: Bool { false }
  public static var deaths: [(cause: String, words: String)] { [] }

  /// Whether the app's process may die.
  public var kills: Bool { orders.contains { if case .kill = $0 { true } else { false } } }

  /// The parameters of a kind whose key has the device as its value: `kill: "phone"`; others are beside it.
  static func besideDevice(
    _ standard: Self, _ about: String, _ others: [Field<Self>] = [],
    complete: @escaping @Sendable (inout Self, JSONObjectReader) -> Bool = { _, _ in true }
  ) -> ObjectSchema<Self> {
    ObjectSchema(kind, "", standard, [Field(kind, \.node, .device, about, .required)] + others, complete: complete)
  }
}

/// The effect of a ``NodeFault`` on a device while it is on.
public enum NodeOrder: Sendable, Equatable {
  /// The app's process dies: at once, or when it next passes `point`.
  ///
  /// It starts again `restartAfter` its death; nil for never. Then the fault is over, as it is when the run heals.
  case kill(cause: String, point: CrashPoint?, restartAfter: VirtualTime.Span?)
  /// The app is suspended until the fault ends; with `wakes`, a message wakes it for a while.
  case suspend(wakes: Bool)
  /// The device's clock is ahead by `offset`, and gains `driftPPM` millionths of the time since the fault's beginning.
  case skewClock(offset: VirtualTime.Span, driftPPM: Double)
  /// The device's disk has no room.
  case fillDisk
  /// The counterpart learns that the device does not have the app.
  case hideApp
  /// The device's session misbehaves; `error` is the error of its messages, nil to draw it for each.
  case impose(SessionQuirk, error: SessionError?)
  /// Sends of the device's app fail.
  case failSends(SendFailures)
  /// The device's health daemon misbehaves.
  case spoilHealth(HealthFlaw)
  /// The device's system does something to its app.
  case spoilSystem(SystemFlaw)
}

/// A quirk of a device's session: a node fault that switches it on.
///
/// To add one: a file in `Quirks/` with its ``SessionQuirk`` and a line in ``FaultCatalog``.
public protocol SessionQuirkFault: NodeFault {
  /// The session's misbehaviour.
  static var quirk: SessionQuirk { get }
  /// Further ones that its parameters choose, with their effects.
  static var choices: [(quirk: SessionQuirk, effect: String)] { get }
  /// What the session does while it is on, in the words of the protocol: part of a sentence, as Markdown.
  static var effect: String { get }
  /// Creates the fault for a device.
  init(_ node: NodeRole)
}

extension SessionQuirkFault {
  public static var kind: String { quirk.name }
  public static var choices: [(quirk: SessionQuirk, effect: String)] { [] }
  public static func draw(_ dice: inout FaultDice) -> Self { Self(dice.pickNode()) }
  public var orders: [NodeOrder] { [.impose(Self.quirk, error: nil)] }
}

/// A quirk that makes messages fail although the app believes its peer reachable.
public protocol MessageErrorFault: SessionQuirkFault {
  /// The error of the messages, one of ``SessionQuirk/messageErrors``; nil to draw it for each.
  var error: SessionError? { get set }
  /// Creates the fault for a device.
  init(_ node: NodeRole, error: SessionError?)
}

extension MessageErrorFault {
  public init(_ node: NodeRole) { self.init(node, error: nil) }

  /// The key for the error; `drawn` is nil.
  static var errorField: Field<Self> {
    let choices = SessionQuirk.messageErrors.map { (word: $0.rawValue, choice: SessionError?.some($0)) }
    return Field(
      "error", \.error, ValueSchema<SessionError?>.choice(choices + [("drawn", nil)]),
      "the error of a message that does not arrive, for a sender with an error handler"
    ).omittedAtDefault
  }

  public var orders: [NodeOrder] { [.impose(Self.quirk, error: error)] }
}
