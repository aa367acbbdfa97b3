import Console
import CoachProtocol
import Link

/// Payloads reconstructed from a trace's events, by their digests.
///
/// A trace has no payloads, but nearly all of them are encoded in a fixed order from fields that it has: a snapshot, a
/// queued event, a start's answer. Each is encoded again, and verified by its digest.
struct RecordedPayloads {
  private var byDigest: [UInt64: [UInt8]] = [:]
  /// Snapshots by epoch and number, and queued events by transfer: for a watch with another encoding.
  private var bySeq: [[UInt64]: [UInt8]] = [:]
  private var byTransfer: [Identifier: [UInt8]] = [:]
  /// Requested runs.
  private var runs: [Identifier] = []

  /// Collects an event's payload.
  mutating func add(_ event: TraceEvent) {
    switch event.name.text {
    case "snapshot", "ghost.snapshot":
      guard let metrics = LiveMetrics(event.fields) else { return }
      let payload = metrics.encoded
      add(payload)
      if event.name == SnapshotPublished.name, let epoch = event.count("epoch"), let seq = event.count("seq") {
        bySeq[[epoch, seq]] = payload
      }
    case "transfer.queued", "transfer.delivered":
      guard let message = AppMessage(traced: event.fields) else { return }
      let payload = message.encoded
      add(payload)
      if let transfer = event.identifier("transfer") { byTransfer[transfer] = payload }
    case "start.accepted", "start.declined", "start.asked":
      guard let run = event.identifier("runId"), !runs.contains(run) else { return }
      runs.append(run)
      add(AppMessage.startAck(StartAck(runId: run)).encoded)
      for reason in StartDeclined.Reason.allCases {
        add(AppMessage.startDeclined(StartDeclined(runId: run, reason: reason)).encoded)
      }
    default: return
    }
  }

  /// Adds a payload from another source.
  mutating func add(_ payload: [UInt8]) { byDigest[Digest.prefix(payload)] = payload }

  /// The payload with a digest; nil if unknown.
  func payload(_ digest: UInt64) -> [UInt8]? { byDigest[digest] }

  /// The content of a frame's payload whose bytes are unknown; nil if the trace lacks it.
  func meaning(epoch: UInt64, seq: UInt64, transfer: Identifier?) -> [UInt8]? {
    if let transfer { return byTransfer[transfer] }
    return bySeq[[epoch, seq]]
  }
}
