/// Carries frames between two nodes and decides their fates.
///
/// A frame passes these stages: cut link, byte-limited queue, loss, corruption, delay, reordering, duplication (spec
/// 2.4). The stages after the queue apply when the frame leaves it, with the faults of that moment. At each stage the
/// radio's own profile acts before the faults, which act in plan order. The medium knows faults only through
/// ``FrameFault``.
public struct Medium: Sendable {
  /// The place of its lines in the trace.
  public let place: TraceEvent.Place
  /// The link without faults.
  public let profile: LinkProfile
  private var random: RandomStream
  private var lossRandoms: [RandomStream]
  private var losses: [LinkProfile.Loss]
  /// The values of each direction, by lane.
  let ways: [LinkProfile]
  /// The losses of each direction, by lane, as a range of `losses`.
  private var lossRanges: [Range<Int>]
  var active: [ActiveFault] = []
  @usableFromInline var queue = FrameQueue()
  var lanes = InlineArray<2, Lane>(repeating: Lane())
  /// How many causes hold the link down.
  private var cuts: Int
  /// The faults that hold the link down, in the order in which they cut it.
  private var cutting: [String?] = []
  /// The faults that began the latest outages, the last one at the end; lost copies are attributed to them.
  private var cutters: [String?] = []
  /// The number of outages; frames sent before the last one do not arrive.
  private(set) var outages = 0
  /// No fault begins or ends, and the link is neither cut nor restored, before this instant.
  ///
  /// A frame that leaves the queue earlier passes the later stages when it is sent, since nothing can change until
  /// then. The start of the run if unknown; the owner of the faults keeps it up to date.
  public var horizon = VirtualTime.start
  /// The recorded fates of a run that is repeated; nil if the medium decides.
  public var recorded: RecordedFates?
  /// Fates decided when a frame is sent; the conductor empties the list after each ``send(_:id:direction:at:)``.
  public var immediate: [Fate] = []

  /// The fate of one copy of a frame, or the creation of copies.
  public enum Fate: Sendable {
    case duplicated(id: UInt64, copies: Int)
    case dropped(id: UInt64, copy: Int, cause: DropCause, fault: String?)
    case delivered(id: UInt64, copy: Int, Frame, to: NodeRole)

    /// The frame's number.
    public var id: UInt64 {
      switch self {
      case .duplicated(let id, _), .dropped(let id, _, _, _), .delivered(let id, _, _, _): id
      }
    }
  }

  /// The state of a direction.
  struct Lane: Sendable {
    /// When the byte-limited queue becomes empty.
    var busyUntil = VirtualTime.start
    /// The number of frames in it.
    var waiting = 0
    /// The latest planned arrival: later frames never overtake earlier ones, unless held back.
    var lastArrival = VirtualTime.start
  }

  /// An active fault.
  struct ActiveFault: Sendable {
    var index: Int
    var id: String
    var since: VirtualTime
    var direction: Direction?
    var channels: [Channel]?
    var random: RandomStream
    var fault: any FrameFault
    /// Whether it observes passing frames.
    let observes: Bool

    /// Whether it limits the queue.
    var isNarrowing: Bool {
      var limit = Bandwidth(bytesPerSecond: nil, queueBytes: .max)
      fault.narrow(&limit)
      return limit.bytesPerSecond != nil
    }

    func affects(_ passage: Passage) -> Bool {
      if let direction, direction != passage.direction { return false }
      if let channels, !channels.contains(passage.channel) { return false }
      return true
    }
  }

  /// Creates an empty medium.
  public init(place: TraceEvent.Place, profile: LinkProfile, seed: UInt64) {
    self.place = place
    self.profile = profile
    random = RandomStream(seed: seed, name: "medium.\(place.text)")
    ways = [profile.resolved(lane: 0), profile.resolved(lane: 1)]
    let radio = RadioLosses(profile, place: place, seed: seed)
    (losses, lossRandoms, lossRanges) = (radio.losses, radio.randoms, radio.ranges)
    cuts = profile.exists ? 0 : 1
  }

