import Link

/// What the athlete of a run does, and its lines.
extension Exchange {
  /// Lets time pass for the athlete, up to what is pressed at this instant.
  mutating func advanceTruthBeforePresses() {
    let now = log.now
    truth?.advance(before: now)
    writeTruth()
  }

  /// Lets the athlete press something on a device whose app takes it.
  mutating func pressInTruth(_ command: NodeCommand, on role: NodeRole) {
    let now = log.now
    truth?.press(command, on: role, at: now)
    writeTruth()
  }

  /// Lets the athlete see a line of a device; what follows is written before it.
  mutating func observeTruth(_ event: TraceEvent) {
    truth?.observe(event)
    writeTruth()
  }

  /// Lets the athlete begin and end what is due at this instant.
  mutating func advanceTruth() {
    let now = log.now
    truth?.advance(to: now, watchIsAwake: devices.contains { $0.role == .watch && $0.status.activity == .awake })
    writeTruth()
  }

  /// Writes what the athlete did, if anything; here and above, comparing the keeper with nil would copy it.
  private mutating func writeTruth() {
    guard let lines = truth?.takeLines() else { return }
    for line in lines { log.sink.emit(TraceEvent(line, at: log.now, on: .runner)) }
  }
}
