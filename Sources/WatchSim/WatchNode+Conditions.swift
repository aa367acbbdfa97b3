import CoachProtocol
import Link

/// What the watch learns of its device, and of the phone's.
extension WatchNode {
  mutating func take(_ condition: NodeCondition, at now: VirtualTime, into output: inout NodeOutput) {
    let before = clock.reading(at: now)
    switch condition {
    case .clock(let offset, let driftPPM):
      clock.set(offset: offset, driftPPM: driftPPM, at: now)
      noteClockChange(by: clock.reading(at: now) &- before, into: &output)
      return
    case .suspended: isAsleep = true
    case .resumed:
      isAsleep = false
      awakeSince = now
      if setup.plants.contains(.zombieSession) { adoptEnded(at: now) }
      noteHost()
      noteVoice()
      if !unannounced.isEmpty { announceAt = now }
    case .peer, .peerInstalled, .peerLocked, .disk, .quirk, .unknown: break
    }
    session.receive(
      condition: condition, clock: before, at: now, into: &output, delivering: &deliveries)
    switch condition {
    case .disk(isFull: false), .peerInstalled(true):
      guard !isAsleep else { break }
      if !unannounced.isEmpty { announceOwed(at: now, into: &output) }
      if !record.notes.isEmpty { retryNotes(isForced: true, at: now, into: &output) }
    default: break
    }
  }

  /// The hello noted how far this clock is from the phone's; what the system does to this one does not change that
  /// the phone's is where it was.
  private mutating func noteClockChange(by change: Int64, into output: inout NodeOutput) {
    guard change != 0, let difference = record.clockDifference else { return }
    let (sum, isFar) = difference.nanoseconds.addingReportingOverflow(change)
    guard !isFar else { return }
    keep(.clockDifference(VirtualTime.Span(nanoseconds: sum)), into: &output)
    output.items.append(.commit)
  }
}
