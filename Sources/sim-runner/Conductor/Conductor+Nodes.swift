import Link
import LinkTransport

extension Conductor {
  // MARK: What is known of a node

  /// The status of a node; that of the edge, which is up during the whole run, never changes.
  ///
  /// Mutating, so that the conductor is not copied.
  mutating func status(_ role: NodeRole) -> NodeStatus {
    switch role {
    case .watch: watchStatus
    case .phone: phoneStatus
    case .edge: NodeStatus()
    }
  }

  mutating func setStatus(_ role: NodeRole, _ change: (inout NodeStatus) -> Void) {
    switch role {
    case .watch: change(&watchStatus)
    case .phone: change(&phoneStatus)
    case .edge: preconditionFailure("something happened to the edge")
    }
  }

  /// The fault to blame for a lost frame: the first active one.
  ///
  /// Mutating, like ``status(_:)``.
  mutating func blame(_ indices: [Int?]) -> String? {
    for case let index? in indices where faults.active.contains(index) { return faults.plan[index].id }
    return nil
  }

  /// Whether a node has its own timers, so that it may send for as long as it gets grants.
  func isFreeRunning(_ role: NodeRole) -> Bool { role == .watch ? watch.isFreeRunning : phone.isFreeRunning }

  /// Whether a node is a user's app.
  func isApp(_ role: NodeRole) -> Bool { role == .watch ? watch.isApp : phone.isApp }

  // MARK: Orders of faults

  mutating func carryOut(_ order: NodeOrder, on role: NodeRole, by index: Int) throws(NodeFailure) {
    switch order {
    case .kill(let cause, let point?, let restartAfter):
      setStatus(role) {
        $0.armed.append(NodeStatus.Armed(fault: index, cause: cause, point: point, restartAfter: restartAfter))
      }
      try armPoints(of: role)
    case .kill(let cause, nil, let restartAfter):
      faults.keepActive(index)
      guard case .node(let fault) = faults.plan[index].body else { preconditionFailure("not a fault of a node") }
      if fault.locksDevice { setStatus(role) { $0.isLocked = true } }
      bringDown(role, [(index, restartAfter)], cause: cause, point: nil)
      if fault.losesPower { try cutPower(of: role, by: index) }
    case .suspend(let wakes):
      setStatus(role) { $0.sleeps.append(NodeStatus.Sleep(fault: index, wakes: wakes)) }
      try putToSleep(role, cause: SuspendFault.kind)
    case .skewClock(let offset, let driftPPM):
      let now = now
      setStatus(role) {
        $0.skews.append(NodeStatus.Skew(fault: index, offset: offset, driftPPM: driftPPM, since: now))
      }
      try notify(role, status(role).clock(at: now))
    case .fillDisk:
      setStatus(role) { $0.fills.append(index) }
      if status(role).fills.count == 1 { try notify(role, .disk(isFull: true)) }
    case .hideApp:
      setStatus(role) { $0.hides.append(index) }
      if status(role).hides.count == 1 { try notify(role.peer, .peerInstalled(false)) }
    case .impose(let quirk, let error):
      let isOn = status(role).has(quirk)
      setStatus(role) { $0.quirks.append(NodeStatus.Quirk(fault: index, quirk: quirk, error: error)) }
      if !isOn { try notify(role, .quirk(quirk, isOn: true, error: error)) }
    case .failSends(let failures):
      setStatus(role) { $0.sendFailures.append((index, failures)) }
      try notify(role, .sendsFail(failures))
    }
  }

