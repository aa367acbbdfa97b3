/// `queues-drain`: once nothing is broken any more, nothing stays owed.
public struct QueuesDrainChecker: Checker {
  public static let invariant = "queues-drain"
  public static let about =
    "After the final heal every queued transfer finishes and is handled, except those of a node that stays dead, which the end lists."
  public static let interests: [TraceEvent.Name] =
    NodeStates.interests + [
      "transfer.queued", "transfer.delivered", "transfer.finished", "transfer.failed", "transfer.cancelled",
      "transfer.setAside",
      "healed",
      "fault.begin", "end",
    ]

  private struct Owed {
    let lane: TransferLane
    let time: VirtualTime
    let line: Int
    /// The receiver's app has handled it.
    var isDelivered = false
    /// Its sender knows that the receiver has it.
    var isFinished = false
  }

  private var owed: [Identifier: Owed] = [:]
  private var nodes = NodeStates()
  private var isHealed = false
  /// Where there is no link at all nothing can heal, and nothing arrives.
  private let hasLink: Bool
  /// The senders that a quirk kept from being told at some time.
  private var untold: Set<TraceEvent.Place> = []
  private var outstanding: Set<Identifier> = []

  public init(header: TraceHeader) { hasLink = header.hasLink }

  public mutating func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {
    if nodes.observe(event) { return }
    switch event.name.code {
    case TraceEvent.Name.Code.healed: isHealed = true
    case TraceEvent.Name.Code.faultBegin:
      if event["kind"]?.text == "finishLost" { noteUntold(event) }
    case TraceEvent.Name.Code.end: outstanding = outstandingTransfers(event)
    case TraceEvent.Name.Code.transferQueued:
      guard let transfer = TransferLine(event, isReceiver: false) else { return }
      owed[transfer.transfer] = Owed(lane: transfer.lane, time: event.time, line: line)
    case TraceEvent.Name.Code.transferDelivered, TraceEvent.Name.Code.transferSetAside:
      guard let transfer = TransferLine(event, isReceiver: true)?.transfer else { return }
      owed[transfer]?.isDelivered = true
      if owed[transfer]?.isFinished == true { owed[transfer] = nil }
    case TraceEvent.Name.Code.transferFinished:
      guard let transfer = TransferLine(event, isReceiver: false)?.transfer else { return }
      owed[transfer]?.isFinished = true
      if owed[transfer]?.isDelivered == true { owed[transfer] = nil }
    default:
      guard let transfer = TransferLine(event, isReceiver: false)?.transfer else { return }
      owed[transfer] = nil
    }
  }

  /// The params name the device; a trace without it says that nobody was told.
  private mutating func noteUntold(_ begin: TraceEvent) {
    var node: String?
    if case .json(let text) = begin["params"], let params = try? JSONParser.parse(text, dialect: .json),
      case .object(let members) = params.value,
      case .string(let text)? = members.first(where: { $0.key == "node" })?
        .node.value
    {
      node = text
    }
    let named = [TraceEvent.Place.watch, .phone].filter { $0.text == node }
    untold.formUnion(named.isEmpty ? [.watch, .phone] : named)
  }

  public mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    guard ending.isComplete, isHealed, hasLink else { return }
    // Where what comes first never comes, what the receiver has of later ones waits behind it for good.
    var stuckLanes: Set<TransferLane> = []
    for (transfer, queued) in owed.sorted(by: { $0.value.line < $1.value.line }) {
      let isReceiverUp = nodes.isUp(queued.lane.receiver)
      let staysAway = !queued.isFinished && !nodes.isUp(queued.lane.sender)
      if staysAway, !queued.isDelivered { stuckLanes.insert(queued.lane) }
      // What the receiver has can else only wait for the receiver.
      let isExcused =
        !isReceiverUp || staysAway || (queued.isFinished && stuckLanes.contains(queued.lane))
        || (queued.isDelivered && !queued.isFinished && untold.contains(queued.lane.sender))
      if isExcused, outstanding.contains(transfer) { continue }
      let why =
        if queued.isFinished && isReceiverUp {
          "reached its receiver, which never handled it"
        } else if !outstanding.contains(transfer) {
          "did not finish after the heal, and is not listed as outstanding"
        } else {
          "is listed as outstanding, though both its ends are up"
        }
      report.append(
        Self.violation(
          "transfer \(transfer.text) of \(queued.lane.text) \(why)", at: queued.time, lines: [queued.line, ending.line])
      )
    }
  }
}
