/// The type of a record between conductor and node: its fifth byte.
public enum RecordType: UInt8, Sendable, CaseIterable {
  /// Node: its role, and the run's token.
  case join = 1
  /// Conductor: accepts the node, with the setup.
  case welcome = 2
  /// Conductor: a permission to act at this instant on the inputs that follow.
  case grant = 3
  /// Either: a frame of the medium.
  case frame = 4
  /// Conductor: this side's knowledge of the radio.
  case link = 5
  /// Conductor: an action of the user or the system.
  case command = 6
  /// Conductor: the run is over.
  case end = 7
  /// Node: a line of the trace.
  case line = 8
  /// Node: quiescent, with its next deadline.
  case done = 9
  /// Either: why the connection ends.
  case failed = 10
  /// Node: the end of the output for one input of the grant.
  case handled = 11
  /// Conductor: a condition of the device or its counterpart.
  case condition = 12
  /// Conductor: the crash points at which the node must stop.
  case arm = 13
  /// Node: it has reached an armed crash point, and does nothing more.
  case stopped = 14
  /// Node, in a run with a journal: the new epoch, and the last fully reported grant.
  case began = 15
  /// Conductor: the phone's knowledge of the uplink.
  case uplink = 16

  /// The largest body, in bytes, inclusive.
  public var bodyBytesMax: Int {
    switch self {
    case .join: 4096
    case .welcome: 16 << 20
    case .grant: 11
    case .frame: Frame.headerBytes + Frame.payloadBytesMax
    case .link, .uplink: 1
    case .command, .line: 1 << 20
    case .end, .handled: 0
    case .done: 16
    case .failed: 1 << 16
    case .condition: 17
    case .arm: 4096
    case .stopped: 256
    case .began: 12
    }
  }

  /// The smallest body, in bytes.
  var bodyBytesMin: Int {
    switch self {
    case .join: 8
    case .grant: 11
    case .frame: Frame.headerBytes
    case .link, .uplink: 1
    case .command: 6
    case .line: 2
    case .done: 8
    case .condition: 2
    case .stopped: 1
    case .began: 12
    case .welcome, .end, .failed, .handled, .arm: 0
    }
  }

  /// The name in errors and in `docs/internals/protocol.md`.
  public var text: String { "\(self)" }
}

/// A set of record types that may come next.
public struct RecordSet: OptionSet, Sendable, Hashable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The set of one type.
  init(_ type: RecordType) { rawValue = 1 << UInt32(type.rawValue) }

  /// The types that a conductor accepts from a stranger.
  public static let join = Self(.join)
  /// The types that a conductor accepts from a node that has joined.
  public static let answer: Self = [
    Self(.frame), Self(.line), Self(.handled), Self(.done), Self(.stopped), Self(.failed),
  ]
  /// The types that a conductor accepts as the answer to its welcome, in a run with a journal.
  public static let beginning: Self = [Self(.line), Self(.handled), Self(.began), Self(.done), Self(.failed)]
  /// The types that a node accepts after its join.
  public static let welcome: Self = [Self(.welcome), Self(.failed)]
  /// The types that a node accepts between two answers.
  public static let order: Self = [Self(.grant), Self(.arm), Self(.end), Self(.failed)]
  /// The types that a node accepts as the inputs of a grant.
  public static let input: Self = [
    Self(.frame), Self(.link), Self(.uplink), Self(.command), Self(.condition),
  ]

  /// Whether a type is in the set.
  func contains(_ type: RecordType) -> Bool { rawValue & 1 << UInt32(type.rawValue) != 0 }
}

/// An app's state as bytes under names: single values, and lists that grow at their end.
public struct KeyedRecord: Sendable, Equatable {
  /// The single values.
  public var values: [String: [UInt8]] = [:]
  /// The lists, in the order of their growth; an empty one is absent.
  public var lists: [String: [[UInt8]]] = [:]

  /// The record of a device that never started before.
  public init() {}

  /// Applies one change.
  public mutating func apply(_ change: KeyedChange) {
    switch change {
    case .set(let key, let bytes): values[key] = bytes
    case .append(let list, let bytes): lists[list, default: []].append(bytes)
    case .removeAll(let list): lists[list] = nil
    }
  }
}

/// One durable change of a ``KeyedRecord``.
public enum KeyedChange: Sendable, Equatable {
  /// Sets a single value; nil removes it.
  case set(key: String, [UInt8]?)
  /// Appends to a list.
  case append(list: String, [UInt8])
  /// Empties a list.
  case removeAll(list: String)
}
