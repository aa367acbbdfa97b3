import Link
import LinkTransport

extension Conductor {
  /// Carries out users' controls for this instant, before anything else.
  ///
  /// Each is recorded as `control`; faults that it begins or ends are then handled like planned ones.
  mutating func carryOutControls() {
    let taken = orders
    orders.removeAll()
    for order in taken {
      let outcome = carryOut(order)
      record("control", on: .runner) {
        var fields: [TraceEvent.Field] = [
          .init("by", .string(order.origin.rawValue)), .init("command", .string(order.command)),
          .init("effect", .string(outcome.effect)),
        ]
        if let fault = outcome.fault { fields.append(.init("fault", .string(fault))) }
        if outcome.isRefused { fields.append(.init("refused", .bool(true))) }
        return fields
      }
      live?.carriedOut(order, outcome, plan: faults.plan)
    }
  }

  private mutating func carryOut(_ order: LiveOrder) -> LiveOutcome {
    if case .record(let effect) = order.action { return LiveOutcome(time: now, effect: effect) }
    guard !isHealed else { return refusal("the run is over and its queues drain: faults have ended") }
    switch order.action {
    case .begin(let fault): return begin(fault)
    case .end(let id):
      guard let index = faults.active.first(where: { faults.plan[$0].id == id }) else {
        return refusal("no fault with the id \"\(id)\" is on")
      }
      return end([index])
    case .restore(let onUplink):
      let cuts = cutsThatAreOn(onUplink: onUplink)
      guard !cuts.isEmpty else { return refusal("the \(onUplink ? "uplink" : "link") is not cut") }
      return end(cuts)
    case .restart(let role): return restart(role)
    case .act(let act): return queueAct(act)
    case .record: preconditionFailure("a recorded control is not carried out")
    }
  }

  private func refusal(_ why: String) -> LiveOutcome { LiveOutcome(time: now, effect: why, isRefused: true) }

  private mutating func begin(_ wanted: PlannedFault) -> LiveOutcome {
    if case .world(let fault) = wanted.body, fault is DisconnectFault, !wanted.isOnUplink || hasEdge,
      wanted.end == nil, !cutsThatAreOn(onUplink: wanted.isOnUplink).isEmpty
    {
      return refusal("the \(wanted.isOnUplink ? "uplink" : "link") is cut already")
    }
    var fault = wanted
    let length = wanted.end.map { $0 - wanted.begin }
    fault.begin = now
    fault.end = length.map { now + $0 }
    var number = 1
    while faults.plan.contains(where: { $0.id == "live-\(number)" }) { number += 1 }
    fault.id = "live-\(number)"
    faults.add(fault)
    return LiveOutcome(time: now, effect: Self.words(of: fault), fault: fault.id)
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
  private func cutsThatAreOn(onUplink: Bool) -> [Int] {
    faults.active.filter { index in
      let planned = faults.plan[index]
      guard planned.isOnUplink == onUplink, case .world = planned.body else { return false }
      return true
    }
  }

  private mutating func end(_ indices: [Int]) -> LiveOutcome {
    var ended: [String] = []
    for index in indices {
      let planned = faults.plan[index]
      if case .node(let fault) = planned.body, case .kill = fault.order {
        guard releaseKill(of: index, on: fault.node) else {
          return refusal("\(planned.id) was a kill of another kind: its app starts by its plan")
        }
      } else {
        faults.cease(index, at: now)
      }
      ended.append(planned.id)
    }
    return LiveOutcome(time: now, effect: "\(ended.joined(separator: ", ")) \(ended.count == 1 ? "ends" : "end")")
  }

  private mutating func restart(_ wanted: NodeRole?) -> LiveOutcome {
    let roles = [NodeRole.watch, .phone].filter { role in
      !status(role).isUp && (wanted.map { $0 == role } ?? true)
    }
    guard !roles.isEmpty else { return refusal("\(wanted.map { "the \($0.text)" } ?? "every app") is running") }
    for role in roles {
      for down in status(role).downs {
        guard let index = down.fault else { continue }
        guard releaseKill(of: index, on: role) else {
          return refusal("the \(role.text) starts by the plan of \(faults.plan[index].id)")
        }
      }
    }
    return LiveOutcome(time: now, effect: "\(roles.map(\.text).joined(separator: " and ")) restarted")
  }

  /// Ends the effect of a plain kill; false for a kill of another kind.
  private mutating func releaseKill(of index: Int, on role: NodeRole) -> Bool {
    let planned = faults.plan[index]
    guard case .node(let fault) = planned.body, var kill = fault as? KillFault, kill.point == nil else { return false }
    kill.restartAfter = now - planned.begin
    faults.replace(index, .node(kill))
    let now = now
    setStatus(role) { status in
      for down in status.downs.indices where status.downs[down].fault == index { status.downs[down].until = now }
    }
    return true
  }
}