  mutating func revoke(_ order: NodeOrder, on role: NodeRole, by index: Int) throws(NodeFailure) {
    switch order {
    case .kill:
      guard status(role).armed.contains(where: { $0.fault == index }) else { return }
      setStatus(role) { $0.armed.removeAll { $0.fault == index } }
      try armPoints(of: role)
    case .suspend:
      setStatus(role) { $0.sleeps.removeAll { $0.fault == index } }
      if status(role).sleeps.isEmpty {
        try wake(role, cause: "ended")
      } else {
        try notifyPresence(role)
      }
    case .skewClock:
      setStatus(role) { $0.skews.removeAll { $0.fault == index } }
      try notify(role, status(role).clock(at: now))
    case .fillDisk:
      setStatus(role) { $0.fills.removeAll { $0 == index } }
      if status(role).fills.isEmpty { try notify(role, .disk(isFull: false)) }
    case .hideApp:
      setStatus(role) { $0.hides.removeAll { $0 == index } }
      if status(role).hides.isEmpty { try notify(role.peer, .peerInstalled(true)) }
    case .impose(let quirk, _):
      setStatus(role) { $0.quirks.removeAll { $0.fault == index } }
      if !status(role).has(quirk) { try notify(role, .quirk(quirk, isOn: false)) }
    case .failSends:
      setStatus(role) { $0.sendFailures.removeAll { $0.fault == index } }
      try notify(role, .sendsFail(status(role).sendFailures.last?.failures))
    }
  }

  /// Notifies a node of a condition of its device or its peer; one that is down learns it when it starts.
  mutating func notify(_ role: NodeRole, _ condition: NodeCondition) throws(NodeFailure) {
    guard status(role).isUp else { return }
    try grant(.condition(condition), to: role)
  }

  private mutating func armPoints(of role: NodeRole) throws(NodeFailure) {
    guard status(role).isUp else { return }
    let points = status(role).armed.map(\.point)
    if role == .watch { try watch.arm(points) } else { try phone.arm(points) }
  }

  // MARK: Death and start

  /// Triggers the faults that wait for a node's crash point.
  mutating func triggerFaults(of role: NodeRole, at point: CrashPoint) {
    let struck = status(role).armed.filter { $0.point == point }
    setStatus(role) { $0.armed.removeAll { $0.point == point } }
    for entry in struck { faults.keepActive(entry.fault) }
    bringDown(
      role, struck.map { ($0.fault, $0.restartAfter) }, cause: struck.first?.cause ?? KillFault.kind, point: point)
  }

  /// Schedules the restart of a node that was killed from outside, even after the healing.
  mutating func recordDeath(of role: NodeRole) {
    let until = now + NodeProcess.recovery
    setStatus(role) { $0.downs.append(NodeStatus.Down(fault: nil, until: until)) }
    recordDown(role, cause: "signal", point: nil)
  }

  /// Kills a node, or adds a reason to keep it down.
  private mutating func bringDown(
    _ role: NodeRole, _ faults: [(index: Int, restartAfter: VirtualTime.Span?)], cause: String, point: CrashPoint?
  ) {
    for fault in faults {
      let until = fault.restartAfter.map { now + $0 }
      setStatus(role) { $0.downs.append(NodeStatus.Down(fault: fault.index, until: until)) }
    }
    guard status(role).isUp else { return }
    if role == .watch { watch.kill() } else { phone.kill() }
    recordDown(role, cause: cause, point: point)
  }

  /// Lets a device that is down lose what its store had not synced.
  private mutating func cutPower(of role: NodeRole, by index: Int) throws(NodeFailure) {
    let draw = RandomStream(seed: drawSeed, name: "power.\(faults.plan[index].id)").bits(
      for: UInt64(status(role).epoch.rawValue))
    let loss = role == .watch ? try watch.losePower(draw: draw) : try phone.losePower(draw: draw)
    record("power.lost", on: .runner) {
      [
        .init("target", .string(role.text)), .init("unsynced", .int(Int64(loss.unsynced))),
        .init("lost", .int(Int64(loss.lost))),
      ]
    }
  }

  private mutating func recordDown(_ role: NodeRole, cause: String, point: CrashPoint?) {
    setStatus(role) {
      $0.isUp = false
      $0.isAsleep = false
    }
    record("node.killed", on: .runner) {
      var fields: [TraceEvent.Field] = [.init("target", .string(role.text)), .init("cause", .string(cause))]
      if let point { fields.append(.init("point", .string(point.name))) }
      return fields
    }
    scheduleAbsenceNotice(of: role)
  }

