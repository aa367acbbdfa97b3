package import Link

/// `guaranteed-no-loss`: what was queued arrives.
package struct GuaranteedNoLossChecker: Checker {
  package static let invariant = "guaranteed-no-loss"
  package static let about =
    "Every queued transfer is delivered, set aside, cancelled or reported as failed, or it is listed as outstanding."
  package static let interests: [TraceEvent.Name] = [
    "transfer.queued", "transfer.delivered", "transfer.setAside", "transfer.failed", "transfer.cancelled", "end",
  ]

  private var owed: [Identifier: (time: VirtualTime, line: Int)] = [:]
  private var outstanding: Set<Identifier> = []

  package init(header: TraceHeader) {}

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    switch event.body {
    case .end(let end): outstanding = outstandingTransfers(end)
    case .transferQueued(let queued): owed[queued.identity.transfer] = (event.time, line)
    default: if let transfer = TransferLine(event)?.transfer { owed[transfer] = nil }
    }
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {
    guard ending.isComplete else { return }
    for (transfer, queued) in owed.sorted(by: { $0.value.line < $1.value.line }) where !outstanding.contains(transfer) {
      report.append(
        Self.violation(
          "transfer \(transfer.text) was queued, never delivered, and is not outstanding", at: queued.time,
          lines: [queued.line, ending.line]))
    }
  }
}