  /// Whether the link is up.
  public var isUp: Bool { cuts == 0 }
  /// The most frames in flight, copies included.
  public static let framesMax = 100_000
  /// The most bytes in flight, headers included.
  public static let bytesMax = 256 << 20
  /// Whether too much is in flight; the owner of the medium then ends the run.
  @inlinable @inline(__always) public var isFlooded: Bool {
    queue.count > Self.framesMax || queue.bytes > Self.bytesMax
  }

  /// The next arrival or drop; nil if no frame is in flight.
  ///
  /// Inlined, so that reading it does not copy the medium.
  @inlinable @inline(__always) public var nextDeadline: VirtualTime? { queue.nextAt }

  /// Begins a fault; `index` is its index in the plan.
  public mutating func begin(_ planned: PlannedFault, _ fault: any FrameFault, index: Int, seed: UInt64) {
    let entry = ActiveFault(
      index: index, id: planned.id, since: planned.begin, direction: planned.direction, channels: planned.channels,
      random: RandomStream(seed: seed, name: planned.id), fault: fault,
      observes: type(of: fault).observes)
    let place = active.firstIndex { $0.index > index } ?? active.endIndex
    guard hasWaiting, entry.isNarrowing else { return active.insert(entry, at: place) }
    let before = waiting()
    active.insert(entry, at: place)
    retime(before, at: planned.begin)
  }

  /// Ends the fault with this index in the plan; ignored if it is not active.
  public mutating func end(index: Int, at now: VirtualTime) {
    guard hasWaiting, active.contains(where: { $0.index == index && $0.isNarrowing }) else {
      return active.removeAll { $0.index == index }
    }
    let before = waiting()
    active.removeAll { $0.index == index }
    retime(before, at: now)
  }

  /// Adds a cause for the link to be down; returns true if it was up.
  ///
  /// - Parameter fault: The id of the fault, if any.
  public mutating func cutLink(by fault: String? = nil) -> Bool {
    cuts += 1
    cutting.append(fault)
    guard cuts == 1 else { return false }
    // Everything in flight is lost, so later frames have nothing to wait for.
    outages += 1
    // Only copies in flight need their outage's fault, and those are seconds old.
    if queue.isEmpty { cutters.removeAll(keepingCapacity: true) }
    if cutters.count >= Self.cuttersMax { cutters.removeFirst(Self.cuttersMax / 2) }
    cutters.append(fault)
    lanes = InlineArray(repeating: Lane())
    return true
  }

  private static let cuttersMax = 1_024

  /// The fault that began the first outage after a frame was sent; nil if unknown.
  private func cutter(after sent: Int) -> String? {
    let place = cutters.count - (outages - sent)
    return cutters.indices.contains(place) ? cutters[place] : nil
  }

  /// Removes a cause; returns true if the link is up again.
  ///
  /// - Parameter fault: The argument of ``cutLink(by:)``.
  public mutating func restoreLink(by fault: String? = nil) -> Bool {
    precondition(cuts > 0, "the link was cut at least as often as restored")
    cuts -= 1
    if let place = cutting.firstIndex(of: fault) { cutting.remove(at: place) }
    return cuts == 0
  }

  /// Accepts a frame from its sender.
  public mutating func send(_ frame: consuming Frame, id: UInt64, direction: Direction, at now: VirtualTime) {
    guard recorded == nil else { return sendAsRecorded(consume frame, id: id, direction: direction, at: now) }
    guard isUp else {
      immediate.append(.dropped(id: id, copy: 0, cause: .disconnected, fault: cutting.first ?? nil))
      return
    }
    var passage = passage(of: frame, direction: direction, at: now)
    let lane = direction.lane
    let (turn, narrowedBy) = turn(of: passage, lane: lane)
    guard let turn else {
      immediate.append(.dropped(id: id, copy: 0, cause: .overflow, fault: narrowedBy))
      return
    }
    if turn > now, turn < horizon, active.isEmpty, lanes[lane].waiting == 0 {
      passage.at = turn
      let radio = loseByRadio(passage)
      if radio.dropped == nil {
        _ = scheduleCopies(consume frame, id: id, passage: &passage, radioDelay: radio.delay)
        return
      }
      // A loss is reported when it happens: the frame waits in the queue, and the result will be the same.
    }
    if turn > now || lanes[lane].waiting > 0 {
      lanes[lane].waiting += 1
      queue.insert(
        FrameQueue.Entry(
          id: id, copy: 0, isWaiting: true, outages: outages, direction: direction, frame: consume frame),
        at: turn)
    } else if let fate = passStages(consume frame, id: id, passage: &passage) {
      immediate.append(fate)
    }
  }

