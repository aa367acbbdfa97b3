/// `silent-while-unreachable`: a side that knows that its peer is unreachable sends it nothing.
public struct SilentUnreachableChecker: Checker {
  public static let invariant = "silent-while-unreachable"
  public static let about =
    "From the start of its app, or from the line that says that the peer is unreachable, to the line that says that it is reachable, a built-in node sends hellos and confirmations only; while it knows the link to be down, no hello either. The outcome that a message waits for fails at that line, in the order of sending. Each such line is news, and the peer is reachable only after its hello has arrived and it has confirmed this side's."
  public static let interests: [TraceEvent.Name] = [
    "frame.sent", "frame.delivered", "message.failed", "reachability", "node.started", "node.killed", "node.failed",
    "link.up", "fault.begin", "fault.end", "end",
  ]

  /// The number of remembered messages that wait for a reply.
  private static let waitingMax = 4096

  private struct Waiting {
    let seq: Int64
    let line: Int
  }

  private struct Side {
    /// The line since which it sends nothing; nil while it may.
    var silentSince: Int?
    /// Whether the link is down for it.
    var isCut = false
    /// The messages that wait for a reply, in the order of sending.
    var waiting: [Waiting] = []
    /// The instant and the line at which they must fail; nil for none.
    var failsAt: (time: VirtualTime, line: Int)?
    /// The last of them that has failed.
    var failed: Int64 = 0
    /// What its last line about reachability says; nil if there was none in this epoch.
    var isReachable: Bool?
    var epoch: Int64 = 0
    /// The highest epoch of its peer whose hello has arrived, and the one that has confirmed its own.
    var peerEpoch: Int64 = 0
    var confirmedBy: Int64 = 0
    /// Whether messages launch its peer's app, so that reachable means less.
    var launches = false
  }

  private let nodes: BuiltInNodes
  private var log = FrameLog()
  private var quirks = ActiveFaults(["reachabilityStuck", "phantomReachable", "sendFails"])
  private var sides = [Side(), Side()]
  private var now = VirtualTime.start

  public init(header: TraceHeader) {
    nodes = BuiltInNodes(header)
    sides[0].launches = nodes.launchesPeer(.watch)
  }

  private static func index(_ place: TraceEvent.Place) -> Int? {
    place == .watch ? 0 : place == .phone ? 1 : nil
  }

