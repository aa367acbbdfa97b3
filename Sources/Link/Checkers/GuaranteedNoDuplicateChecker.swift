package import Link

/// `guaranteed-no-duplicate`: what was queued has its effect once.
package struct GuaranteedNoDuplicateChecker: Checker {
  package static let invariant = "guaranteed-no-duplicate"
  package static let about =
    "No queued transfer is delivered twice, or after its sender got a failure for it; a repeated delivery after a crash is recorded as such, and follows an earlier one."
  package static let interests: [TraceEvent.Name] = [
    "transfer.delivered", "transfer.setAside", "transfer.cancelled", "transfer.failed", "transfer.redelivered",
  ]

  private var settled = [SettledNumbers](repeating: SettledNumbers(), count: TransferLane.count)
  /// Transfers cancelled before delivery, which may still arrive once.
  private var mayCome = [Set<UInt64>](repeating: [], count: TransferLane.count)

  /// The line of each failure without an earlier delivery.
  private var failureLines = [[UInt64: Int]](repeating: [:], count: TransferLane.count)

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    guard let transfer = TransferLine(event), transfer.seq > 0 else { return }
    let lane = transfer.lane.index
    var isCancelled = false
    if case .transferCancelled = event.body { isCancelled = true }
    if case .transferRedelivered = event.body {
      guard !settled[lane].contains(transfer.seq) else { return }
      report.append(
        Self.violation(
          "transfer \(transfer.seq) of \(transfer.lane.text) (\(transfer.transfer.text)) was redelivered before it was delivered",
          at: event.time, lines: [line]))
      return
    }
    // Giving up a transfer that was already delivered is not a second delivery.
    if settled[lane].insert(transfer.seq) {
      if isCancelled { mayCome[lane].insert(transfer.seq) }
      if !transfer.isReceivers, !isCancelled { failureLines[lane][transfer.seq] = line }
      return
    }
    if !transfer.isReceivers || mayCome[lane].remove(transfer.seq) != nil { return }
    let failureLine = failureLines[lane].removeValue(forKey: transfer.seq)
    let what = failureLine == nil ? "was delivered again" : "was delivered after its sender got a failure for it"
    report.append(
      Self.violation(
        "transfer \(transfer.seq) of \(transfer.lane.text) (\(transfer.transfer.text)) \(what)",
        at: event.time, lines: [failureLine, line].compactMap { $0 }))
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