  /// Whether a frame is due.
  @inlinable @inline(__always)
  public func isDue(at now: VirtualTime) -> Bool { queue.nextAt.map { $0 <= now } ?? false }

  /// Removes the next due frame and returns its fate; nil if none is due.
  public mutating func popDue(at now: VirtualTime) -> Fate? {
    while let at = queue.nextAt, at <= now {
      let due = queue.removeFirst()
      guard due.outages == outages || due.outages == Self.outagesOfRecorded else {
        return .dropped(id: due.id, copy: due.copy, cause: .disconnected, fault: cutter(after: due.outages))
      }
      guard due.isWaiting else {
        return .delivered(id: due.id, copy: due.copy, due.frame, to: due.direction.receiver)
      }
      lanes[due.direction.lane].waiting -= 1
      var passage = passage(of: due.frame, direction: due.direction, at: at)
      if let fate = passStages(due.frame, id: due.id, passage: &passage) { return fate }
    }
    return nil
  }

  /// Drops every copy in flight, in the order of arrival, because no node will receive it any more.
  public mutating func dropAll() -> [Fate] {
    var fates: [Fate] = []
    while !queue.isEmpty {
      let copy = queue.removeFirst()
      let isCut = copy.outages != outages && copy.outages != Self.outagesOfRecorded
      fates.append(
        .dropped(
          id: copy.id, copy: copy.copy, cause: isCut ? .disconnected : .nodeDown,
          fault: isCut ? cutter(after: copy.outages) : nil))
    }
    lanes = InlineArray(repeating: Lane())
    return fates
  }

  func passage(of frame: Frame, direction: Direction, at instant: VirtualTime) -> Passage {
    Passage(
      key: frame.drawKey &+ UInt64(direction.rawValue) &* 0xA076_1D64_78BD_642F, kind: frame.kind,
      channel: frame.channel, direction: direction, wireBytes: frame.wireBytes, at: instant, since: .start,
      random: random)
  }

  /// Stage 3: when the frame leaves the byte-limited queue, and the fault that set the limit.
  ///
  /// `at` is nil if the frame does not fit; `narrowedBy` is nil if the profile set the limit. A frame without a limit
  /// does not overtake queued ones.
  private mutating func turn(of passage: Passage, lane: Int) -> (at: VirtualTime?, narrowedBy: String?) {
    var limit = ways[lane].bandwidth
    var narrowedBy: String?
    for entry in active where entry.affects(passage) {
      let before = limit
      entry.fault.narrow(&limit)
      if limit != before { narrowedBy = entry.id }
    }
    let start = max(passage.at, lanes[lane].busyUntil)
    guard let bytesPerSecond = limit.bytesPerSecond else { return (start, narrowedBy) }
    // In floating point, because a wait that began under another limit may correspond to more bytes than fit in 64
    // bits.
    let waitingBytes = (Double((start - passage.at).nanoseconds) / 1e9 * Double(bytesPerSecond)).rounded(.down)
    guard waitingBytes + Double(passage.wireBytes) <= Double(limit.queueBytes) else { return (nil, narrowedBy) }
    lanes[lane].busyUntil = start + Self.span(bytes: Int64(passage.wireBytes), bytesPerSecond: bytesPerSecond)
    return (lanes[lane].busyUntil, narrowedBy)
  }

  /// Stages 4 to 8: the fate of a frame that leaves the queue; nil if a single copy of it continues.
  private mutating func passStages(_ frame: consuming Frame, id: UInt64, passage: inout Passage) -> Fate? {
    let radio = loseByRadio(passage)
    if let dropped = radio.dropped ?? loseByFault(&passage) {
      return .dropped(id: id, copy: 0, cause: dropped.cause, fault: dropped.fault)
    }
    let copies = scheduleCopies(consume frame, id: id, passage: &passage, radioDelay: radio.delay)
    return copies > 0 ? .duplicated(id: id, copies: copies) : nil
  }

