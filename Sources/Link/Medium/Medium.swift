/// Carries frames between two nodes, and decides what becomes of each.
///
/// A frame passes these stages: cut link, byte-limited queue, loss, corruption, delay, reordering, duplication
/// (spec 2.4). Those after the queue are passed when the frame has had its turn in it, under the faults of that
/// moment. The radio's own profile acts at each stage before the faults, which act in plan order. What the medium
/// knows of a fault are the verbs of ``FrameFault``.
public struct Medium: Sendable {
  /// Where its lines stand.
  public let place: TraceEvent.Place
  /// What the link is like without faults.
  public let profile: LinkProfile
  private let random: RandomStream
  private var lossRandoms: [RandomStream]
  private var losses: [LinkProfile.Loss]
  var active: [ActiveFault] = []
  @usableFromInline var queue = FrameQueue()
  var lanes = InlineArray<2, Lane>(repeating: Lane())
  /// How many reasons there are for the link to be down.
  private var cuts: Int
  /// The faults that keep the link down, in the order in which they cut it.
  private var cutting: [String?] = []
  /// Which fault began each of the latest outages, the last one at the end: what a lost copy is blamed on.
  private var cutters: [String?] = []
  /// How often the link went down: what was sent before the last time does not arrive.
  private(set) var outages = 0
  /// Until when no fault begins or ends and the link is neither cut nor restored.
  ///
  /// A frame whose turn in the queue comes before that passes the later stages at its sending, as nothing can change
  /// until then. The beginning of the run where nothing is known; whoever owns the faults keeps it true.
  public var horizon = VirtualTime.start
  /// What became of the frames of a run that is repeated; nil where the medium decides itself.
  public var recorded: RecordedFates?
  /// Fates decided at the sending itself: read and emptied by the conductor after each ``send(_:id:direction:at:)``.
  public var immediate: [Fate] = []

  /// What became of one copy of a frame, or that copies were made.
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

  /// What a direction remembers.
  struct Lane: Sendable {
    /// When the byte-limited queue is empty again.
    var busyUntil = VirtualTime.start
    /// How many frames wait in it.
    var waiting = 0
    /// The latest planned arrival: nothing but a held-back frame comes after a later one.
    var lastArrival = VirtualTime.start
  }

  /// A fault that is on.
  struct ActiveFault: Sendable {
    var index: Int
    var id: String
    var since: VirtualTime
    var direction: Direction?
    var channels: [Channel]?
    var random: RandomStream
    var fault: any FrameFault
    /// Whether it wants to see the frames that pass.
    let observes: Bool

    /// Whether it limits what passes.
    var isNarrowing: Bool {
      var limit = Bandwidth(bytesPerSecond: nil, queueBytes: .max)
      fault.narrow(&limit)
      return limit.bytesPerSecond != nil
    }

    func concerns(_ passage: Passage) -> Bool {
      if let direction, direction != passage.direction { return false }
      if let channels, !channels.contains(passage.channel) { return false }
      return true
    }
  }

  /// Creates a medium on which nothing is under way.
  public init(place: TraceEvent.Place, profile: LinkProfile, seed: UInt64) {
    self.place = place
    self.profile = profile
    random = RandomStream(seed: seed, name: "medium.\(place.text)")
    losses = profile.losses
    lossRandoms = profile.losses.indices.map { RandomStream(seed: seed, name: "medium.\(place.text).loss.\($0)") }
    cuts = profile.exists ? 0 : 1
  }

  /// Whether frames pass.
  public var isUp: Bool { cuts == 0 }
  /// How many frames may be under way at once, copies included.
  public static let framesMax = 100_000
  /// How many bytes of them, headers included.
  public static let bytesMax = 256 << 20
  /// Whether more is under way than may be: whoever owns the medium then ends the run.
  @inlinable @inline(__always) public var isFlooded: Bool {
    queue.count > Self.framesMax || queue.bytes > Self.bytesMax
  }

  /// When the next frame arrives, or is given up; nil while nothing is under way.
  ///
  /// Inlined, so that a medium is not copied to be asked.
  @inlinable @inline(__always) public var nextDeadline: VirtualTime? { queue.nextAt }

  /// Begins a fault; `index` is its place in the plan.
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

  /// Ends the fault with this place in the plan; one that was not on changes nothing.
  public mutating func end(index: Int, at now: VirtualTime) {
    guard hasWaiting, active.contains(where: { $0.index == index && $0.isNarrowing }) else {
      return active.removeAll { $0.index == index }
    }
    let before = waiting()
    active.removeAll { $0.index == index }
    retime(before, at: now)
  }

  /// Takes one more reason for the link to be down; true when it was up.
  ///
  /// - Parameter fault: The id of the fault that cuts; nil for none.
  public mutating func cut(by fault: String? = nil) -> Bool {
    cuts += 1
    cutting.append(fault)
    guard cuts == 1 else { return false }
    // What is under way is lost, so nothing that comes later waits behind it.
    outages += 1
    // Only copies that are still under way ask who cut them off, and those are seconds old.
    if queue.isEmpty { cutters.removeAll(keepingCapacity: true) }
    if cutters.count >= Self.cuttersMax { cutters.removeFirst(Self.cuttersMax / 2) }
    cutters.append(fault)
    lanes = InlineArray(repeating: Lane())
    return true
  }

  private static let cuttersMax = 1_024

  /// The fault that began the first outage after a sending; nil where it is not known.
  private func cutter(after sent: Int) -> String? {
    let place = cutters.count - (outages - sent)
    return cutters.indices.contains(place) ? cutters[place] : nil
  }

