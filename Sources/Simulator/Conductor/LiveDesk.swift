import Link
import LinkTransport

/// Carries out users' controls of a running run.
struct LiveDesk {
  let controls: any LiveControls
  /// Controls for the instant that is handled next.
  private var orders: [LiveOrder] = []
  var hasOrders: Bool { !orders.isEmpty }
  /// The instant that the run had reached when the user stopped it; nil before that.
  private(set) var stoppedAt: VirtualTime?

  init(_ controls: any LiveControls) { self.controls = controls }

  /// Waits until it is time for the next instant, or until a control arrives.
  ///
  /// - Returns: The instant to handle: `next`, or an earlier one of a control; nil to stop.
  mutating func wait(from now: VirtualTime, to next: VirtualTime) -> VirtualTime? {
    switch controls.wait(from: now, to: next) {
    case .advance: return next
    case .stop(let at):
      stoppedAt = at
      return nil
    case .order(let order, let at):
      precondition(at > now && at <= next, "an order for \(at) between \(now) and \(next)")
      orders.append(order)
      return at
    }
  }

  /// Carries out the controls for this instant, before anything else.
  ///
  /// Each is recorded as `control`; faults that it begins or ends are then handled like planned ones.
  mutating func carryOutDue(in world: inout World, _ commands: inout CommandQueue) {
    let taken = orders
    orders.removeAll()
    for order in taken {
      let outcome = carryOut(order, &world, &commands)
      world.exchange.log.record(ControlGiven.self) {
        $0.by = order.origin.rawValue
        $0.command = order.command
        $0.effect = outcome.effect
        $0.fault = outcome.fault
        $0.refused = outcome.isRefused ? true : nil
      }
      controls.carriedOut(order, outcome, plan: world.faults.plan)
    }
  }

  private func carryOut(_ order: LiveOrder, _ world: inout World, _ commands: inout CommandQueue) -> LiveOutcome {
    if case .record(let effect) = order.action { return LiveOutcome(time: world.now, effect: effect) }
    guard !world.isHealed else { return refusal("the run is over and its queues drain: faults have ended", world) }
    switch order.action {
    case .begin(let fault): return begin(fault, &world)
    case .end(let id):
      guard let index = world.faults.active.first(where: { world.faults.plan[$0].id == id }) else {
        return refusal("no fault with the id \"\(id)\" is on", world)
      }
      return end([index], &world)
    case .restore(let onUplink):
      let cuts = cutsThatAreOn(onUplink: onUplink, world)
      guard !cuts.isEmpty else { return refusal("the \(onUplink ? "uplink" : "link") is not cut", world) }
      return end(cuts, &world)
    case .restart(let role): return restart(role, &world)
    case .act(let act):
      guard world.exchange.devices[world.device(act.role)].host.isApp else {
        return refusal("the \(act.role.text) is built in: acts are for apps", world)
      }
      commands.prepend(
        DeviceCommand(at: world.now, role: act.role, command: act.command, launches: act.launches))
      return LiveOutcome(time: world.now, effect: "\(act.name) on the \(act.role.text)")
    case .record: preconditionFailure("a recorded control is not carried out")
    }
  }

  private func refusal(_ why: String, _ world: World) -> LiveOutcome {
    LiveOutcome(time: world.now, effect: why, isRefused: true)
  }

  private func begin(_ wanted: PlannedFault, _ world: inout World) -> LiveOutcome {
    if case .world(let fault) = wanted.body, fault is DisconnectFault, wanted.end == nil,
      !cutsThatAreOn(onUplink: wanted.isOnUplink, world).isEmpty
    {
      return refusal("the \(wanted.isOnUplink ? "uplink" : "link") is cut already", world)
    }
    var fault = wanted
    let length = wanted.end.map { $0 - wanted.begin }
    fault.begin = world.now
    fault.end = length.map { world.now + $0 }
    var number = 1
    while world.faults.plan.contains(where: { $0.id == "live-\(number)" }) { number += 1 }
    fault.id = "live-\(number)"
    world.faults.add(fault)
    return LiveOutcome(time: world.now, effect: Self.words(of: fault), fault: fault.id)
  }

  /// A short description of what a fault does.
  private static func words(of fault: PlannedFault) -> String {
    let until = fault.end.map { " for \(DurationText.text($0 - fault.begin))" } ?? ""
    if case .node(let body) = fault.body {
      if let kill = body as? KillFault, kill.point == nil {
        return "\(kill.node.text) killed" + (kill.restartAfter.map { " for \(DurationText.text($0))" } ?? "")
      }
      return "\(fault.kind) of the \(body.node.text)\(until)"
    }
    return "\(fault.isOnUplink ? "uplink " : "")\(fault.kind)\(until)"
  }

  /// The open-ended cuts of a link, in plan order.
  private func cutsThatAreOn(onUplink: Bool, _ world: World) -> [Int] {
    world.faults.active.filter { index in
      let planned = world.faults.plan[index]
      guard planned.isOnUplink == onUplink, case .world = planned.body else { return false }
      return true
    }
  }

  private func end(_ indices: [Int], _ world: inout World) -> LiveOutcome {
    var ended: [String] = []
    for index in indices {
      let planned = world.faults.plan[index]
      if case .node(let fault) = planned.body, fault.kills {
        guard releaseKill(of: index, on: world.device(fault.node), &world) else {
          return refusal("\(planned.id) was a kill of another kind: its app starts by its plan", world)
        }
      } else {
        world.faults.cease(index, at: world.now)
      }
      ended.append(planned.id)
    }
    return LiveOutcome(
      time: world.now, effect: "\(ended.joined(separator: ", ")) \(ended.count == 1 ? "ends" : "end")")
  }

  private func restart(_ wanted: NodeRole?, _ world: inout World) -> LiveOutcome {
    let down = world.exchange.devices.indices.filter { device in
      !world[device].isUp && (wanted.map { $0 == world.exchange.devices[device].role } ?? true)
    }
    guard !down.isEmpty else {
      return refusal("\(wanted.map { "the \($0.text)" } ?? "every app") is running", world)
    }
    let roles = down.map { world.exchange.devices[$0].role.text }
    for (device, role) in zip(down, roles) {
      for case let index? in world[device].downs.map(\.fault) where !releaseKill(of: index, on: device, &world) {
        return refusal("the \(role) starts by the plan of \(world.faults.plan[index].id)", world)
      }
    }
    return LiveOutcome(time: world.now, effect: "\(roles.joined(separator: " and ")) restarted")
  }

  /// Ends the effect of a plain kill; false for a kill of another kind.
  private func releaseKill(of index: Int, on device: Int, _ world: inout World) -> Bool {
    let planned = world.faults.plan[index]
    guard case .node(let fault) = planned.body, var kill = fault as? KillFault, kill.point == nil else { return false }
    kill.restartAfter = world.now - planned.begin
    world.faults.replace(index, .node(kill))
    world[device].releaseKill(of: index, at: world.now)
    return true
  }
}
