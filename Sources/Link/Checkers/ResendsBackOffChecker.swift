/// `resends-back-off`: what is not confirmed is sent again in time, and no more often.
public struct ResendsBackOffChecker: Checker {
  public static let invariant = "resends-back-off"
  public static let about =
    "A hello, a context or a user info that is not confirmed is sent again after 500 ms, then after doubling waits up to 30 s, each up to a quarter longer; at once when the peer becomes reachable; and not once it is confirmed. User infos are first sent in order, fewer than 32 ahead of the oldest one that is not confirmed."
  public static let interests: [TraceEvent.Name] = [
    "frame.sent", "frame.delivered", "transfer.queued", "transfer.finished", "reachability", "context.set",
    "node.started", "node.killed", "node.failed", "node.suspended", "node.resumed", "link.down", "link.up",
    "fault.begin", "fault.end", "end",
  ]

  /// The first wait, the longest one, and the number of unconfirmed user infos.
  private static let waitMin = VirtualTime.Span.milliseconds(500).nanoseconds
  private static let waitMax = VirtualTime.Span.seconds(30).nanoseconds
  /// The number of the first wait of the longest.
  private static let countMax = 7
  private static let window: UInt64 = 32
  /// The number of remembered user infos in flight.
  private static let itemsMax = 256

  private typealias Item = ResendState.Item
  private typealias Side = ResendState.Side

  private let nodes: BuiltInNodes
  /// Whether background channels are delayed: then user infos and contexts wait for no retransmission.
  private let isDelayed: Bool
  private var log = FrameLog()
  private var quirks = ActiveFaults(["reachabilityStuck", "phantomReachable"])
  private var stalls = ActiveFaults(["queueStall"])
  private var sides = [Side(), Side()]
  private var complications: Set<Identifier> = []
  private var states = NodeStates()
  private var isDown = false
  private var now = VirtualTime.start

  public init(header: TraceHeader) {
    nodes = BuiltInNodes(header)
    sides[0].launches = nodes.launchesPeer(.watch)
    isDelayed = Self.hasDelay(header)
  }

  private static func hasDelay(_ header: TraceHeader) -> Bool {
    guard case .object(let members) = header.link.value else { return false }
    return members.contains { $0.key == "backgroundDelay" }
  }

