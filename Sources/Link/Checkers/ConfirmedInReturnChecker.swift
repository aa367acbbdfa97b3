/// `confirmed-in-return`: what arrives is confirmed at once, and nothing else is.
public struct ConfirmedInReturnChecker: Checker {
  public static let invariant = "confirmed-in-return"
  public static let about =
    "A built-in node confirms every hello, context and user info at the instant of its arrival, unless it refuses it, has a full disk or dies; it confirms nothing else, nothing of an epoch that no hello announced, and on a full disk nothing that it had not stored before; it refuses nothing that a correct session sends."
  public static let interests: [TraceEvent.Name] = [
    "frame.sent", "frame.delivered", "frame.refused", "transfer.queued", "transfer.cancelled", "node.started",
    "node.killed", "node.failed", "fault.begin", "fault.end", "end",
  ]

  /// Something that arrived at the current instant and is not confirmed yet.
  private struct Arrival {
    let entry: FrameLog.Entry
    let line: Int
  }

  private let nodes: BuiltInNodes
  private var log = FrameLog()
  private var fullDisks = ActiveFaults(["diskFull"])
  private var now = VirtualTime.start
  private var arrivals: [Arrival] = []
  /// The nodes that died at the current instant.
  private var died: Set<TraceEvent.Place> = []
  /// First confirmations at the current instant by a node with a full disk.
  private var doubtful: [Arrival] = []
  /// The highest confirmed context by receiver.
  private var contexts: [TraceEvent.Place: Int64] = [:]
  /// The highest epoch whose hello has arrived, by receiver.
  private var greeted: [TraceEvent.Place: Int64] = [:]
  /// The confirmed numbers by receiver: of user infos, and of complication transfers.
  private var confirmed: [[SettledNumbers]] = Array(
    repeating: [SettledNumbers(), SettledNumbers()], count: TraceEvent.Place.allCases.count)
  /// The complication transfers so far; at most 50 a day.
  private var complications: Set<Identifier> = []
  /// Cancelled transfers without a confirmation so far.
  private var cancelled: Set<Identifier> = []

  public init(header: TraceHeader) { nodes = BuiltInNodes(header) }