  /// Takes a reason away; true when the link is up again.
  ///
  /// - Parameter fault: What was given to ``cut(by:)``.
  public mutating func restore(by fault: String? = nil) -> Bool {
    precondition(cuts > 0, "restored more often than cut")
    cuts -= 1
    if let place = cutting.firstIndex(of: fault) { cutting.remove(at: place) }
    return cuts == 0
  }

  /// Takes a frame from its sender.
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
      let radio = lose(passage)
      if radio.dropped == nil {
        _ = schedule(consume frame, id: id, passage: &passage, radioDelay: radio.delay)
        return
      }
      // A loss is told when it happens: the frame waits for its turn, and is judged the same then.
    }
    if turn > now || lanes[lane].waiting > 0 {
      lanes[lane].waiting += 1
      queue.insert(
        FrameQueue.Entry(
          id: id, copy: 0, isWaiting: true, outages: outages, direction: direction, frame: consume frame),
        at: turn)
    } else if let fate = pass(consume frame, id: id, passage: &passage) {
      immediate.append(fate)
    }
  }

  /// Whether something under way has come to its time.
  @inlinable @inline(__always)
  public func isDue(at now: VirtualTime) -> Bool { queue.nextAt.map { $0 <= now } ?? false }

  /// Removes the next frame whose time has come and tells its fate; nil when none is due.
  public mutating func takeDue(at now: VirtualTime) -> Fate? {
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
      if let fate = pass(due.frame, id: due.id, passage: &passage) { return fate }
    }
    return nil
  }

  /// Gives up every copy that is still under way, in the order of their arrival: nobody is there to receive it any
  /// more.
  public mutating func giveUp() -> [Fate] {
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

  /// Stage 3: when the byte-limited queue has let the frame through, nil when it does not fit; and the fault that set
  /// the limit, nil where the profile did.
  ///
  /// A frame that no limit concerns does not overtake those that wait.
  private mutating func turn(of passage: Passage, lane: Int) -> (at: VirtualTime?, narrowedBy: String?) {
    var limit = profile.bandwidth
    var narrowedBy: String?
    for entry in active where entry.concerns(passage) {
      let before = limit
      entry.fault.narrow(&limit)
      if limit != before { narrowedBy = entry.id }
    }
    let start = max(passage.at, lanes[lane].busyUntil)
    guard let bytesPerSecond = limit.bytesPerSecond else { return (start, narrowedBy) }
    // In floating point, because a wait that began under another limit may stand for more bytes than 64 bits count.
    let waitingBytes = (Double((start - passage.at).nanoseconds) / 1e9 * Double(bytesPerSecond)).rounded(.down)
    guard waitingBytes + Double(passage.wireBytes) <= Double(limit.queueBytes) else { return (nil, narrowedBy) }
    lanes[lane].busyUntil = start + Self.span(bytes: Int64(passage.wireBytes), bytesPerSecond: bytesPerSecond)
    return (lanes[lane].busyUntil, narrowedBy)
  }

  /// Stages 4 to 8: what becomes of a frame that has had its turn; nil when the one copy of it goes on its way.
  private mutating func pass(_ frame: consuming Frame, id: UInt64, passage: inout Passage) -> Fate? {
    let radio = lose(passage)
    if let dropped = radio.dropped ?? loseByFault(&passage) {
      return .dropped(id: id, copy: 0, cause: dropped.cause, fault: dropped.fault)
    }
    let copies = schedule(consume frame, id: id, passage: &passage, radioDelay: radio.delay)
    return copies > 0 ? .duplicated(id: id, copies: copies) : nil
  }

  /// Stage 4, the radio's own part: how long it retries, or that it gave up.
  private mutating func lose(_ passage: Passage) -> (dropped: (cause: DropCause, fault: String?)?, delay: Int64) {
    var delay: Int64 = 0
    for index in losses.indices {
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

  /// Stages 4 and 5: the faults' part.
  private mutating func loseByFault(_ passage: inout Passage) -> (cause: DropCause, fault: String?)? {
    guard !active.isEmpty else { return nil }
    for index in active.indices where active[index].concerns(passage) {
      passage.since = active[index].since
      passage.random = active[index].random
      if let cause = active[index].fault.lose(passage) { return (cause, active[index].id) }
    }
    for index in active.indices where active[index].concerns(passage) {
      passage.since = active[index].since
      passage.random = active[index].random
      if active[index].fault.corrupts(passage) { return (.corrupt, active[index].id) }
    }
    for index in active.indices where active[index].observes && active[index].concerns(passage) {
      active[index].fault.observe(passage)
    }
    return nil
  }

  /// Stages 6 to 8: when each copy arrives; returns how many further copies there are.
  private mutating func schedule(
    _ frame: consuming Frame, id: UInt64, passage: inout Passage, radioDelay: Int64
  ) -> Int {
    var held: Int64 = 0
    var copies = 0
    if !active.isEmpty {
      for entry in active where entry.concerns(passage) {
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
      // The last one is the frame itself: it goes into the queue and is not copied for it.
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
  /// Mutating, so that the medium is not copied to be asked.
  private mutating func delay(_ passage: inout Passage, copy: Int) -> Int64 {
    var total = profile.distribution.draw(
      mean: profile.latency, jitter: profile.jitter, bits: random.bits(for: passage.key, draw: UInt64(copy)))
    for entry in active where entry.concerns(passage) {
      passage.since = entry.since
      passage.random = entry.random
      total += entry.fault.delay(passage, copy: copy)
    }
    return total
  }
}
