/// The protocol between conductor and node.
public enum NodeWire {
  /// The protocol version in a join.
  public static let version: UInt16 = 1
  /// The bytes before a record's body: a length of four and a type of one.
  public static let headBytes = 5
  /// The most inputs of a grant.
  public static let inputsMax = Int(UInt16.max)
}

/// A record between conductor and node.
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
  /// The names of the crash points to stop at, replacing earlier ones.
  case arm([String])
  case end
  /// A line of the trace: its range in the decoder's text.
  case line(Range<Int>)
  /// The end of the output for one input.
  case handled
  /// When the node must be called; nil if not before its next input.
  ///
  /// An app in virtual time has a second deadline, of its own timers.
  case done(nextDeadline: VirtualTime?, appDeadline: VirtualTime? = nil)
  /// The crash point at which the node stopped, which ends the answer.
  case stopped(at: String)
  /// The new epoch, and the number of the last fully reported grant.
  case began(Epoch, answered: UInt64)
  case failed(String)
}

/// The first record of a node.
public struct JoinRequest: Sendable, Equatable {
  /// Further properties of a node, as single bits.
  public struct Flags: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The node has its own timers and cannot follow grants.
    public static let freeRunning = Self(rawValue: 1)
    /// The node is an app in virtual time: it follows grants, and its answers have two deadlines.
    public static let app = Self(rawValue: 2)
  }

  /// The node's protocol version.
  public var version: UInt16
  /// The number of its role; ``role`` is nil for an unknown one.
  public var roleNumber: UInt8
  public var flags: Flags
  /// The token from its environment.
  public var token: [UInt8]
  /// Program and version, for people.
  public var name: String

  /// The requested role; nil for an unknown number.
  public var role: NodeRole? { NodeRole(rawValue: roleNumber) }
}

extension JoinRequest {
  public init(role: NodeRole, flags: Flags = [], token: [UInt8], name: String) {
    self.init(version: NodeWire.version, roleNumber: role.rawValue, flags: flags, token: token, name: name)
  }
}

/// A permission to act.
public struct Grant: Sendable, Equatable {
  /// The instant at which the node acts.
  public var time: VirtualTime
  /// Whether the inputs of the instant are complete, so that due timers fire after them.
  public var firesTimers: Bool
  /// The number of inputs that follow, at most ``NodeWire/inputsMax``.
  public var inputs: Int

  public init(at time: VirtualTime, firesTimers: Bool, inputs: Int) {
    self.time = time
    self.firesTimers = firesTimers
    self.inputs = inputs
  }
}

/// The records of an answer in a journal, without gaps.
public enum JournaledAnswer {
  /// Passes each record with its head to `body`, in order; the bytes come from ``RecordWriter``.
  ///
  /// - Throws: The error if the bytes are not records.
  public static func forEachRecord(
    _ bytes: [UInt8], _ body: (RecordType, ArraySlice<UInt8>) -> Void
  ) throws(WireError) {
    var at = 0
    while at < bytes.count {
      guard bytes.count - at >= NodeWire.headBytes else { throw .emptyRecord }
      let length = Int(bytes.span.littleEndian(UInt32.self, at: at))
      guard length > 0 else { throw .emptyRecord }
      guard let type = RecordType(rawValue: bytes[at + 4]) else { throw .unknownType(bytes[at + 4]) }
      guard bytes.count - at - 4 >= length else {
        throw .malformed(type, expected: "\(length) bytes, found \(bytes.count - at - 4)")
      }
      body(type, bytes[at..<at + 4 + length])
      at += 4 + length
    }
  }
}

/// Why bytes between conductor and node break the protocol.
public enum WireError: Error, Sendable, Equatable {
  /// A record without a type.
  case emptyRecord
  /// An unknown type.
  case unknownType(UInt8)
  /// A type that is not allowed now.
  case unexpected(RecordType)
  /// A body over the limit of its type; both in bytes.
  case oversized(RecordType, bytes: Int, max: Int)
  /// A body that does not match its type.
  case malformed(RecordType, expected: String)
  /// A frame record whose bytes are not a frame.
  case frame(FrameError)
  /// An answer with too many records.
  case answerItems(max: Int)
  /// An answer with too many bytes.
  case answerBytes(max: Int)
  /// An answer for another number of inputs than its grant had.
  case handledInputs(found: Int, granted: Int)
  /// A line of another node or instant, with its expected beginning.
  case foreignLine(expected: String)
  /// A deadline before the granted instant, both in nanoseconds.
  case deadlineInThePast(found: Int64, granted: Int64)
  /// A second deadline from a node that is no app in virtual time.
  case foreignAppDeadline
  /// A node that stopped at a crash point that is not armed.
  case unarmed(String)
  /// Bytes after the end of an answer, or before a grant.
  case unasked(bytes: Int)
}

extension WireError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .emptyRecord: "a record of length 0, expected at least its type"
    case .unknownType(let found): "a record of type \(found), expected 1...\(RecordType.allCases.count)"
    case .unexpected(let type): "a \(type.text) record that may not come here"
    case .oversized(let type, let bytes, let max): "a \(type.text) record of \(bytes) bytes, expected at most \(max)"
    case .malformed(let type, let expected): "a malformed \(type.text) record, expected \(expected)"
    case .frame(let error): error.description
    case .answerItems(let max): "an answer of more than \(max) records"
    case .answerBytes(let max): "an answer of more than \(max) bytes"
    case .handledInputs(let found, let granted): "an answer to \(found) inputs, granted \(granted)"
    case .foreignLine(let expected): "a line of another node or instant, expected it to begin with \(expected)"
    case .deadlineInThePast(let found, let granted):
      "a deadline at \(found), expected none before the granted \(granted)"
    case .foreignAppDeadline: "a done record with two deadlines, expected one: the node is no app in virtual time"
    case .unarmed(let point): "a stop at \(quoted(point)), which is not armed"
    case .unasked(let bytes): "\(bytes) unexpected bytes outside of an answer"
    }
  }
}
