/// Counts the starts of a node's app, from 1.
public struct Epoch: Sendable, Hashable, Comparable {
  /// 0 means "not known yet".
  public var rawValue: UInt32
  @inlinable public init(_ rawValue: UInt32) { self.rawValue = rawValue }
  @inlinable public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// Numbers the items of a channel, from 1: per epoch for messages, over all epochs for queued items.
public struct SequenceNumber: Sendable, Hashable, Comparable {
  public var rawValue: UInt64
  @inlinable public init(_ rawValue: UInt64) { self.rawValue = rawValue }
  @inlinable public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// A delivery class: those of WCSession on the watch-phone link, one for the uplink, and two for the health store.
public enum Channel: UInt8, Sendable, CaseIterable {
  /// Best effort, at most once.
  case message
  /// The latest value wins.
  case applicationContext
  /// Queued, exactly once, first in, first out.
  case userInfo
  /// Queued, complete or not at all.
  case file
  /// Requests to the edge and their answers, on the uplink only.
  case http
  /// Between a node and its device's own health store; no link carries it.
  case health
  /// Between the health daemons of watch and phone: mirrored workouts, starts of the watch's app, samples.
  case mirror

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
    case .mirror: "mirror"
    }
  }

  /// Reads a name; nil for an unknown one.
  public init?(text: String) {
    guard let found = Self.allCases.first(where: { $0.text == text }) else { return nil }
    self = found
  }
}

/// What the medium carries: a header, which it reads, and a payload, which it does not.
///
/// `docs/internals/protocol.md` gives the layout of the 56-byte header.
public struct Frame: Sendable, Equatable {
  /// The purpose of a frame.
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

  /// Bits of the header.
  public struct Flags: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The payload is a dictionary; otherwise plain data.
    public static let dictionary = Self(rawValue: 1)
    /// The sender waits for a reply.
    public static let wantsReply = Self(rawValue: 2)
    /// A complication transfer: a queue of its own, ahead of the ordinary ones.
    public static let complication = Self(rawValue: 4)
    /// A reply that reports that the request could not be handled.
    public static let failure = Self(rawValue: 8)
    /// The number of a cancelled transfer; there is nothing to deliver.
    public static let void = Self(rawValue: 16)
    /// The sender of a message without reply requests a receipt once the receiver's app has handled it.
    public static let wantsReceipt = Self(rawValue: 32)
  }

  public var kind: Kind
  public var channel: Channel
  public var flags: Flags
  /// The transmission of the same item, counted from 1; saturates.
  public var attempt: UInt16
  /// The sender's epoch.
  public var epoch: Epoch
  /// The receiver's epoch if the sender knows it, otherwise 0.
  ///
  /// In an acknowledgement or a reply, the epoch of what it answers.
  public var peerEpoch: Epoch
  /// The item's number on its channel; in an acknowledgement or a reply, the number of what it answers.
  public var seq: SequenceNumber
  /// The offset of a chunk in its file, in bytes; otherwise 0.
  ///
  /// In an acknowledgement, the attempt that it confirms: otherwise all acknowledgements of one item would draw the
  /// same fate.
  public var offset: UInt64
  /// The transfer; zero if the frame is not queued.
  public var transfer: Identifier
  /// The bytes; opaque to the medium.
  public var payload: [UInt8] {
    @inlinable get { digestedPayload.bytes }
    set { digestedPayload = DigestedPayload(newValue) }
  }
  /// The payload with its digest, if computed.
  @usableFromInline var digestedPayload: DigestedPayload

  /// The payload, for a caller that stores it.
  ///
  /// Equal to ``payload``, but not inlined: inlining copies the whole frame and retains its references.
  @inline(never) public func heldPayload() -> [UInt8] { digestedPayload.bytes }
  /// Whether the payload's digest has been computed.
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

  /// The length of the header in bytes.
  public static let headerBytes = 56
  /// The largest payload, in bytes: an application context at its limit.
  public static let payloadBytesMax = 262_144

  /// Returns the first 8 bytes of the payload's SHA-256, and caches it, so that the receiver need not compute it again.
  public mutating func payloadDigest() -> UInt64 { digestedPayload.digest() }

  /// The length on the wire in bytes, which a byte-limited link counts.
  @inlinable public var wireBytes: Int { Self.headerBytes + digestedPayload.bytes.count }

  /// The key of random draws about this frame; it does not depend on earlier draws.
  ///
  /// Kind, channel and attempt share 32 bits; the sequence number, epoch and offset are mixed in.
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

  /// The place of its lines in the trace.
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

