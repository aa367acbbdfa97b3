package import Link

/// `guaranteed-no-duplicate`: what was queued has its effect once.
package struct GuaranteedNoDuplicateChecker: Checker {
  package static let invariant = "guaranteed-no-duplicate"
  package static let about =
    "No queued transfer is delivered twice, or after its sender got a failure for it; a repeated delivery after a crash is recorded as such, and follows an earlier one."

  private var settled = [SettledNumbers](repeating: SettledNumbers(), count: TransferLane.count)
  /// Transfers cancelled before delivery, which may still arrive once.
  private var mayCome = [Set<UInt64>](repeating: [], count: TransferLane.count)

  /// The line of each failure without an earlier delivery.
  private var failureLines = [[UInt64: Int]](repeating: [:], count: TransferLane.count)

  package init(header: TraceHeader) {}

  package mutating func transferDelivered(
    _ delivered: TransferDelivered, at event: Occurrence, into report: inout Report
  ) {
    settle(TransferLine(delivered.identity, at: event.place, isReceivers: true), event, &report)
  }

  package mutating func transferSetAside(_ delivered: TransferSetAside, at event: Occurrence, into report: inout Report)
  {
    settle(TransferLine(delivered.identity, at: event.place, isReceivers: true), event, &report)
  }

  package mutating func transferFailed(_ failed: TransferFailed, at event: Occurrence, into report: inout Report) {
    settle(TransferLine(failed.identity, at: event.place, isReceivers: false), event, &report)
  }

  package mutating func transferCancelled(
    _ cancelled: TransferCancelled, at event: Occurrence, into report: inout Report
  ) {
    settle(
      TransferLine(cancelled.identity, at: event.place, isReceivers: false), isCancelled: true, event, &report)
  }

  package mutating func transferRedelivered(
    _ again: TransferRedelivered, at event: Occurrence, into report: inout Report
  ) {
    let transfer = TransferLine(again.identity, at: event.place, isReceivers: true)
    guard transfer.seq > 0, !settled[transfer.lane.index].contains(transfer.seq) else { return }
    report.add(
      "transfer \(transfer.seq) of \(transfer.lane.text) (\(transfer.transfer.text)) was redelivered before it was delivered",
      at: event.time, lines: [event.line])
  }

  private mutating func settle(
    _ transfer: TransferLine, isCancelled: Bool = false, _ event: Occurrence, _ report: inout Report
  ) {
    guard transfer.seq > 0 else { return }
    let lane = transfer.lane.index
    // Giving up a transfer that was already delivered is not a second delivery.
    if settled[lane].insert(transfer.seq) {
      if isCancelled { mayCome[lane].insert(transfer.seq) }
      if !transfer.isReceivers, !isCancelled { failureLines[lane][transfer.seq] = event.line }
      return
    }
    if !transfer.isReceivers || mayCome[lane].remove(transfer.seq) != nil { return }
    let failureLine = failureLines[lane].removeValue(forKey: transfer.seq)
    let what = failureLine == nil ? "was delivered again" : "was delivered after its sender got a failure for it"
    report.add(
      "transfer \(transfer.seq) of \(transfer.lane.text) (\(transfer.transfer.text)) \(what)",
      at: event.time, lines: [failureLine, event.line].compactMap { $0 })
  }
}