  /// Ends expired reasons, and starts the nodes that nothing keeps down any more.
  mutating func restartNodes() throws(NodeFailure) {
    for role in [NodeRole.watch, .phone] {
      guard let at = status(role).restartAt, at <= now else { continue }
      let now = now
      let over = status(role).downs.filter { $0.until.map { $0 <= now } ?? false }
      setStatus(role) { $0.downs.removeAll { $0.until.map { $0 <= now } ?? false } }
      if status(role).downs.isEmpty { try start(role) }
      for index in over.compactMap(\.fault) {
        if faults.finish(index) { try end(index) }
      }
    }
  }

  // MARK: Launching

  /// Whether a message that arrives at a phone whose app is dead launches it.
  ///
  /// False for a copy that an earlier start may have received, for a locked phone, and after the end of a run.
  func mayLaunch(by arrival: Arrival) -> Bool {
    !isHealed && !phoneStatus.isLocked && arrival.id > lastMessageToPhone
      && phoneStatus.downs.allSatisfy { $0.fault != nil }
  }

  /// Starts the phone's app for a message.
  mutating func launchPhone() throws(NodeFailure) { try launch(.phone, cause: "message") }

  /// Starts an app because its user opens it.
  mutating func launchForAct(_ role: NodeRole) throws(NodeFailure) { try launch(role, cause: "act") }

  /// Starts an app, and drops all reasons to keep it down.
  private mutating func launch(_ role: NodeRole, cause: String) throws(NodeFailure) {
    let over = status(role).downs.compactMap(\.fault)
    setStatus(role) { $0.downs = [] }
    record("node.restarted", on: .runner) { [.init("target", .string(role.text)), .init("cause", .string(cause))] }
    try start(role, isLaunch: cause == "message")
    for index in over where faults.finish(index) { try end(index) }
  }

  /// Reports to the watch whether its messages launch the phone's app.
  mutating func notifyLaunch(_ isOn: Bool) throws(NodeFailure) {
    guard launchesPhone, isOn != watchKnowsOfLaunch else { return }
    watchKnowsOfLaunch = isOn
    try notify(.watch, .messagesLaunchPeer(isOn))
  }

  private mutating func start(_ role: NodeRole, isLaunch: Bool = false) throws(NodeFailure) {
    let epoch = role == .watch ? try watch.start(at: now) : try phone.start(at: now)
    let now = now
    setStatus(role) {
      $0.isUp = true
      $0.isLocked = false
      $0.epoch = epoch
      $0.lastInput = now
    }
    recordStart(of: role, cause: "restart")
    try armPoints(of: role)
    let own = status(role)
    let peer = status(role.peer)
    if !own.skews.isEmpty { inputs.append(.condition(own.clock(at: now))) }
    if !own.fills.isEmpty { inputs.append(.condition(.disk(isFull: true))) }
    if !peer.hides.isEmpty { inputs.append(.condition(.peerInstalled(false))) }
    if !peer.isPeerNotified {
      if peer.isLocked, learnsOfLock(role) { inputs.append(.condition(.peerLocked(true))) }
      inputs.append(.condition(.peer(isRunning: false)))
    }
    for quirk in SessionQuirk.allCases {
      guard let imposed = own.quirks.first(where: { $0.quirk == quirk }) else { continue }
      inputs.append(.condition(.quirk(quirk, isOn: true, error: imposed.error)))
    }
    if let failures = own.sendFailures.last?.failures { inputs.append(.condition(.sendsFail(failures))) }
    if watchKnowsOfLaunch, role == .watch { inputs.append(.condition(.messagesLaunchPeer(true))) }
    if isLaunch { inputs.append(.condition(.launchedByMessage)) }
    if isHealed, isApp(role) { inputs.append(.condition(.runEnds)) }
    // The believed state of the radio; the first notice also delivers what the inbox stored.
    inputs.append(.link(isUp: notice.believedUp))
    if hasEdge, role == .phone { inputs.append(.uplink(isUp: uplinkNotice.believedUp)) }
    for act in takeActs(for: role) { inputs.append(.command(act)) }
    try grantInputs(to: role)
    if status(role).isUp { try notifyPresence(role) }
  }

