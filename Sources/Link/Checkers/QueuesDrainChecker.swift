package import Link

/// `queues-drain`: after the last fault, every queue empties.
package struct QueuesDrainChecker: Checker {
  package static let invariant = "queues-drain"
  package static let about =
    "After the final heal every queued transfer finishes and is handled, except those of a node that stays dead, which the end lists."

  private struct Owed {
    let lane: TransferLane
    let channel: Channel
    let seq: Int64
    /// Of the app's event; nil for others.
    let kind: String?
    let time: VirtualTime
    let line: Int
    /// Whether the receiver's app has handled it.
    var isDelivered = false
    /// Whether its sender knows that the receiver has it.
    var isFinished: Bool { finishedLine != nil }
    /// The line that shows that its sender knows; nil if it does not.
    var finishedLine: Int?

    /// `the watch's "workoutPaused" (userInfo 3)`.
    var text: String {
      let name = kind.map { "\"\($0)\"" } ?? (lane.isFile ? "file" : "transfer")
      return "the \(lane.sender.text)'s \(name) (\(lane.isComplication ? "complication" : channel.text) \(seq))"
    }
  }

  private var owed: [Identifier: Owed] = [:]
  private var nodes = NodeStates()
  private var isHealed = false
  /// Whether the scenario has a link: without one, nothing can heal or arrive.
  private let hasLink: Bool
  /// The senders whose sessions a quirk kept from reporting at some time.
  private var uninformed: Set<TraceEvent.Place> = []
  private var outstanding: Set<Identifier> = []

  package init(header: TraceHeader) { hasLink = header.hasLink }

  package mutating func healed(_: FaultsHealed, at event: Occurrence, into report: inout Report) {
    isHealed = true
  }

  package mutating func faultBegin(_ fault: FaultBegan, at event: Occurrence, into report: inout Report) {
    uninformed.formUnion(fault.uninformedNodes)
  }

  package mutating func end(_ end: TraceEnd, at event: Occurrence, into report: inout Report) {
    outstanding = outstandingTransfers(end)
  }

  package mutating func nodeChanged(_ change: NodeChange, at event: Occurrence, into report: inout Report) {
    nodes.observe(change)
  }

  package mutating func transferQueued(_ queued: TransferQueued, at event: Occurrence, into report: inout Report) {
    owed[queued.identity.transfer] = Owed(
      lane: TransferLine(queued.identity, at: event.place, isReceivers: false).lane, channel: queued.identity.channel,
      seq: queued.identity.seq ?? 0, kind: queued.details.kind, time: event.time, line: event.line)
  }

  package mutating func transferDelivered(
    _ delivered: TransferDelivered, at event: Occurrence, into report: inout Report
  ) {
    handle(delivered.identity.transfer)
  }

  package mutating func transferSetAside(_ delivered: TransferSetAside, at event: Occurrence, into report: inout Report)
  {
    handle(delivered.identity.transfer)
  }

  package mutating func transferFinished(_ finished: TransferFinished, at event: Occurrence, into report: inout Report)
  {
    let transfer = finished.identity.transfer
    owed[transfer]?.finishedLine = event.line
    if owed[transfer]?.isDelivered == true { owed[transfer] = nil }
  }

  package mutating func transferFailed(_ ended: TransferFailed, at event: Occurrence, into report: inout Report) {
    owed[ended.identity.transfer] = nil
  }

  package mutating func transferCancelled(_ ended: TransferCancelled, at event: Occurrence, into report: inout Report) {
    owed[ended.identity.transfer] = nil
  }

  private mutating func handle(_ transfer: Identifier) {
    owed[transfer]?.isDelivered = true
    if owed[transfer]?.isFinished == true { owed[transfer] = nil }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    guard ending.isComplete, isHealed, hasLink else { return }
    // If an earlier transfer never arrives, received later ones wait behind it forever.
    var stuckLanes: Set<TransferLane> = []
    for (transfer, queued) in owed.sorted(by: { $0.value.line < $1.value.line }) {
      let isReceiverUp = nodes.isUp(queued.lane.receiver)
      let staysAway = !queued.isFinished && !nodes.isUp(queued.lane.sender)
      if staysAway, !queued.isDelivered { stuckLanes.insert(queued.lane) }
      // Otherwise only the receiver can still owe what it has received.
      let isExcused =
        !isReceiverUp || staysAway || (queued.isFinished && stuckLanes.contains(queued.lane))
        || (queued.isDelivered && !queued.isFinished && uninformed.contains(queued.lane.sender))
      if isExcused, outstanding.contains(transfer) { continue }
      report.add(
        Self.objection(to: queued, isListed: outstanding.contains(transfer), isReceiverUp: isReceiverUp),
        at: queued.time,
        lines: [queued.line, queued.finishedLine].compactMap(\.self))
    }
  }

  /// What is wrong with a transfer that should be over: where it waits, and for what.
  private static func objection(to queued: Owed, isListed: Bool, isReceiverUp: Bool) -> String {
    let (sender, receiver) = (queued.lane.sender.text, queued.lane.receiver.text)
    if queued.isFinished, isReceiverUp {
      return "\(queued.text) waits at the \(receiver), which acknowledged it and never handled it"
    }
    let what =
      queued.isDelivered
      ? "the \(receiver) handled \(queued.text), but the \(sender) still waits for the acknowledgement"
      : "\(queued.text) still waits at the \(queued.isFinished ? receiver : sender)"
    return what + (isListed ? ", though both are up" : ", and is not listed as outstanding")
  }
}
