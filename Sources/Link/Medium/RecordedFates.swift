/// The fates of all frames of a recorded run, for a ``Medium`` that repeats them.
///
/// A frame is identified by the fields of its trace line, not by its number, which shifts as soon as one frame more or
/// less is sent. Frames with equal fields (two acknowledgements of two copies) are matched in the order of sending.
public struct RecordedFates: Sendable {
  /// The fields that identify a frame.
  public struct Key: Sendable, Hashable {
    public var direction: Direction
    public var kind: Frame.Kind
    public var channel: Channel
    public var epoch: Epoch
    public var seq: SequenceNumber
    /// From 1.
    public var attempt: UInt16
    public var transfer: Identifier
    /// The offset of a chunk; 0 for all other frames, whose lines do not contain it.
    public var offset: UInt64

    public init(
      direction: Direction, kind: Frame.Kind, channel: Channel, epoch: Epoch, seq: SequenceNumber, attempt: UInt16 = 1,
      transfer: Identifier = Identifier(high: 0, low: 0), offset: UInt64 = 0
    ) {
      self.direction = direction
      self.kind = kind
      self.channel = channel
      self.epoch = epoch
      self.seq = seq
      self.attempt = attempt
      self.transfer = transfer
      self.offset = kind == .chunk ? offset : 0
    }

    /// The key of a frame in this direction.
    public init(_ frame: Frame, _ direction: Direction) {
      self.init(
        direction: direction, kind: frame.kind, channel: frame.channel, epoch: frame.epoch, seq: frame.seq,
        attempt: frame.attempt, transfer: frame.transfer, offset: frame.offset)
    }
  }

  /// The fate of one copy.
  public enum Fate: Sendable, Equatable {
    case arrived(copy: Int, at: VirtualTime)
    case dropped(copy: Int, cause: DropCause, fault: String?)
  }

  /// The fates of the frames with one key: a list for each frame, and how many frames were matched.
  private struct Frames: Sendable {
    var fates: [[Fate]] = []
    var met = 0
  }

  private var frames: [Key: Frames] = [:]
  /// How many frames were sent that the recorded run did not send.
  public private(set) var unknownCount = 0

  public init() {}

  /// Adds a frame with the fates of its copies, in the order of sending.
  public mutating func add(_ key: Key, _ fates: [Fate]) { frames[key, default: Frames()].fates.append(fates) }

  /// Returns the fates of the next frame with this key; nil if it was not recorded.
  mutating func nextFates(_ key: Key) -> [Fate]? {
    guard let known = frames[key], known.met < known.fates.count else {
      unknownCount += 1
      return nil
    }
    frames[key]?.met += 1
    return known.fates[known.met]
  }
}

extension Medium {
  /// The outage count of copies with a recorded arrival: no cut affects them.
  static let outagesOfRecorded = Int.max

  /// Applies the recorded fate to a frame; a frame that was not recorded is dropped.
  @inline(never)
  mutating func sendAsRecorded(_ frame: Frame, id: UInt64, direction: Direction, at now: VirtualTime) {
    guard let fates = recorded?.nextFates(RecordedFates.Key(frame, direction)) else {
      immediate.append(.dropped(id: id, copy: 0, cause: .notRecorded, fault: nil))
      return
    }
    if fates.count > 1 { immediate.append(.duplicated(id: id, copies: fates.count - 1)) }
    for fate in fates {
      switch fate {
      case .arrived(let copy, let at):
        let lane = direction.lane
        if copy == 0 { lanes[lane].lastArrival = max(lanes[lane].lastArrival, at) }
        queue.insert(
          FrameQueue.Entry(
            id: id, copy: copy, outages: Self.outagesOfRecorded, direction: direction, frame: frame),
          at: max(at, now))
      case .dropped(let copy, let cause, let fault):
        immediate.append(.dropped(id: id, copy: copy, cause: cause, fault: fault))
      }
    }
  }
}

extension DropCause {
  /// The repeated run did not send it.
  public static let notRecorded = Self("notRecorded")
}
