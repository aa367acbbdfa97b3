package import Link

/// `guaranteed-no-loss`: what was queued arrives.
package struct GuaranteedNoLossChecker: Checker {
  package static let invariant = "guaranteed-no-loss"
  package static let about =
    "Every queued transfer is delivered, set aside, cancelled or reported as failed, or it is listed as outstanding."

  private var owed: [Identifier: (time: VirtualTime, line: Int)] = [:]
  private var outstanding: Set<Identifier> = []

  package init(header: TraceHeader) {}

  package mutating func end(_ end: TraceEnd, at event: Occurrence, into report: inout Report) {
    outstanding = outstandingTransfers(end)
  }

  package mutating func transferQueued(_ queued: TransferQueued, at event: Occurrence, into report: inout Report) {
    owed[queued.identity.transfer] = (event.time, event.line)
  }

  package mutating func transferDelivered(_ ended: TransferDelivered, at event: Occurrence, into report: inout Report) {
    owed[ended.identity.transfer] = nil
  }

  package mutating func transferSetAside(_ ended: TransferSetAside, at event: Occurrence, into report: inout Report) {
    owed[ended.identity.transfer] = nil
  }

  package mutating func transferFailed(_ ended: TransferFailed, at event: Occurrence, into report: inout Report) {
    owed[ended.identity.transfer] = nil
  }

  package mutating func transferCancelled(_ ended: TransferCancelled, at event: Occurrence, into report: inout Report) {
    owed[ended.identity.transfer] = nil
  }

  package mutating func finish(_ ending: TraceEnding, into report: inout Report) {
    guard ending.isComplete else { return }
    for (transfer, queued) in owed.sorted(by: { $0.value.line < $1.value.line }) where !outstanding.contains(transfer) {
      report.add(
        "transfer \(transfer.text) was queued, never delivered, and is not outstanding", at: queued.time,
        lines: [queued.line, ending.line])
    }
  }
}