  public mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    if event.time > now { finishInstant(before: event.time, &report) }
    now = max(now, event.time)
    switch event.body {
    case .frameSent(let frame):
      guard let entry = log.record(frame, event, line: line), frame.tSend == nil, nodes.contains(entry.sender) else {
        return
      }
      observeSent(entry, &report)
    case .frameDelivered(let frame):
      guard event.place == .link, let entry = log.recordArrival(of: frame.id), nodes.contains(entry.receiver) else {
        return
      }
      observeArrival(entry, line)
    case .reachability(let change):
      guard let side = Self.index(event.place) else { return }
      sides[side].isReachable = change.reachable
      if change.cause == "launch" { sides[side].launches = true }
      sides[side].occasion = now
      sides[side].reachedAt = change.reachable && !quirks.isActive(on: event.place) ? now : nil
    case .transferQueued(let queued):
      if queued.identity.complication == true { complications.insert(queued.identity.transfer) }
      // A stalled queue releases its oldest entry.
      if let side = Self.index(event.place), stalls.isActive(on: event.place) { sides[side].occasion = now }
    case .transferFinished(let ended): observeFinished(ended.identity, at: event.place)
    case .contextSet:
      guard let side = Self.index(event.place) else { return }
      sides[side].items.removeAll { $0.channel == .applicationContext }
      sides[side].contextLine = line
    case .linkDown, .linkUp:
      guard event.place == .link else { return }
      if case .linkDown = event.body { isDown = true } else { isDown = false }
      for side in sides.indices { pauseHello(side, isFree: true) }
    case .nodeStarted(let started):
      _ = states.observe(event)
      if let side = Self.index(started.target.place) {
        pauseHello(1 - side)
        sides[1 - side].helloOccasion = now
      }
      if let side = Self.index(started.target.place) { beginEpoch(side, started.epoch) }
    default:
      observeOther(event)
    }
  }

  private mutating func observeOther(_ event: TypedEvent) {
    quirks.observe(event)
    stalls.observe(event)
    _ = states.observe(event)
    if let change = event.body.nodeChange, let side = Self.index(change.target.place) {
      // Its peer may be told that it is not running.
      pauseHello(1 - side)
      sides[1 - side].helloOccasion = now
      if event.body.endedNode != nil { beginEpoch(side) }
    } else if case .faultEnd = event.body {
      for side in sides.indices { sides[side].occasion = now }
    } else if case .faultBegin = event.body {
      for side in sides.indices { sides[side].occasion = now }
    }
  }

  /// Whether the link is up and both apps run; otherwise a side may stop its hello.
  private var mayBeHeard: Bool { !isDown && states.isUp(.watch) && states.isUp(.phone) }

  private static func index(_ place: TraceEvent.Place) -> Int? {
    place == .watch ? 0 : place == .phone ? 1 : nil
  }

  private mutating func beginEpoch(_ side: Int, _ epoch: Int64 = 0) {
    sides[side].epoch = epoch
    sides[side].peerEpoch = 0
    sides[side].items = []
    sides[side].isReachable = false
    sides[side].overdueAt = .distantFuture
    for lane in 0...1 { sides[side].queues[lane].sent = 0 }
  }

  /// Stops judging when the hello of a side is sent next, because the side may have stopped it.
  private mutating func pauseHello(_ side: Int, isFree: Bool = false) {
    for index in sides[side].items.indices where sides[side].items[index].kind == .hello {
      sides[side].items[index].isPaused = true
      if isFree { sides[side].items[index].isFree = true }
    }
  }

  private mutating func observeFinished(_ identity: TransferIdentity, at place: TraceEvent.Place) {
    guard let side = Self.index(place), identity.channel == .userInfo, let seq = identity.seq, seq > 0 else { return }
    let lane = complications.contains(identity.transfer) ? 1 : 0
    _ = sides[side].queues[lane].finished.insert(UInt64(seq))
    sides[side].items.removeAll { $0.transfer == identity.transfer }
  }

  // MARK: Transmissions

  private mutating func observeSent(_ entry: FrameLog.Entry, _ report: inout [Violation]) {
    guard let side = Self.index(entry.sender) else { return }
    switch (entry.kind, entry.channel) {
    case (.hello, _), (.data, .applicationContext), (.data, .userInfo): break
    default: return
    }
    if entry.channel == .userInfo { judgePriority(entry, side, &report) }
    if let place = sides[side].items.firstIndex(where: {
      $0.kind == entry.kind && $0.channel == entry.channel && $0.seq == entry.seq && $0.transfer == entry.transfer
    }) {
      observeAgain(entry, side, place, &report)
    } else {
      if entry.channel == .userInfo { judgeFirst(entry, side, &report) }
      if sides[side].items.count == Self.itemsMax { sides[side].items.removeFirst() }
      var item = Item(
        kind: entry.kind, channel: entry.channel, seq: entry.seq, transfer: entry.transfer, sentAt: now,
        line: entry.line)
      item.isPaused = entry.kind == .hello && !mayBeHeard
      sides[side].items.append(item)
    }
    refreshOverdue(side)
  }

  private mutating func observeAgain(
    _ entry: FrameLog.Entry, _ side: Int, _ place: Int, _ report: inout [Violation]
  ) {
    let before = sides[side].items[place]
    var item = before
    item.sentAt = now
    item.line = entry.line
    item.isPaused = entry.kind == .hello && !mayBeHeard
    item.isFree = false
    item.isUncertain = false
    item.confirmedLine = entry.kind == .hello ? nil : before.confirmedLine
    let passed = now - before.sentAt
    if let confirmedLine = before.confirmedLine {
      if entry.kind == .hello { item.count = 1 }
      sides[side].items[place] = item
      if entry.kind != .hello {
        report.append(
          Self.violation(
            "the \(entry.sender.text) sent number \(entry.seq) of \(entry.channel.text) again, which is confirmed",
            at: now, lines: [before.line, confirmedLine, entry.line]))
      } else if !before.isFree {
        sides[side].doubtful.append((before, entry.line))
      }
      return
    }
    if Self.fits(passed, before.count) {
      item.count = before.count + 1
      item.isUncertain = before.isFree
    } else if before.isUncertain, let count = (1...Self.countMax).first(where: { Self.fits(passed, $0) }) {
      item.count = count + 1
      item.isUncertain = before.isFree
    } else {
      item.count = 1
      if !before.isFree { sides[side].doubtful.append((before, entry.line)) }
    }
    sides[side].items[place] = item
  }

  /// Judges that complication transfers go first when the peer becomes reachable.
  private mutating func judgePriority(_ entry: FrameLog.Entry, _ side: Int, _ report: inout [Violation]) {
    guard let transfer = entry.transfer, complications.contains(transfer) else {
      sides[side].plainAt = now
      return
    }
    guard sides[side].plainAt == now, sides[side].reachedAt == now else { return }
    report.append(
      Self.violation(
        "the \(entry.sender.text) sent a complication transfer after a user info when its peer became reachable",
        at: now,
        lines: [entry.line]))
  }

  /// Whether a time fits the wait after a number of transmissions.
  private static func fits(_ passed: VirtualTime.Span, _ count: Int) -> Bool {
    let wait = wait(after: count)
    return passed.nanoseconds >= wait && passed.nanoseconds <= wait + wait / 4
  }

  private mutating func judgeFirst(_ entry: FrameLog.Entry, _ side: Int, _ report: inout [Violation]) {
    guard let transfer = entry.transfer, entry.seq > 0 else { return }
    let lane = complications.contains(transfer) ? 1 : 0
    let queue = sides[side].queues[lane]
    let number = UInt64(entry.seq)
    var objection: String?
    if queue.finished.contains(number) {
      objection = "which has finished"
    } else if entry.seq <= queue.sent {
      objection = "after number \(queue.sent)"
    } else if number > queue.confirmed.mark + Self.window, !isDelayed || lane == 1 {
      objection = "while number \(queue.confirmed.mark + 1) is not confirmed"
    }
    sides[side].queues[lane].sent = max(queue.sent, entry.seq)
    guard let objection else { return }
    report.append(
      Self.violation(
        "the \(entry.sender.text) sent number \(entry.seq) of \(lane == 1 ? "its complication transfers" : "its user infos"), \(objection)",
        at: now, lines: [entry.line]))
  }

  /// The shortest wait after a number of transmissions, in nanoseconds.
  private static func wait(after count: Int) -> Int64 { min(waitMin << Int64(min(count - 1, 10)), waitMax) }

  // MARK: Confirmations

  private mutating func observeArrival(_ entry: FrameLog.Entry, _ line: Int) {
    guard let side = Self.index(entry.receiver) else { return }
    if entry.kind == .hello || entry.kind == .ack && entry.channel == .message && entry.seq == 0 {
      // A hello may need another one in return.
      pauseHello(side)
      observeGreeting(entry, side, line)
      return
    }
    guard entry.kind == .ack, entry.channel == .applicationContext || entry.channel == .userInfo else { return }
    if entry.channel == .userInfo, let transfer = entry.transfer, entry.seq > 0 {
      let lane = complications.contains(transfer) ? 1 : 0
      _ = sides[side].queues[lane].confirmed.insert(UInt64(entry.seq))
    }
    for index in sides[side].items.indices
    where sides[side].items[index].channel == entry.channel && sides[side].items[index].seq == entry.seq
      && sides[side].items[index].transfer == entry.transfer
    { sides[side].items[index].confirmedLine = line }
    refreshOverdue(side)
  }

  /// Handles a hello, or the confirmation of one.
  private mutating func observeGreeting(_ entry: FrameLog.Entry, _ side: Int, _ line: Int) {
    if entry.kind == .hello {
      if entry.epoch > sides[side].peerEpoch { sides[side].helloOccasion = now }
      sides[side].peerEpoch = max(sides[side].peerEpoch, entry.epoch)
      return
    }
    guard entry.answers == sides[side].epoch, entry.epoch >= sides[side].peerEpoch else { return }
    for index in sides[side].items.indices where sides[side].items[index].kind == .hello {
      sides[side].items[index].confirmedLine = line
    }
  }

  // MARK: The end of an instant

  private mutating func refreshOverdue(_ side: Int) {
    var soonest = VirtualTime.distantFuture
    for item in sides[side].items where item.confirmedLine == nil && !item.isPaused {
      let wait = Self.wait(after: item.isUncertain ? Self.countMax : item.count)
      soonest = min(soonest, item.sentAt + VirtualTime.Span(nanoseconds: wait + wait / 4))
    }
    sides[side].overdueAt = soonest
  }

  private mutating func finishInstant(before next: VirtualTime, _ report: inout [Violation]) {
    for (side, place) in [TraceEvent.Place.watch, .phone].enumerated() {
      settleCounts(side, place)
      if !sides[side].doubtful.isEmpty { judgeDoubtful(side, place, &report) }
      judgeAtOnce(side, place, &report)
      if sides[side].overdueAt < next { judgeOverdue(side, place, before: next, &report) }
    }
  }

  /// Decides which wait follows what was sent at an instant at which the waits may begin anew.
  ///
  /// What gave the occasion may have a later line than what was sent.
  private mutating func settleCounts(_ side: Int, _ place: TraceEvent.Place) {
    let isQuirky = quirks.isActive(on: place) || quirks.lastEnd == now || sides[side].launches || isDelayed
    let isAnew = sides[side].reachedAt == now && !isQuirky
    guard isQuirky || sides[side].occasion == now || sides[side].helloOccasion == now else { return }
    for index in sides[side].items.indices where sides[side].items[index].sentAt == now {
      if sides[side].items[index].kind == .hello {
        if sides[side].helloOccasion == now { sides[side].items[index].count = 1 }
      } else if isAnew {
        sides[side].items[index].count = 1
        sides[side].items[index].isUncertain = false
      } else {
        sides[side].items[index].isUncertain = true
      }
    }
    refreshOverdue(side)
  }

  private mutating func judgeDoubtful(_ side: Int, _ place: TraceEvent.Place, _ report: inout [Violation]) {
    defer { sides[side].doubtful = [] }
    let isJudged =
      sides[side].occasion != now && !quirks.isActive(on: place) && !sides[side].launches && !isDelayed
    for (item, line) in sides[side].doubtful {
      guard item.kind == .hello ? sides[side].helloOccasion != now : isJudged else { continue }
      report.append(
        Self.violation(
          "the \(place.text) sent \(Self.text(item)) again after \((now - item.sentAt).text), \(item.confirmedLine == nil ? "not at the end of wait \(item.count)" : "though it is confirmed")",
          at: now, lines: [item.line, item.confirmedLine, line].compactMap(\.self)))
    }
  }

  /// Judges what must be sent at the instant at which the peer becomes reachable, or a context is set.
  private mutating func judgeAtOnce(_ side: Int, _ place: TraceEvent.Place, _ report: inout [Violation]) {
    let contextLine = sides[side].contextLine
    sides[side].contextLine = 0
    let hasReached = sides[side].reachedAt == now
    guard contextLine > 0 || hasReached, nodes.contains(place), sides[side].isReachable == true, !isDelayed,
      !sides[side].launches, !quirks.isActive(on: place), !stalls.isActive(on: place)
    else { return }
    if contextLine > 0, !sides[side].items.contains(where: { $0.channel == .applicationContext && $0.sentAt == now }) {
      report.append(
        Self.violation(
          "the \(place.text) did not send its context when it was set", at: now, lines: [contextLine]))
    }
    guard hasReached else { return }
    for item in sides[side].items where item.kind == .data && item.confirmedLine == nil && item.sentAt < now {
      report.append(
        Self.violation(
          "the \(place.text) did not send \(Self.text(item)) again when its peer became reachable", at: now,
          lines: [item.line]))
    }
  }

  private mutating func judgeOverdue(
    _ side: Int, _ place: TraceEvent.Place, before next: VirtualTime, _ report: inout [Violation]
  ) {
    // Otherwise the side may have stopped.
    let isStopped =
      sides[side].isReachable != true || sides[side].launches || quirks.isActive(on: place)
      || stalls.isActive(on: place) || isDelayed
    for index in sides[side].items.indices {
      let item = sides[side].items[index]
      let wait = Self.wait(after: item.isUncertain ? Self.countMax : item.count)
      let end = item.sentAt + VirtualTime.Span(nanoseconds: wait + wait / 4)
      guard item.confirmedLine == nil, !item.isPaused, end < next else { continue }
      sides[side].items[index].isPaused = true
      guard item.kind == .hello || !isStopped else { continue }
      report.append(
        Self.violation(
          "the \(place.text) did not send \(Self.text(item)) again after wait \(item.count)", at: end,
          lines: [item.line]))
    }
    refreshOverdue(side)
  }

  private static func text(_ item: Item) -> String {
    item.kind == .hello ? "its hello" : "number \(item.seq) of \(item.channel.text)"
  }

  public mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    if ending.isComplete { finishInstant(before: ending.time, &report) }
  }
}