/// Why bytes are not a frame.
public enum FrameError: Error, Sendable, Equatable {
  /// The first two bytes are not those of a frame.
  case badMagic(found: UInt16)
  /// An unknown version of the layout.
  case badVersion(found: UInt8)
  /// The header is intact, but has an unknown kind.
  case unknownKind(UInt8)
  /// The header is intact, but has an unknown channel.
  case unknownChannel(UInt8)
  /// The length of the payload exceeds the limit; both in bytes.
  case oversized(bytes: Int, max: Int)
  /// A bit was flipped during the transmission.
  case badChecksum(found: UInt32, expected: UInt32)
  /// There are fewer bytes than the frame has, header included.
  case truncated(found: Int, expected: Int)
  /// Bytes follow the frame.
  case trailing(bytes: Int)
}

extension FrameError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .badMagic(let found):
      "a frame begins with 0x\(hexText(UInt64(found), digits: 4)), expected 0x\(hexText(UInt64(FrameCodec.magic), digits: 4))"
    case .badVersion(let found): "a frame of version \(found), expected \(FrameCodec.version)"
    case .unknownKind(let found): "a frame of kind \(found), expected 0...\(Frame.Kind.allCases.count - 1)"
    case .unknownChannel(let found): "a frame of channel \(found), expected 0...\(Channel.allCases.count - 1)"
    case .oversized(let bytes, let max): "a payload of \(bytes) bytes, expected at most \(max)"
    case .badChecksum(let found, let expected):
      "a frame with checksum 0x\(hexText(UInt64(found), digits: 8)), expected 0x\(hexText(UInt64(expected), digits: 8))"
    case .truncated(let found, let expected): "a frame of \(found) bytes, expected \(expected)"
    case .trailing(let bytes): "\(bytes) bytes after the end of a frame, expected none"
    }
  }
}

/// Messages between an app and its own device: frames of the channel ``Channel/health``, which no link carries.
///
/// They are not in the trace, and no fault affects them. A message that exceeds a frame is split: `seq` counts the parts
/// from 1, `offset` is their number.
public enum DeviceFrames {
  /// Limit of a message that is reassembled, in bytes.
  static let messageBytesMax = 64 << 20
  /// Limit of one part, in bytes.
  static let partBytes = 200_000

  /// Splits a message into frames, at least one.
  ///
  /// - Parameters:
  ///   - bytes: The message.
  ///   - number: Of the message, from its sender.
  ///   - epoch: Of the sender.
  public static func make(_ bytes: [UInt8], number: UInt64, epoch: Epoch) -> [Frame] {
    let count = max(1, (bytes.count + partBytes - 1) / partBytes)
    return (0..<count).map { part in
      Frame(
        kind: .data, channel: .health, epoch: epoch, seq: SequenceNumber(UInt64(part + 1)), offset: UInt64(count),
        transfer: Identifier(high: 0, low: number),
        payload: Array(bytes[min(part * partBytes, bytes.count)..<min((part + 1) * partBytes, bytes.count)]))
    }
  }

  /// Reassembles messages from their parts, which arrive in order.
  public struct Assembly: Sendable, Equatable {
    private var bytes: [UInt8] = []

    public init() {}

    /// Adds the next part; returns the whole message with its last part, and nil before.
    ///
    /// A message beyond the limit is dropped.
    public mutating func append(_ frame: Frame) -> [UInt8]? {
      if frame.seq.rawValue == 1 {
        if frame.offset == 1 { return frame.payload }
        bytes = []
      }
      guard bytes.count + frame.payload.count <= DeviceFrames.messageBytesMax else {
        bytes = []
        return nil
      }
      bytes += frame.payload
      guard frame.seq.rawValue >= frame.offset else { return nil }
      defer { bytes = [] }
      return bytes
    }
  }
}
