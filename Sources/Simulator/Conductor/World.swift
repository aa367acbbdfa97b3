import HealthSim
import Link
import LinkTransport

/// The devices of a run with what faults and users do to them: death and start, sleep, what a peer learns of it.
struct World {
  var exchange: Exchange
  var faults: FaultSchedule
  /// Whether every fault has ended for good and the queues drain.
  var isHealed = false

  var now: VirtualTime { exchange.log.now }

  /// The index of a role's device.
  func device(_ role: NodeRole) -> Int {
    guard let index = exchange.devices.firstIndex(where: { $0.role == role }) else {
      preconditionFailure("a run without a \(role.text)")
    }
    return index
  }

  subscript(device: Int) -> NodeStatus {
    _read { yield exchange.devices[device].status }
    _modify { yield &exchange.devices[device].status }
  }

  // MARK: Grants

  /// Passes an input to a node at this instant.
  mutating func grant(_ input: NodeInput, to device: Int) throws(NodeFailure) {
    if case .command = input { self[device].processor.begin(at: now, isTouched: true) }
    exchange.inputs.append(input)
    settle(device, try exchange.grant(to: device))
  }

  /// Passes the collected inputs to a node at this instant.
  mutating func grantInputs(to device: Int) throws(NodeFailure) { settle(device, try exchange.grant(to: device)) }

  /// Fires a node's due timers.
  mutating func fire(_ device: Int) throws(NodeFailure) {
    settle(device, try exchange.grant(to: device, fires: true))
    guard exchange.devices[device].nextDeadline.map({ $0 > now }) ?? true else {
      throw NodeFailure(
        exchange.devices[device].role, .gaveUp("requested another call at the instant of its last call"))
    }
  }

  /// Passes the collected frames to their node, and drops those that find it down.
  mutating func deliver(_ arrivals: [Arrival], to device: Int) throws(NodeFailure) {
    let (ending, arrived) = try exchange.grant(arrivals, to: device)
    settle(device, ending)
    for index in arrived..<arrivals.count { drop(arrivals[index], at: device) }
  }

  /// Takes down a node that stopped at a crash point or was killed from outside.
  private mutating func settle(_ device: Int, _ ending: GrantEnding) {
    switch ending {
    case .complete: countTurn(of: device)
    case .stopped(let point):
      let struck = self[device].takeArmed(at: point)
      for entry in struck { faults.keepActive(entry.fault) }
      bringDown(
        device, struck.map { ($0.fault, $0.restartAfter) }, cause: struck.first?.cause ?? KillFault.kind, point: point)
    case .died:
      // It restarts even after the healing.
      self[device].downs.append(NodeStatus.Down(fault: nil, until: now + NodeProcess.recovery))
      recordDown(device, cause: "signal", point: nil)
      stopHealth(of: device, isReboot: false)
    }
  }

  /// Counts a turn of an app, and ends one that used too much of the processor; a watch's workout brings its app back.
  private mutating func countTurn(of device: Int) {
    guard let platform = exchange.platform, platform.costOfTurn > .zero, !isHealed, self[device].isUp,
      exchange.devices[device].host.isApp, !self[device].processor.spend(platform.costOfTurn, at: now)
    else { return }
    if platform.hasSession(exchange.devices[device].role) {
      self[device].downs.append(NodeStatus.Down(fault: nil, until: now + .seconds(1)))
    }
    bringDown(device, [], cause: CpuLimitFault.kind)
  }

  /// Notifies a node of a condition of its device or its peer; one that is down learns it when it starts.
  mutating func notify(_ device: Int, _ condition: NodeCondition) throws(NodeFailure) {
    if self[device].isUp { try grant(.condition(condition), to: device) }
  }

  /// Notifies the peer of a device.
  mutating func notifyPeer(of device: Int, _ condition: NodeCondition) throws(NodeFailure) {
    if let peer = exchange.devices[device].peer { try notify(peer.device, condition) }
  }

  /// Notifies a device, or its peer, of what a fault changed about the device; nil for nothing.
  mutating func notify(_ notice: DeviceConditions.Notice?, about device: Int) throws(NodeFailure) {
    switch notice {
    case .own(let condition)?: try notify(device, condition)
    case .peer(let condition)?: try notifyPeer(of: device, condition)
    case nil: break
    }
  }

  /// Reverts the conditions of a device's fault.
  mutating func endConditions(of fault: any NodeFault, by index: Int) throws(NodeFailure) {
    let device = device(fault.node)
    for order in fault.orders {
      try notify(self[device].conditions.end(order, by: index, at: now), about: device)
    }
  }

  // MARK: Lost frames

