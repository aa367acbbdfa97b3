package import Link

/// `guaranteed-fifo`: what was queued first arrives first.
///
/// Complication transfers have a separate order. Files have none: a small one may overtake a large one.
package struct GuaranteedFIFOChecker: Checker {
  package static let invariant = "guaranteed-fifo"
  package static let about =
    "Queued events are delivered in the order in which they were queued, complication transfers among themselves."

  private struct Entry {
    let transfer: Identifier
    let line: Int
    /// Whether it failed or was cancelled, so that it is no longer expected.
    var isVoid = false
  }

  /// The owed transfers of each lane, in the order of queueing, from `heads` on.
  private var owed = [[Entry]](repeating: [], count: TransferLane.count)
  private var heads = [Int](repeating: 0, count: TransferLane.count)

  package init(header: TraceHeader) {}

  package mutating func transferQueued(_ queued: TransferQueued, at event: Occurrence, into report: inout Report) {
    let transfer = TransferLine(queued.identity, at: event.place, isReceivers: false)
    guard !transfer.lane.isFile else { return }
    owed[transfer.lane.index].append(Entry(transfer: transfer.transfer, line: event.line))
  }

  package mutating func transferDelivered(
    _ delivered: TransferDelivered, at event: Occurrence, into report: inout Report
  ) {
    deliver(TransferLine(delivered.identity, at: event.place, isReceivers: true), event, &report)
  }

  package mutating func transferSetAside(_ delivered: TransferSetAside, at event: Occurrence, into report: inout Report)
  {
    deliver(TransferLine(delivered.identity, at: event.place, isReceivers: true), event, &report)
  }

  package mutating func transferFailed(_ ended: TransferFailed, at event: Occurrence, into report: inout Report) {
    void(TransferLine(ended.identity, at: event.place, isReceivers: false))
  }

  package mutating func transferCancelled(_ ended: TransferCancelled, at event: Occurrence, into report: inout Report) {
    void(TransferLine(ended.identity, at: event.place, isReceivers: false))
  }

  /// These lines do not say whether it was a complication.
  private mutating func void(_ transfer: TransferLine) {
    guard !transfer.lane.isFile else { return }
    for lane in owed.indices {
      if let place = owed[lane].firstIndex(where: { $0.transfer == transfer.transfer }) {
        owed[lane][place].isVoid = true
      }
    }
  }

  private mutating func deliver(
    _ transfer: TransferLine, _ event: Occurrence, _ report: inout Report
  ) {
    guard !transfer.lane.isFile else { return }
    let lane = transfer.lane.index
    // Delivered before, or never queued: other invariants report that.
    guard let place = owed[lane][heads[lane]...].firstIndex(where: { $0.transfer == transfer.transfer }) else { return }
    let passed = owed[lane][heads[lane]..<place].filter { !$0.isVoid }
    if let first = passed.first {
      report.add(
        "transfer \(transfer.transfer.text) of \(transfer.lane.text) overtook \(passed.count) queued before it",
        at: event.time, lines: [first.line, owed[lane][place].line, event.line])
      // Overtaken transfers stay owed and are judged when they arrive; only this one is removed.
      owed[lane].remove(at: place)
      return
    }
    heads[lane] = place + 1
    if heads[lane] > 64, heads[lane] * 2 > owed[lane].count {
      owed[lane].removeSubrange(..<heads[lane])
      heads[lane] = 0
    }
  }
}
