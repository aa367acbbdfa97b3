import Link

/// Changes of the watch's device and of the phone's.
extension WatchNode {
  mutating func apply(_ condition: NodeCondition, in turn: inout Turn) {
    let now = turn.now
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
    session.receive(condition: condition, clock: clock.reading(at: now), in: &turn)
    switch condition {
    case .disk(isFull: false), .peerInstalled(true):
      guard !isAsleep else { break }
      if !unannounced.isEmpty { announceOwed(in: &turn) }
      if !record.notes.isEmpty { retryNotes(isForced: true, in: &turn) }
    default: break
    }
  }
}