  /// Drops an arrival at a node that is down.
  mutating func drop(_ arrival: Arrival, at device: Int) {
    drop(arrival, cause: .nodeDown, blaming: self[device].downs.map(\.fault))
  }

  /// Drops an arrival; of the faults to blame the first active one is recorded.
  mutating func drop(_ arrival: Arrival, cause: DropCause, blaming indices: [Int?]) {
    let blamed = indices.lazy.compactMap { $0 }.first { faults.active.contains($0) }
    exchange.log.record(
      .dropped(id: arrival.id, copy: arrival.copy, cause: cause, fault: blamed.map { faults.plan[$0].id }),
      on: exchange.links[arrival.link].place)
  }

  // MARK: Death and start

  /// Kills a node, or adds a reason to keep it down.
  mutating func bringDown(
    _ device: Int, _ faults: [(index: Int, restartAfter: VirtualTime.Span?)], cause: String, point: CrashPoint? = nil
  ) {
    for fault in faults {
      self[device].downs.append(NodeStatus.Down(fault: fault.index, until: fault.restartAfter.map { now + $0 }))
    }
    guard self[device].isUp else { return }
    exchange.devices[device].kill()
    recordDown(device, cause: cause, point: point)
    stopHealth(of: device, isReboot: self[device].isLocked)
  }

  private mutating func recordDown(_ device: Int, cause: String, point: CrashPoint?) {
    self[device].goDown()
    record(NodeKilled.self, of: device) {
      $0.cause = cause
      $0.point = point?.name
    }
    scheduleAbsenceNotice(of: device)
  }

  /// Ends expired reasons, and starts the nodes that nothing keeps down any more.
  mutating func restartNodes() throws(NodeFailure) {
    for device in exchange.devices.indices {
      guard let at = self[device].restartAt, at <= now else { continue }
      let over = self[device].takeExpiredDowns(at: now)
      if self[device].downs.isEmpty { try start(device) }
      try finishFaults(over)
    }
  }

  /// Starts an app for a message, an act or a tap, whatever keeps it down.
  mutating func launch(_ device: Int, by cause: NodeRestarted.Cause = .act) throws(NodeFailure) {
    let over = self[device].downs.compactMap(\.fault)
    self[device].downs = []
    record(NodeRestarted.self, of: device) { $0.cause = cause }
    try start(device, byMessage: cause == .message, inBackground: cause == .message || cause == .health)
    try finishFaults(over)
  }

  private mutating func finishFaults(_ indices: [Int]) throws(NodeFailure) {
    for index in indices where faults.finish(index) {
      if case .node(let fault) = faults.plan[index].body { try endConditions(of: fault, by: index) }
      recordEnd(of: index)
    }
  }

  mutating func recordEnd(of index: Int) {
    let planned = faults.plan[index]
    exchange.log.record(FaultEnded.self, on: planned.place) {
      $0.fault = planned.id
      $0.kind = planned.kind
    }
  }

  private mutating func start(_ device: Int, byMessage: Bool = false, inBackground: Bool = false) throws(NodeFailure) {
    try exchange.devices[device].start(at: now)
    self[device].processor.begin(at: now, isTouched: !inBackground)
    recordStart(of: device, cause: .restart)
    try exchange.devices[device].armPoints()
    for condition in conditions(atStartOf: device, byMessage: byMessage) {
      exchange.inputs.append(.condition(condition))
    }
    // The believed state of the radio; the first notice also delivers what the inbox stored.
    for link in exchange.links where link.notified.contains(device) {
      exchange.inputs.append(link.route.input(isUp: link.notice.believedUp))
    }
    for act in exchange.devices[device].waitingActs { exchange.inputs.append(.command(act.command)) }
    exchange.devices[device].waitingActs = []
    settle(device, try exchange.grant(to: device))
    if self[device].isUp { startHealth(of: device, inBackground: inBackground) }
    if self[device].isUp { try notifyPresence(of: device) }
  }

  private func conditions(atStartOf index: Int, byMessage: Bool) -> [NodeCondition] {
    let device = exchange.devices[index]
    let peer = device.peer.map { exchange.devices[$0.device] }
    var conditions = device.status.conditions.ofDevice(at: now)
    if let peer {
      conditions += peer.status.conditions.ofPeer.map { [$0] } ?? []
      if !peer.status.isPeerNotified {
        if peer.status.isLocked, device.learnsOfLock { conditions.append(.peerLocked(true)) }
        conditions.append(.peer(isRunning: false))
      }
    }
    conditions += device.status.conditions.ofSession
    if peer?.launch?.isKnownToPeer == true { conditions.append(.messagesLaunchPeer(true)) }
    if byMessage { conditions.append(.launchedByMessage) }
    if isHealed, device.host.isApp { conditions.append(.runEnds) }
    return conditions
  }

