import Link
import LinkTransport

/// Begins and ends the faults of a run's schedule.
struct FaultDriver {
  /// The seed of faults that begin.
  private let seed: UInt64

  init(seed: UInt64) { self.seed = seed }

  /// Carries out all due steps.
  func carryOutDue(in world: inout World) throws(NodeFailure) {
    while let step = world.faults.popDue(at: world.now) {
      switch step.what {
      case .begin: try begin(step.index, in: &world)
      case .order(.cutLink): cut(by: step.index, in: &world)
      case .order(.restoreLink): restore(by: step.index, in: &world)
      case .end: try end(step.index, in: &world)
      }
    }
  }

  /// Ends every fault for good; from now on no node is restarted by one.
  func endAll(in world: inout World) throws(NodeFailure) {
    for index in world.faults.endAll() { try end(index, in: &world) }
    for device in world.exchange.devices.indices { world[device].giveUpRestarts() }
  }

  private func begin(_ index: Int, in world: inout World) throws(NodeFailure) {
    let planned = world.faults.plan[index]
    world.exchange.log.record(FaultBegan.self, on: planned.place) {
      $0.fault = planned.id
      $0.kind = planned.kind
      $0.params = JSONText(planned.paramsText)
    }
    switch planned.body {
    case .frame(let fault):
      world.exchange.withLink(at: planned.place) { $0.medium.begin(planned, fault, index: index, seed: seed) }
    case .world: break  // It gives its orders one by one.
    case .node(let fault): try begin(fault, by: index, in: &world)
    }
  }

  private func end(_ index: Int, in world: inout World) throws(NodeFailure) {
    let planned = world.faults.plan[index]
    switch planned.body {
    case .frame:
      let now = world.now
      world.exchange.withLink(at: planned.place) { $0.medium.end(index: index, at: now) }
    case .world: restore(by: index, in: &world)
    case .node(let fault): try end(fault, by: index, in: &world)
    }
    world.recordEnd(of: index)
  }

  // MARK: Links

  private func cut(by index: Int, in world: inout World) {
    let (planned, now) = (world.faults.plan[index], world.now)
    world.exchange.changeLink(at: planned.place, isUp: false, cause: planned.id) {
      $0.cut(by: index, planned.id, at: now)
    }
  }

  private func restore(by index: Int, in world: inout World) {
    let (planned, now) = (world.faults.plan[index], world.now)
    world.exchange.changeLink(at: planned.place, isUp: true, cause: planned.id) {
      $0.restore(by: index, planned.id, at: now)
    }
  }

  // MARK: Devices

  private func begin(_ fault: any NodeFault, by index: Int, in world: inout World) throws(NodeFailure) {
    let device = world.device(fault.node)
    for order in fault.orders {
      switch order {
      case .kill(let cause, let point?, let restartAfter):
        world[device].armed.append(
          NodeStatus.Armed(fault: index, cause: cause, point: point, restartAfter: restartAfter))
        try world.exchange.devices[device].armPoints()
      case .kill(let cause, nil, let restartAfter):
        world.faults.keepActive(index)
        if fault.locksDevice { world[device].isLocked = true }
        world.bringDown(device, [(index, restartAfter)], cause: cause)
        if fault.losesPower { try cutPower(of: device, by: index, in: &world) }
      case .suspend(let wakes):
        world[device].sleeps.append(NodeStatus.Sleep(fault: index, wakes: wakes))
        try world.putToSleep(device, cause: SuspendFault.kind)
      case .skewClock, .fillDisk, .hideApp, .impose, .failSends:
        try world.notify(world[device].conditions.begin(order, by: index, at: world.now), about: device)
      case .spoilHealth(let flaw): world.exchange.setHealth(flaw, isOn: true, of: device)
      case .spoilSystem(let flaw): world.exchange.setSystem(flaw, isOn: true, of: device)
      }
    }
  }

  private func end(_ fault: any NodeFault, by index: Int, in world: inout World) throws(NodeFailure) {
    let device = world.device(fault.node)
    for order in fault.orders {
      switch order {
      case .kill:
        guard world[device].armed.contains(where: { $0.fault == index }) else { continue }
        world[device].armed.removeAll { $0.fault == index }
        try world.exchange.devices[device].armPoints()
      case .suspend:
        world[device].sleeps.removeAll { $0.fault == index }
        if world[device].sleeps.isEmpty {
          try world.wake(device, cause: "ended", inBackground: false)
        } else {
          try world.notifyPresence(of: device)
        }
      case .spoilHealth(let flaw): world.exchange.setHealth(flaw, isOn: false, of: device)
      case .spoilSystem(let flaw): world.exchange.setSystem(flaw, isOn: false, of: device)
      case .skewClock, .fillDisk, .hideApp, .impose, .failSends: break
      }
    }
    try world.endConditions(of: fault, by: index)
  }

  /// Lets a device that is down lose what its store had not synced.
  private func cutPower(of device: Int, by index: Int, in world: inout World) throws(NodeFailure) {
    let draw = RandomStream(seed: seed, name: "power.\(world.faults.plan[index].id)").bits(
      for: UInt64(world[device].epoch.rawValue))
    let loss = try world.exchange.devices[device].losePower(draw: draw)
    world.exchange.log.record(PowerLost.self, of: world.exchange.devices[device].role) {
      $0.unsynced = Int64(loss.unsynced)
      $0.lost = Int64(loss.lost)
    }
  }
}
