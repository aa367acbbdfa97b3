package import Link

/// `guaranteed-fifo`: what was queued first arrives first.
///
/// Complication transfers have a separate order. Files have none: a small one may overtake a large one.
package struct GuaranteedFIFOChecker: Checker {
  package static let invariant = "guaranteed-fifo"
  package static let about =
    "Queued events are delivered in the order in which they were queued, complication transfers among themselves."
  package static let interests: [TraceEvent.Name] = [
    "transfer.queued", "transfer.delivered", "transfer.setAside", "transfer.failed", "transfer.cancelled",
  ]

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

  package mutating func observe(_ event: TypedEvent, line: Int, into report: inout [Violation]) {
    guard let transfer = TransferLine(event), !transfer.lane.isFile else { return }
    switch event.body {
    case .transferQueued: owed[transfer.lane.index].append(Entry(transfer: transfer.transfer, line: line))
    case .transferDelivered, .transferSetAside: deliver(transfer, event, line, &report)
    default:
      // These lines do not say whether it was a complication.
      for lane in owed.indices {
        if let place = owed[lane].firstIndex(where: { $0.transfer == transfer.transfer }) {
          owed[lane][place].isVoid = true
        }
      }
    }
  }

  private mutating func deliver(
    _ transfer: TransferLine, _ event: TypedEvent, _ line: Int, _ report: inout [Violation]
  ) {
    let lane = transfer.lane.index
    // Delivered before, or never queued: other invariants report that.
    guard let place = owed[lane][heads[lane]...].firstIndex(where: { $0.transfer == transfer.transfer }) else { return }
    let passed = owed[lane][heads[lane]..<place].filter { !$0.isVoid }
    if let first = passed.first {
      report.append(
        Self.violation(
          "transfer \(transfer.transfer.text) of \(transfer.lane.text) overtook \(passed.count) queued before it",
          at: event.time, lines: [first.line, owed[lane][place].line, line]))
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

  package mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