  public mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    if event.time > now { finishInstant(&report) }
    now = max(now, event.time)
    switch event.body {
    case .frameSent(let frame):
      guard let entry = log.record(frame, event, line: line), entry.kind == .ack, frame.tSend == nil,
        nodes.contains(entry.sender)
      else { return }
      observeConfirmation(entry, line, &report)
    case .frameDelivered(let frame):
      guard event.place == .link, let entry = log.entry(of: frame.id), nodes.contains(entry.receiver) else { return }
      let isHello = entry.kind == .hello
      guard isHello || entry.kind == .data && (entry.channel == .userInfo || entry.channel == .applicationContext)
      else {
        return
      }
      if isHello {
        guard entry.epoch >= greeted[entry.receiver] ?? 0 else { return }
        greeted[entry.receiver] = entry.epoch
      }
      arrivals.append(Arrival(entry: entry, line: line))
    case .frameRefused(let frame):
      observeRefusal(frame, event, line, &report)
      if let place = arrivals.firstIndex(where: {
        $0.entry.receiver == event.place && $0.entry.channel == frame.channel && $0.entry.seq == frame.seq
      }) {
        arrivals.remove(at: place)
      }
    case .transferQueued(let queued):
      if queued.identity.complication == true { complications.insert(queued.identity.transfer) }
    case .transferCancelled(let ended): cancelled.insert(ended.identity.transfer)
    case .nodeStarted(let started):
      died.insert(started.target.place)
      greeted[started.target.place] = nil
    default:
      fullDisks.observe(event)
      if let node = event.body.endedNode { died.insert(node.place) }
    }
  }

  /// Judges a refusal: between built-in nodes, only what was on its way across a restart is refused.
  private func observeRefusal(_ frame: FrameRefused, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]) {
    guard nodes.contains(.watch), nodes.contains(.phone), event.place == .watch || event.place == .phone else { return }
    let epoch = greeted[event.place] ?? 0
    let isJustified: Bool =
      switch frame.why {
      case "before the hello of its sender": true
      case "of an epoch that no hello announced": frame.epoch > epoch
      case "a chunk of a file that was not offered", "a file ahead of its turn", "another file in the place of one":
        true
      default: frame.channel == .http || frame.channel == .health
      }
    if isJustified { return }
    report.append(
      Self.violation(
        "the \(event.place.text) refused a frame of epoch \(frame.epoch), \(frame.why), and knows epoch \(epoch)",
        at: now, lines: [line]))
  }

  private mutating func observeConfirmation(_ entry: FrameLog.Entry, _ line: Int, _ report: inout [Violation]) {
    // A receipt follows once the app has handled the message; answers to files have their own rules.
    guard entry.channel != .file, entry.channel != .message || entry.seq == 0 else { return }
    guard
      let place = arrivals.firstIndex(where: {
        $0.entry.receiver == entry.sender && $0.entry.channel == entry.channel && $0.entry.seq == entry.seq
          && $0.entry.transfer == entry.transfer
      })
    else {
      report.append(
        Self.violation(
          "the \(entry.sender.text) confirms number \(entry.seq) of \(entry.channel.text), which has not just arrived",
          at: now, lines: [line]))
      return
    }
    let arrival = arrivals.remove(at: place)
    if arrival.entry.kind == .data, arrival.entry.epoch > greeted[entry.sender] ?? 0 {
      report.append(
        Self.violation(
          "the \(entry.sender.text) confirms a frame of epoch \(arrival.entry.epoch), which no hello announced",
          at: now,
          lines: [arrival.entry.line, line]))
    }
    if recordFirst(arrival.entry), fullDisks.isActive(on: entry.sender, before: now) {
      doubtful.append(Arrival(entry: arrival.entry, line: line))
    }
  }

  /// Records a confirmation; returns whether it is the first of something that needs room.
  private mutating func recordFirst(_ entry: FrameLog.Entry) -> Bool {
    switch entry.channel {
    case .applicationContext:
      guard entry.seq > contexts[entry.receiver] ?? 0 else { return false }
      contexts[entry.receiver] = entry.seq
      return true
    case .userInfo:
      guard let transfer = entry.transfer, entry.seq > 0 else { return false }
      let lane = complications.contains(transfer) ? 1 : 0
      let isFirst = confirmed[Int(entry.receiver.rawValue)][lane].insert(UInt64(entry.seq))
      // A cancelled one leaves nothing to store but its number.
      return cancelled.remove(transfer) == nil && isFirst
    default: return false
    }
  }

  private mutating func finishInstant(_ report: inout [Violation]) {
    if !arrivals.isEmpty {
      for arrival in arrivals where !died.contains(arrival.entry.receiver) {
        guard !fullDisks.isActive(on: arrival.entry.receiver), fullDisks.lastEnd != now else { continue }
        report.append(
          Self.violation(
            "\(arrival.entry.kind == .hello ? "a hello" : "number \(arrival.entry.seq) of \(arrival.entry.channel.text)") arrived at the \(arrival.entry.receiver.text), which did not confirm it",
            at: now, lines: [arrival.entry.line, arrival.line]))
      }
      arrivals.removeAll(keepingCapacity: true)
    }
    if !doubtful.isEmpty {
      for arrival in doubtful where fullDisks.isActive(on: arrival.entry.receiver) {
        report.append(
          Self.violation(
            "the \(arrival.entry.receiver.text) confirmed number \(arrival.entry.seq) of \(arrival.entry.channel.text) with a full disk, and had not stored it before",
            at: now, lines: [arrival.entry.line, arrival.line]))
      }
      doubtful.removeAll(keepingCapacity: true)
    }
    if !died.isEmpty { died.removeAll(keepingCapacity: true) }
  }

  public mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    if ending.isComplete { finishInstant(&report) }
  }
}
