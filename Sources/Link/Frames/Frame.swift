/// Counts the starts of a node's app, from 1.
public struct Epoch: Sendable, Hashable, Comparable {
  /// 0 stands for "not known yet".
  public var rawValue: UInt32
  /// Creates the count.
  @inlinable public init(_ rawValue: UInt32) { self.rawValue = rawValue }
  @inlinable public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// Counts what a channel carries, from 1: per epoch for messages, for good for what is queued.
public struct SequenceNumber: Sendable, Hashable, Comparable {
  /// The count.
  public var rawValue: UInt64
  /// Creates the count.
  @inlinable public init(_ rawValue: UInt64) { self.rawValue = rawValue }
  @inlinable public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// A delivery class: WCSession's of the watch-phone link, and the uplink's one.
public enum Channel: UInt8, Sendable, CaseIterable {
  /// Best effort, at most once.
  case message
  /// The latest value wins.
  case applicationContext
  /// Queued, exactly once, first in first out.
  case userInfo
  /// Queued, whole or not at all.
  case file
  /// Requests to the edge and their answers: what the uplink carries, and nothing else does.
  case http
  /// Words to and from the health store of the device's platform, which no link carries.
  case health

  /// The channels of the watch-phone link.
  public static let ofLink: [Self] = [.message, .applicationContext, .userInfo, .file]

  /// The name in scenarios and traces.
  public var text: String {
    switch self {
    case .message: "message"
    case .applicationContext: "applicationContext"
    case .userInfo: "userInfo"
    case .file: "file"
    case .http: "http"
    case .health: "health"
    }
  }

  /// Reads a name; nil for an unknown one.
  public init?(text: String) {
    guard let found = Self.allCases.first(where: { $0.text == text }) else { return nil }
    self = found
  }
}

/// What the medium carries: a header it reads, and bytes it never looks into.
///
/// `docs/protocol.md` gives the layout of the 56-byte header.
public struct Frame: Sendable, Equatable {
  /// What a frame is for.
  public enum Kind: UInt8, Sendable, CaseIterable {
    case data, ack, hello, reply, chunk

    /// The name in the trace.
    public var text: String {
      switch self {
      case .data: "data"
      case .ack: "ack"
      case .hello: "hello"
      case .reply: "reply"
      case .chunk: "chunk"
      }
    }
  }

  /// What else a frame says in single bits.
  public struct Flags: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The payload is a dictionary; without it, plain data.
    public static let dictionary = Self(rawValue: 1)
    /// The sender waits for a reply.
    public static let wantsReply = Self(rawValue: 2)
    /// A complication transfer: first in first out of its own, ahead of the ordinary ones.
    public static let complication = Self(rawValue: 4)
    /// A reply that says that the request could not be handled.
    public static let failure = Self(rawValue: 8)
    /// A queued place whose transfer was cancelled: nothing to hand over.
    public static let void = Self(rawValue: 16)
    /// The sender of a message without reply wants a receipt once the receiver's app has taken it.
    public static let wantsReceipt = Self(rawValue: 32)
  }

  public var kind: Kind
  public var channel: Channel
  public var flags: Flags
  /// Counts transmissions of the same thing, from 1.
  public var attempt: UInt16
  /// The sender's epoch.
  public var epoch: Epoch
  /// The receiver's epoch as far as the sender knows it, else 0.
  ///
  /// An acknowledgement or a reply speaks about something of this epoch.
  public var peerEpoch: Epoch
  /// Which one of its channel; what an acknowledgement confirms, what a reply answers.
  public var seq: SequenceNumber
  /// Where a chunk begins in its file, in bytes.
  ///
  /// In an acknowledgement, the attempt that it answers: without it all
  /// acknowledgements of one thing would draw the same fate. Else 0.
  public var offset: UInt64
  /// Which transfer; zero for what is not queued.
  public var transfer: Identifier
  /// Opaque.
  public var payload: [UInt8] {
    @inlinable get { digestedPayload.bytes }
    set { digestedPayload = DigestedPayload(newValue) }
  }
  /// The payload, with its digest where that was reckoned.
  @usableFromInline var digestedPayload: DigestedPayload

  /// The payload, to be held on to.
  ///
  /// The same as ``payload``. Not inlined: where it is, the whole frame is copied and counted first.
  @inline(never) public func heldPayload() -> [UInt8] { digestedPayload.bytes }
  /// Whether the payload's digest was reckoned.
  @inline(never) func isDigested() -> Bool { digestedPayload.known != 0 }

  /// Creates a frame.
  @inlinable public init(
    kind: Kind, channel: Channel, flags: Flags = [], attempt: UInt16 = 1, epoch: Epoch, peerEpoch: Epoch = Epoch(0),
    seq: SequenceNumber, offset: UInt64 = 0, transfer: Identifier = Identifier(high: 0, low: 0), payload: [UInt8] = []
  ) {
    self.kind = kind
    self.channel = channel
    self.flags = flags
    self.attempt = attempt
    self.epoch = epoch
    self.peerEpoch = peerEpoch
    self.seq = seq
    self.offset = offset
    self.transfer = transfer
    digestedPayload = DigestedPayload(payload)
  }

  /// The header's length, in bytes.
  public static let headerBytes = 56
  /// The largest payload, in bytes: an application context at its limit.
  public static let payloadBytesMax = 262_144

  /// The first 8 bytes of the payload's SHA-256; kept, so that a frame's receiver need not reckon it again.
  public mutating func payloadDigest() -> UInt64 { digestedPayload.digest() }

  /// The length on the wire, in bytes: what a byte-limited link counts.
  @inlinable public var wireBytes: Int { Self.headerBytes + digestedPayload.bytes.count }

  /// What random draws about this frame depend on, besides their stream: nothing drawn before.
  ///
  /// Kind and channel share 16 bits with the attempt; the sequence number follows, then epoch and
  /// offset.
  @inlinable public var drawKey: UInt64 {
    let head =
      UInt64(kind.rawValue) << 56 | UInt64(channel.rawValue) << 48 | UInt64(attempt) << 32
      | UInt64(epoch.rawValue)
    return RandomStream.key(head, seq.rawValue &+ offset &* 0xC2B2_AE3D_27D4_EB4F &+ UInt64(flags.rawValue & 4) << 60)
  }
}

/// A participant of a run.
public enum NodeRole: UInt8, Sendable, CaseIterable {
  case watch, phone, edge

  /// The name in scenarios and traces.
  public var text: String {
    switch self {
    case .watch: "watch"
    case .phone: "phone"
    case .edge: "edge"
    }
  }

  /// Where its lines stand in the trace.
  @inlinable public var place: TraceEvent.Place {
    switch self {
    case .watch: .watch
    case .phone: .phone
    case .edge: .edge
    }
  }

  /// The other end of the watch-phone link.
  @inlinable public var peer: NodeRole { self == .watch ? .phone : .watch }
}
