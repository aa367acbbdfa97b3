/// `guaranteed-no-duplicate`: what was queued has its effect once.
public struct GuaranteedNoDuplicateChecker: Checker {
  public static let invariant = "guaranteed-no-duplicate"
  public static let about = "No queued transfer is delivered twice; one that is handed over again is recorded as such."
  public static let interests: [TraceEvent.Name] = ["transfer.delivered", "transfer.setAside", "transfer.cancelled"]

  private var settled = [SettledNumbers](repeating: SettledNumbers(), count: TransferLane.count)

  public init(header: TraceHeader) {}

  public mutating func observe(_ event: TraceEvent, line: Int, into report: inout [Violation]) {
    let isReceiver = event.name.code != TraceEvent.Name.Code.transferCancelled
    guard let transfer = TransferLine(event, isReceiver: isReceiver), transfer.seq > 0 else { return }
    // A cancelled number is only marked as done; that it was delivered before is no duplicate.
    if settled[transfer.lane.index].insert(transfer.seq) || !isReceiver { return }
    report.append(
      Self.violation(
        "number \(transfer.seq) of \(transfer.lane.text) (\(transfer.transfer.text)) was delivered again",
        at: event.time, lines: [line]))
  }

  public mutating func finish(_ ending: TraceEnding, into report: inout [Violation]) {}
}