  mutating func recordStart(of role: NodeRole, cause: String) {
    let epoch = status(role).epoch
    record(.nodeStarted, on: .runner) {
      [
        .init("target", .string(role.text)), .init("epoch", .int(Int64(epoch.rawValue))),
        .init("cause", .string(cause)),
      ]
    }
  }

  // MARK: Sleep

  private mutating func putToSleep(_ role: NodeRole, cause: String) throws(NodeFailure) {
    guard status(role).isUp else { return }
    guard !status(role).isAsleep else { return try notifyPresence(role) }
    setStatus(role) { $0.isAsleep = true }
    record("node.suspended", on: .runner) {
      [.init("target", .string(role.text)), .init("cause", .string(cause))]
    }
    try notify(role, .suspended)
    if status(role).isUp { try notifyPresence(role) }
  }

  /// Wakes a sleeping node; no effect on others.
  mutating func wake(_ role: NodeRole, cause: String) throws(NodeFailure) {
    guard status(role).isUp, status(role).isAsleep else { return }
    setStatus(role) { $0.isAsleep = false }
    record("node.resumed", on: .runner) {
      [.init("target", .string(role.text)), .init("cause", .string(cause))]
    }
    try notify(role, .resumed)
    if status(role).isUp { try notifyPresence(role) }
  }

  /// Prepares a node for a command: a sleeping one is woken.
  ///
  /// - Returns: False after recording that the command is dropped because the node is down.
  mutating func makeReady(_ role: NodeRole, for command: NodeCommand) throws(NodeFailure) -> Bool {
    try wake(role, cause: "command")
    guard !status(role).isUp else { return true }
    record("command.dropped", on: .runner) {
      [
        .init("target", .string(role.text)), .init("kind", .string(command.name)),
        .init("why", .string("the \(role.text) is down")),
      ]
    }
    return false
  }

  // MARK: What the counterpart learns

  /// The peer learns of an app that cannot answer as late as of a cut link, and of its return at once.
  private mutating func notifyPresence(_ role: NodeRole) throws(NodeFailure) {
    guard status(role).isThere else { return scheduleAbsenceNotice(of: role) }
    setStatus(role) { $0.noticeAt = nil }
    guard !status(role).isPeerNotified else { return }
    setStatus(role) { $0.isPeerNotified = true }
    if learnsOfLock(role.peer) { try notify(role.peer, .peerLocked(false)) }
    if role == .phone { try notifyLaunch(true) }
    try notify(role.peer, .peer(isRunning: true))
  }

  /// Whether the node is a watch whose app may ask why its phone is unreachable.
  private func learnsOfLock(_ role: NodeRole) -> Bool { role == .watch && watch.isApp }

  private mutating func scheduleAbsenceNotice(of role: NodeRole) {
    guard status(role).isPeerNotified, status(role).noticeAt == nil else { return }
    let at = now + supervision
    setStatus(role) { $0.noticeAt = at }
  }

  /// Sends notices of dead apps, and suspends woken ones again.
  mutating func sendNotices() throws(NodeFailure) {
    for role in [NodeRole.watch, .phone] {
      if let at = status(role).noticeAt, at <= now {
        setStatus(role) {
          $0.noticeAt = nil
          $0.isPeerNotified = false
        }
        if status(role).isLocked, learnsOfLock(role.peer) { try notify(role.peer, .peerLocked(true)) }
        if role == .phone, status(role).isLocked { try notifyLaunch(false) }
        try notify(role.peer, .peer(isRunning: false))
      }
      if let at = status(role).sleepAt, at <= now { try putToSleep(role, cause: "idle") }
    }
  }
}
