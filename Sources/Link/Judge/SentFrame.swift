/// A sent frame: what checkers need of it when it is sent, and when its copies arrive or are lost.
///
/// Plain values without references, so that looking at it costs no more than reading them.
public struct SentFrame: Sendable {
  /// Its number.
  public let id: Int64
  /// Who sent it.
  public let sender: TraceEvent.Place
  /// Whom it is for.
  public let receiver: TraceEvent.Place
  /// What it is.
  public let kind: Frame.Kind
  /// Its channel.
  public let channel: Channel
  /// The sender's epoch.
  public let epoch: Int64
  /// Its number in its channel.
  public let seq: Int64
  /// The length of its payload.
  public let bytes: Int64
  /// Whether its sender waits for a reply.
  public let wantsReply: Bool
  /// When it was sent.
  public let time: VirtualTime
  /// Its line in the trace.
  public let line: Int

  @inline(__always)
  init(_ frame: borrowing FrameSent, from sender: TraceEvent.Place, at time: VirtualTime, line: Int) {
    id = frame.id
    self.sender = sender
    receiver = frame.to.place
    kind = frame.kind
    channel = frame.channel
    epoch = frame.epoch
    seq = frame.seq
    bytes = frame.bytes
    // An app's recording writes the frame when its outcome is known, with the time at which it was sent.
    wantsReply = frame.wantsReply != nil && frame.tSend == nil
    self.time = time
    self.line = line
  }

  /// The node at the other end of the link.
  @inlinable public var peer: TraceEvent.Place { sender == .watch ? .phone : .watch }

  /// Whether it is from the watch to the phone or back.
  @inlinable public var isBetweenDevices: Bool { (sender == .watch || sender == .phone) && receiver != .edge }
}

/// The latest sent frames, by their numbers: one table for all checkers.
package struct FrameLog: Sendable {
  /// The number of remembered frames; of an older one no checker knows anything.
  package static let countMax = 4096

  private var frames: [SentFrame?] = []

  /// Records the frame of a `frame.sent`, and finds that of any other line about a frame.
  mutating func complete(_ event: EventBody, _ place: inout Occurrence) {
    switch event {
    case .frameSent(let sent): complete(sent, &place)
    case .frameDelivered(let copy): complete(copy, &place)
    case .frameDropped(let copy): place.frame = frame(copy.id)
    case .frameDuplicated(let copy): place.frame = frame(copy.id)
    default: break
    }
  }

  @inline(__always)
  mutating func complete(_ event: some FrequentKind, _ place: inout Occurrence) {
    if let frame = event.sentFrame(at: place) {
      record(frame)
      place.frame = frame
    } else if let id = event.earlierFrame {
      place.frame = frame(id)
    }
  }

  private mutating func record(_ frame: SentFrame) {
    let slot = Self.slot(of: frame.id)
    // Reserves room for a quarter of an hour, since a growing list is copied repeatedly.
    if frames.isEmpty { frames.reserveCapacity(1_024) }
    while frames.count <= slot { frames.append(nil) }
    frames[slot] = frame
  }

  private func frame(_ id: Int64) -> SentFrame? {
    let slot = Self.slot(of: id)
    guard slot < frames.count, let frame = frames[slot], frame.id == id else { return nil }
    return frame
  }

  private static func slot(of id: Int64) -> Int { Int(truncatingIfNeeded: id) & (countMax - 1) }
}