  /// Stage 4 of the radio itself: how long it retries, or that it gives up.
  private mutating func loseByRadio(_ passage: Passage) -> (dropped: (cause: DropCause, fault: String?)?, delay: Int64)
  {
    var delay: Int64 = 0
    for index in lossRanges[passage.direction.lane] {
      let random = lossRandoms[index]
      switch losses[index] {
      case .independent(let probability):
        if random.happens(probability, for: passage.key) { return ((.loss, nil), 0) }
      case .bursts(var chain, let isRetried):
        let first = chain.slotNumber(at: passage.at - .start)
        var slot = first
        while true {
          let isBad = chain.isBad(slot: slot, random: random)
          let chance = isBad ? chain.lossBad : chain.lossGood
          if !random.happens(chance, for: passage.key, draw: UInt64(slot - first) + 1) { break }
          slot += 1
          guard isRetried, (slot - first) * chain.slot.nanoseconds <= profile.supervision.nanoseconds else {
            losses[index] = .bursts(chain, isRetried: isRetried)
            return ((.loss, nil), 0)
          }
        }
        losses[index] = .bursts(chain, isRetried: isRetried)
        delay = max(delay, (slot - first) * chain.slot.nanoseconds)
      }
    }
    return (nil, delay)
  }

  /// Stages 4 and 5 of the faults.
  private mutating func loseByFault(_ passage: inout Passage) -> (cause: DropCause, fault: String?)? {
    guard !active.isEmpty else { return nil }
    for index in active.indices where active[index].affects(passage) {
      passage.since = active[index].since
      passage.random = active[index].random
      if let cause = active[index].fault.lose(passage) { return (cause, active[index].id) }
    }
    for index in active.indices where active[index].affects(passage) {
      passage.since = active[index].since
      passage.random = active[index].random
      if active[index].fault.corrupts(passage) { return (.corrupt, active[index].id) }
    }
    for index in active.indices where active[index].observes && active[index].affects(passage) {
      active[index].fault.observe(passage)
    }
    return nil
  }

  /// Stages 6 to 8: schedules the arrival of each copy; returns the number of additional copies.
  private mutating func scheduleCopies(
    _ frame: consuming Frame, id: UInt64, passage: inout Passage, radioDelay: Int64
  ) -> Int {
    var held: Int64 = 0
    var copies = 0
    if !active.isEmpty {
      for entry in active where entry.affects(passage) {
        passage.since = entry.since
        passage.random = entry.random
        held += entry.fault.holdBack(passage)
        copies += entry.fault.copies(passage)
      }
    }
    let lane = passage.direction.lane
    let earlier = lanes[lane].lastArrival
    for number in 0...copies {
      var at = passage.at + VirtualTime.Span(nanoseconds: max(1, radioDelay + delay(&passage, copy: number)))
      at = max(at, earlier)
      if number == 0, held == 0 { lanes[lane].lastArrival = at }
      if held > 0 { at = at + VirtualTime.Span(nanoseconds: held) }
      // The last one is the frame itself, which moves into the queue without a copy.
      guard number < copies else {
        queue.insert(
          FrameQueue.Entry(id: id, copy: number, outages: outages, direction: passage.direction, frame: frame), at: at)
        break
      }
      queue.insert(
        FrameQueue.Entry(id: id, copy: number, outages: outages, direction: passage.direction, frame: copy frame),
        at: at)
    }
    return copies
  }

  /// Stage 6: base latency, jitter and the faults' delays for one copy.
  ///
  /// Mutating, so that the call does not copy the medium.
  private mutating func delay(_ passage: inout Passage, copy: Int) -> Int64 {
    let lane = passage.direction.lane
    var total = ways[lane].distribution.draw(
      mean: ways[lane].latency, jitter: ways[lane].jitter,
      bits: random.bits(for: passage.key, draw: UInt64(copy)))
    for entry in active where entry.affects(passage) {
      passage.since = entry.since
      passage.random = entry.random
      total += entry.fault.delay(passage, copy: copy)
    }
    return total
  }
}
