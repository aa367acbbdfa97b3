import Link
import LinkTransport

extension Conductor {
  /// Carries out all due steps of faults.
  mutating func carryOutFaults() throws(NodeFailure) {
    while let step = faults.popDue(at: now) {
      switch step.what {
      case .begin: try begin(step.index)
      case .order(.cutLink): cut(by: step.index)
      case .order(.restoreLink): restore(by: step.index)
      case .end: try end(step.index)
      }
    }
  }

  /// Draws everything on the links from other streams from now on.
  mutating func redrawLinks(_ redraw: Redraw) {
    self.redraw = nil
    drawSeed = redraw.seed(drawSeed)
    medium.redraw(salt: redraw.salt)
    uplink.redraw(salt: redraw.salt)
    notice.redraw(salt: redraw.salt)
    uplinkNotice.redraw(salt: redraw.salt)
  }

  private mutating func begin(_ index: Int) throws(NodeFailure) {
    let planned = faults.plan[index]
    record(.faultBegin, on: planned.place) {
      [
        .init("fault", .string(planned.id)), .init("kind", .string(planned.kind)),
        .init("params", .json(planned.paramsText)),
      ]
    }
    switch planned.body {
    case .frame(let fault) where planned.isOnUplink: uplink.begin(planned, fault, index: index, seed: drawSeed)
    case .frame(let fault): medium.begin(planned, fault, index: index, seed: drawSeed)
    case .world: break  // It gives its orders one by one.
    case .node(let fault): try carryOut(fault.order, on: fault.node, by: index)
    }
  }

  /// Ends a fault and its effects.
  mutating func end(_ index: Int) throws(NodeFailure) {
    let planned = faults.plan[index]
    switch planned.body {
    case .frame where planned.isOnUplink: uplink.end(index: index, at: now)
    case .frame: medium.end(index: index, at: now)
    case .world: restore(by: index)
    case .node(let fault): try revoke(fault.order, on: fault.node, by: index)
    }
    record(.faultEnd, on: planned.place) {
      [.init("fault", .string(planned.id)), .init("kind", .string(planned.kind))]
    }
  }

  private mutating func cut(by index: Int) {
    guard !faults.plan[index].isOnUplink else { return cutUplink(by: index) }
    guard !cutting.contains(index) else { return }
    cutting.append(index)
    let id = faults.plan[index].id
    guard medium.cutLink(by: id) else { return }
    notice.cut(at: now)
    record(.linkDown, on: .link) { [.init("cause", .string(id))] }
  }

  private mutating func restore(by index: Int) {
    guard !faults.plan[index].isOnUplink else { return restoreUplink(by: index) }
    guard let position = cutting.firstIndex(of: index) else { return }
    cutting.remove(at: position)
    let id = faults.plan[index].id
    guard medium.restoreLink(by: id) else { return }
    notice.restore(at: now)
    record(.linkUp, on: .link) { [.init("cause", .string(id))] }
  }

  /// Cuts or restores the link when the phone's watch is unpaired or paired.
  mutating func setPairing(_ isPaired: Bool) {
    guard isPaired != self.isPaired else { return }
    self.isPaired = isPaired
    if isPaired {
      guard medium.restoreLink() else { return }
      notice.restore(at: now)
      record(.linkUp, on: .link) { [.init("cause", .string("paired"))] }
    } else {
      guard medium.cutLink() else { return }
      notice.cut(at: now)
      record(.linkDown, on: .link) { [.init("cause", .string("unpaired"))] }
    }
  }

  private mutating func cutUplink(by index: Int) {
    guard !uplinkCutting.contains(index) else { return }
    uplinkCutting.append(index)
    let id = faults.plan[index].id
    guard uplink.cutLink(by: id) else { return }
    uplinkNotice.cut(at: now)
    record(.linkDown, on: .uplink) { [.init("cause", .string(id))] }
  }

  private mutating func restoreUplink(by index: Int) {
    guard let position = uplinkCutting.firstIndex(of: index) else { return }
    uplinkCutting.remove(at: position)
    let id = faults.plan[index].id
    guard uplink.restoreLink(by: id) else { return }
    uplinkNotice.restore(at: now)
    record(.linkUp, on: .uplink) { [.init("cause", .string(id))] }
  }

  /// Whether another of several workouts may still start.
  private var mayStillStart: Bool { lastStart > .start && !startedByPhone.isOver }

  /// Ends every fault; from now on no node is restarted by a fault, and the queues drain.
  mutating func heal() throws(NodeFailure) {
    for index in faults.endAll() { try end(index) }
    for role in [NodeRole.watch, .phone] { setStatus(role) { $0.giveUpRestarts() } }
    isHealed = true
    dropWaitingActs()
    beginDrain()
    watch.receiveHealed(at: now)
    phone.receiveHealed(at: now)
    record(.healed, on: .runner) { [] }
    for role in [NodeRole.watch, .phone] where isApp(role) { try notify(role, .runEnds) }
    if isFreeRunning(.watch) || isFreeRunning(.phone) { owedAtEnd = sink.outstanding }
    commands = commands.isEmpty ? commands : commands.prefix(0)
    let cause = "{\"cause\":\"duration\"}"
    if observesWorkouts ? startedByPhone.isOnWatch || mayStillStart : !watch.isWorkoutOver {
      commands = [Command(at: now, role: .watch, command: NodeCommand("end", arguments: cause))]
    }
    if !isPaired {
      commands.append(Command(at: now, role: .phone, command: NodeCommand(Scenario.TimedCommand.pairWatch)))
    }
    if startsByPhone {
      commands.append(Command(at: now, role: .phone, command: NodeCommand("endWorkout", arguments: cause)))
    }
  }
}

extension NodeStatus {
  /// Leaves nodes down for good, except one that died without a fault of the plan, which comes back.
  mutating func giveUpRestarts() {
    for index in downs.indices where downs[index].fault != nil { downs[index].until = nil }
  }
}