  public mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    if event.time > now { finishInstant(&report) }
    now = max(now, event.time)
    switch event.body {
    case .frameSent(let frame):
      guard let entry = log.record(frame, event, line: line), frame.tSend == nil, nodes.contains(entry.sender),
        let side = Self.index(entry.sender)
      else { return }
      observeSent(entry, side, wantsReply: frame.wantsReply != nil, &report)
    case .frameDelivered(let frame):
      guard let entry = log.recordArrival(of: frame.id), let side = Self.index(entry.receiver) else { return }
      if entry.kind == .reply { sides[side].waiting.removeAll { $0.seq == entry.seq } }
      if entry.kind == .hello { sides[side].peerEpoch = max(sides[side].peerEpoch, entry.epoch) }
      if entry.isHelloConfirmation, entry.answers == sides[side].epoch, entry.epoch >= sides[side].peerEpoch {
        sides[side].confirmedBy = max(sides[side].confirmedBy, entry.epoch)
      }
    case .messageFailed(let message):
      if let side = Self.index(event.place), nodes.contains(event.place) {
        observeFailed(message.seq, event.place, side, line, &report)
      }
    case .reachability(let change):
      if let side = Self.index(event.place) { observe(change, event.place, side, line, &report) }
    case .linkUp: if event.place == .link { for side in sides.indices { sides[side].isCut = false } }
    case .nodeStarted(let started):
      guard let side = Self.index(started.target.place) else { return }
      let launches = sides[side].launches
      sides[side] = Side()
      sides[side].launches = launches
      sides[side].epoch = started.epoch
      if !quirks.isActive(on: started.target.place) { sides[side].silentSince = line }
    default:
      quirks.observe(event)
      if let node = event.body.endedNode, let side = Self.index(node.place) {
        let launches = sides[side].launches
        sides[side] = Side()
        sides[side].launches = launches
      }
      if case .faultBegin = event.body { forgetUnderQuirks() }
    }
  }

  /// Judges a side no longer whose belief a quirk has changed, until its next line.
  private mutating func forgetUnderQuirks() {
    for (side, place) in [TraceEvent.Place.watch, .phone].enumerated() where quirks.isActive(on: place) {
      sides[side].silentSince = nil
      sides[side].isCut = false
      sides[side].waiting = []
      sides[side].failsAt = nil
    }
  }

  private mutating func observe(
    _ change: ReachabilityChanged, _ place: TraceEvent.Place, _ side: Int, _ line: Int, _ report: inout [Violation]
  ) {
    if nodes.contains(place) { judge(change, place, side, line, &report) }
    sides[side].isReachable = change.reachable
    if change.cause == "launch" { sides[side].launches = true }
    sides[side].silentSince = nil
    sides[side].failsAt = nil
    guard !quirks.isActive(on: place) else {
      sides[side].waiting = []
      return
    }
    guard !change.reachable else {
      sides[side].isCut = false
      return
    }
    sides[side].silentSince = line
    if change.cause == "supervision" { sides[side].isCut = true }
    if ["supervision", "peer", "notInstalled"].contains(change.cause) {
      sides[side].failsAt = (now, line)
      sides[side].failed = 0
    }
  }

  /// Judges that the line is news, and that a peer is reachable only once both sides know each other.
  private func judge(
    _ change: ReachabilityChanged, _ place: TraceEvent.Place, _ side: Int, _ line: Int, _ report: inout [Violation]
  ) {
    let state = sides[side]
    if state.isReachable == change.reachable {
      report.append(
        Self.violation(
          "the \(place.text) learns again that its peer is \(change.reachable ? "reachable" : "unreachable")", at: now,
          lines: [line]))
    }
    guard change.reachable, change.cause == "hello", !state.launches, !quirks.isActive(on: place), state.epoch > 0
    else {
      return
    }
    guard state.peerEpoch == 0 || state.confirmedBy < state.peerEpoch else { return }
    report.append(
      Self.violation(
        "the \(place.text) believes that it reaches its peer's epoch \(state.peerEpoch), which has not confirmed its hello",
        at: now, lines: [line]))
  }

  private mutating func observeSent(
    _ entry: FrameLog.Entry, _ side: Int, wantsReply: Bool, _ report: inout [Violation]
  ) {
    if wantsReply {
      if sides[side].waiting.count == Self.waitingMax { sides[side].waiting.removeFirst() }
      sides[side].waiting.append(Waiting(seq: entry.seq, line: entry.line))
    }
    guard let since = sides[side].silentSince, entry.kind != .ack, entry.channel != .health else { return }
    if entry.kind == .hello {
      guard sides[side].isCut else { return }
    }
    report.append(
      Self.violation(
        "the \(entry.sender.text) sent \(entry.kind.text) on \(entry.channel.text), though it knows that its peer is unreachable",
        at: now, lines: [since, entry.line]))
  }

  private mutating func observeFailed(
    _ seq: Int64, _ place: TraceEvent.Place, _ side: Int, _ line: Int, _ report: inout [Violation]
  ) {
    sides[side].waiting.removeAll { $0.seq == seq }
    guard let failsAt = sides[side].failsAt, failsAt.time == now else { return }
    if seq < sides[side].failed {
      report.append(
        Self.violation(
          "the \(place.text)'s message \(seq) failed after message \(sides[side].failed), which was sent later",
          at: now,
          lines: [failsAt.line, line]))
    }
    sides[side].failed = max(sides[side].failed, seq)
  }

  private mutating func finishInstant(_ report: inout [Violation]) {
    for (side, place) in [TraceEvent.Place.watch, .phone].enumerated() {
      guard let failsAt = sides[side].failsAt else { continue }
      sides[side].failsAt = nil
      guard !sides[side].waiting.isEmpty, nodes.contains(place) else { continue }
      for message in sides[side].waiting {
        report.append(
          Self.violation(
            "the \(place.text)'s message \(message.seq) did not fail when the \(place.text) learnt that its peer is unreachable",
            at: failsAt.time, lines: [message.line, failsAt.line]))
      }
      sides[side].waiting = []
    }
  }

  public mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
