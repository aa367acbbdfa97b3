/// What became of every frame of a recorded run, for a ``Medium`` that repeats it instead of deciding anew.
///
/// A frame is known again by what its line in the trace says of it, never by its number, which shifts as soon as one
/// frame more or less is sent. Frames that are alike (two acknowledgements of two copies) are met in the order in which
/// they were sent.
public struct RecordedFates: Sendable {
  /// What a frame is known again by.
  public struct Key: Sendable, Hashable {
    public var direction: Direction
    public var kind: Frame.Kind
    public var channel: Channel
    public var epoch: Epoch
    public var seq: SequenceNumber
    /// From 1.
    public var attempt: UInt16
    public var transfer: Identifier
    /// Where a chunk begins; 0 for all other frames, as the trace does not tell it of them.
    public var offset: UInt64

    /// Creates a key.
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

    /// The key of a frame that goes this way.
    public init(_ frame: Frame, _ direction: Direction) {
      self.init(
        direction: direction, kind: frame.kind, channel: frame.channel, epoch: frame.epoch, seq: frame.seq,
        attempt: frame.attempt, transfer: frame.transfer, offset: frame.offset)
    }
  }

  /// What became of one copy.
  public enum Fate: Sendable, Equatable {
    case arrived(copy: Int, at: VirtualTime)
    case dropped(copy: Int, cause: DropCause, fault: String?)
  }

  /// The fates of the frames of one key: one list a frame, and how many frames were met again.
  private struct Frames: Sendable {
    var fates: [[Fate]] = []
    var met = 0
  }

  private var frames: [Key: Frames] = [:]
  /// How many frames were sent that the recorded run did not send.
  public private(set) var unknownCount = 0

  /// Creates an empty record.
  public init() {}

  /// Adds a frame, in the order of the sending, with the fates of its copies.
  public mutating func add(_ key: Key, _ fates: [Fate]) { frames[key, default: Frames()].fates.append(fates) }

  /// The fates of the next frame of this key; nil for one that was not recorded.
  mutating func take(_ key: Key) -> [Fate]? {
    guard let known = frames[key], known.met < known.fates.count else {
      unknownCount += 1
      return nil
    }
    frames[key]?.met += 1
    return known.fates[known.met]
  }
}

extension Medium {
  /// The count of outages that copies have whose arrival is on record: no cut touches them.
  static let outagesOfRecorded = Int.max

  /// Lets a frame meet the fate that it met before; one that was not sent before reaches nobody.
  @inline(never)
  mutating func sendAsRecorded(_ frame: Frame, id: UInt64, direction: Direction, at now: VirtualTime) {
    guard let fates = recorded?.take(RecordedFates.Key(frame, direction)) else {
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
  /// The run that is repeated did not send it.
  public static let notRecorded = Self("notRecorded")
}
