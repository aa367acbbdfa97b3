/// The protocol between conductor and node.
public enum NodeWire {
  /// The version that a join names.
  public static let version: UInt16 = 1
  /// The bytes before a record's body: a length of four, a type of one.
  public static let headBytes = 5
  /// The most inputs a grant may carry.
  public static let inputsMax = Int(UInt16.max)
}

/// One record between conductor and node, read from the wire.
public enum WireRecord: Sendable, Equatable {
  case join(JoinRequest)
  /// The node's setup, a JSON text.
  case welcome(String)
  case grant(Grant)
  case frame(Frame)
  case link(isUp: Bool)
  case uplink(isUp: Bool)
  case command(NodeCommand)
  case condition(NodeCondition)
  /// The names of the crash points at which to stop, from now on and instead of those before.
  case arm([String])
  case end
  /// A line of the trace: where it stands in the text that the decoder was handed.
  case line(Range<Int>)
  /// The end of what was done on one input.
  case handled
  /// When the node wants to be called; nil for not before its next input. An app in virtual time has a second deadline,
  /// of its own timers.
  case done(nextDeadline: VirtualTime?, appDeadline: VirtualTime? = nil)
  /// The name of the crash point at which the node has stopped: the answer ends there.
  case stopped(at: String)
  /// The epoch that begins with this start, and the number of the last grant of which all is told.
  case began(Epoch, answered: UInt64)
  case failed(String)
}

/// What a node says first.
public struct JoinRequest: Sendable, Equatable {
  /// What else a node says of itself in single bits.
  public struct Flags: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The node has timers of its own and cannot follow grants.
    public static let freeRunning = Self(rawValue: 1)
    /// The node is an app in virtual time: it follows grants, and its answers have two deadlines.
    public static let app = Self(rawValue: 2)
  }

  /// The version of the protocol that it speaks.
  public var version: UInt16
  /// The number of its role; ``role`` is nil for one that does not exist.
  public var roleNumber: UInt8
  public var flags: Flags
  /// What it was given when it was started.
  public var token: [UInt8]
  /// Program and version, for people.
  public var name: String

  /// Asks to join as `role`.
  public init(role: NodeRole, flags: Flags = [], token: [UInt8], name: String) {
    version = NodeWire.version
    roleNumber = role.rawValue
    self.flags = flags
    self.token = token
    self.name = name
  }

  init(version: UInt16, roleNumber: UInt8, flags: Flags, token: [UInt8], name: String) {
    self.version = version
    self.roleNumber = roleNumber
    self.flags = flags
    self.token = token
    self.name = name
  }

  /// The role it wants; nil for a number without one.
  public var role: NodeRole? { NodeRole(rawValue: roleNumber) }
}

/// A permission to act.
public struct Grant: Sendable, Equatable {
  /// The instant at which the node acts.
  public var time: VirtualTime
  /// Whether the instant's inputs are complete, so that timers that are due fire after them.
  public var firesTimers: Bool
  /// How many records follow that are inputs, at most ``NodeWire/inputsMax``.
  public var inputs: Int

  /// Creates a grant.
  public init(at time: VirtualTime, firesTimers: Bool, inputs: Int) {
    self.time = time
    self.firesTimers = firesTimers
    self.inputs = inputs
  }
}
