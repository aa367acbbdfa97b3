import Link

/// Changes of the watch's device and of the phone's.
extension WatchNode {
  mutating func apply(_ condition: NodeCondition, at now: VirtualTime, into output: inout NodeOutput) {
    switch condition {
    case .clock(let offset, let driftPPM): return clock.set(offset: offset, driftPPM: driftPPM, at: now)
    case .suspended: isAsleep = true
    case .resumed:
      isAsleep = false
      awakeSince = now
      if setup.plants.contains(.zombieSession) { adoptEnded(at: now) }
      rememberHost()
      refreshVoiceDeadline()
      if !unannounced.isEmpty { announceAt = now }
    case .peer, .peerInstalled, .peerLocked, .disk, .quirk, .runEnds, .messagesLaunchPeer, .launchedByMessage,
      .sendsFail, .unknown:
      break
    }
    session.receive(
      condition: condition, clock: clock.reading(at: now), at: now, into: &output, delivering: &deliveries)
    switch condition {
    case .disk(isFull: false), .peerInstalled(true):
      guard !isAsleep else { break }
      if !unannounced.isEmpty { announceOwed(at: now, into: &output) }
      if !record.notes.isEmpty { retryNotes(isForced: true, at: now, into: &output) }
    default: break
    }
  }
}