  mutating func recordStart(of device: Int, cause: NodeStarted.Cause) {
    let epoch = self[device].epoch
    record(NodeStarted.self, of: device) {
      $0.epoch = Int64(epoch.rawValue)
      $0.cause = cause
    }
  }

  private mutating func record<Kind: DeviceEvent>(_ kind: Kind.Type, of device: Int, _ fill: (inout Kind) -> Void) {
    exchange.log.record(kind, of: exchange.devices[device].role, fill)
  }

  // MARK: Sleep

  mutating func putToSleep(_ device: Int, cause: String) throws(NodeFailure) {
    guard self[device].isUp else { return }
    guard !self[device].isAsleep else { return try notifyPresence(of: device) }
    self[device].isAsleep = true
    exchange.platform?.setAsleep(true, of: exchange.devices[device].role)
    record(NodeSuspended.self, of: device) { $0.cause = cause }
    try notify(device, .suspended)
    if self[device].isUp { try notifyPresence(of: device) }
  }

  /// Wakes a sleeping node, behind the foreground or for its user, who also brings a woken one to the front.
  mutating func wake(_ device: Int, cause: String, inBackground: Bool = true) throws(NodeFailure) {
    guard self[device].isUp else { return }
    guard self[device].isAsleep else {
      if !inBackground, addWord(ofWakeInBackground: false, to: device) { try grantInputs(to: device) }
      return
    }
    self[device].isAsleep = false
    exchange.platform?.setAsleep(false, of: exchange.devices[device].role)
    record(NodeResumed.self, of: device) { $0.cause = cause }
    _ = addWord(ofWakeInBackground: inBackground, to: device)
    try notify(device, .resumed)
    if self[device].isUp { try notifyPresence(of: device) }
  }

  // MARK: What the peer learns

  /// The peer learns of an app that cannot answer as late as of a cut link, and of its return at once.
  mutating func notifyPresence(of device: Int) throws(NodeFailure) {
    guard self[device].isThere else { return scheduleAbsenceNotice(of: device) }
    if self[device].isAwayUnnoticed, peerNoticesBriefAbsence(of: device) { try noticeAbsence(of: device) }
    guard self[device].popPresenceNotice() else { return }
    if peerLearnsOfLock(of: device) { try notifyPeer(of: device, .peerLocked(false)) }
    try notifyLaunch(of: device, true)
    try notifyPeer(of: device, .peer(isRunning: true))
  }

  /// Reports to the peer of an app that messages launch whether they do so now.
  mutating func notifyLaunch(of device: Int, _ isOn: Bool) throws(NodeFailure) {
    guard let launch = exchange.devices[device].launch, launch.isKnownToPeer != isOn else { return }
    exchange.devices[device].launch?.isKnownToPeer = isOn
    try notifyPeer(of: device, .messagesLaunchPeer(isOn))
  }

  private func peerLearnsOfLock(of device: Int) -> Bool {
    exchange.devices[device].peer.map { exchange.devices[$0.device].learnsOfLock } ?? false
  }

  private mutating func scheduleAbsenceNotice(of device: Int) {
    guard let peer = exchange.devices[device].peer else { return }
    let wait =
      peerNoticesBriefAbsence(of: device) ? .zero : exchange.links[peer.link].medium.profile.supervision
    self[device].scheduleAbsenceNotice(at: now + wait)
  }

  /// Whether a quirk has the device's peer notice an absence that is shorter than the supervision time.
  private func peerNoticesBriefAbsence(of device: Int) -> Bool {
    exchange.devices[device].peer.map { self[$0.device].conditions.has(.reachabilityRiseLost) } ?? false
  }

  /// Notices at its end that a device's app was away.
  private mutating func noticeAbsence(of device: Int) throws(NodeFailure) {
    guard self[device].popAbsenceNotice(at: .distantFuture) else { return }
    try notifyPeer(of: device, .peer(isRunning: false))
  }

  /// Sends notices of dead apps, and suspends woken ones again.
  mutating func sendNotices() throws(NodeFailure) {
    for device in exchange.devices.indices {
      if self[device].popAbsenceNotice(at: now) {
        if self[device].isLocked {
          if peerLearnsOfLock(of: device) { try notifyPeer(of: device, .peerLocked(true)) }
          try notifyLaunch(of: device, false)
        }
        try notifyPeer(of: device, .peer(isRunning: false))
      }
      guard let at = self[device].sleepAt, at <= now else { continue }
      if exchange.platform?.hasTask(exchange.devices[device].role) == true {
        // After its last task.
        self[device].lastInput = now
      } else {
        try putToSleep(device, cause: "idle")
      }
    }
  }
}
