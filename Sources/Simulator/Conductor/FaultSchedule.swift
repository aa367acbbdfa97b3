import Link

/// Schedules the steps of a plan's faults: beginning, orders, end.
struct FaultSchedule {
  /// One step of one fault.
  struct Step: Comparable {
    var at: VirtualTime
    /// The fault's index in the plan.
    var index: Int
    /// Steps of one fault at one instant: begin, orders, end.
    var number: Int
    var what: What

    enum What: Equatable {
      case begin
      case order(FaultOrder)
      case end
    }

    static func < (lhs: Self, rhs: Self) -> Bool {
      (lhs.at, lhs.index, lhs.number) < (rhs.at, rhs.index, rhs.number)
    }
    static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.at == rhs.at && lhs.index == rhs.index && lhs.number == rhs.number
    }
  }

  private(set) var plan: [PlannedFault]
  /// The next step of each fault that has one.
  private var pending: [Step]
  /// Active faults, in plan order.
  private(set) var active: [Int] = []
  private(set) var nextAt: VirtualTime?

  /// Schedules every fault of a plan.
  init(_ plan: [PlannedFault]) {
    self.plan = plan
    pending = plan.indices.map { Step(at: plan[$0].begin, index: $0, number: 0, what: .begin) }
    nextAt = pending.min()?.at
  }

  /// Removes and returns the next step at or before `now`; nil if none is due.
  mutating func popDue(at now: VirtualTime) -> Step? {
    guard let nextAt, nextAt <= now, let position = pending.indices.min(by: { pending[$0] < pending[$1] }) else {
      return nil
    }
    let step = pending.remove(at: position)
    switch step.what {
    case .begin: active.append(step.index)
    case .order: break
    case .end: active.removeAll { $0 == step.index }
    }
    if let following = following(step) { pending.append(following) }
    self.nextAt = pending.min()?.at
    active.sort()
    return step
  }

  private func following(_ step: Step) -> Step? {
    let planned = plan[step.index]
    guard step.what != .end else { return nil }
    if case .world(let fault) = planned.body,
      let (at, order) = fault.order(step.number, begin: planned.begin, end: planned.end),
      planned.end.map({ at <= $0 }) ?? true
    {
      return Step(at: at, index: step.index, number: step.number + 1, what: .order(order))
    }
    return planned.end.map { Step(at: max($0, step.at), index: step.index, number: .max, what: .end) }
  }

  /// Appends a fault to the plan; it must begin at the current instant or later.
  mutating func add(_ fault: PlannedFault) {
    plan.append(fault)
    pending.append(Step(at: fault.begin, index: plan.count - 1, number: 0, what: .begin))
    nextAt = pending.min()?.at
  }

  /// Ends an active fault at `now`, whatever was planned.
  mutating func cease(_ index: Int, at now: VirtualTime) {
    plan[index].end = now
    pending.removeAll { $0.index == index }
    pending.append(Step(at: now, index: index, number: .max, what: .end))
    nextAt = pending.min()?.at
  }

  /// Updates the plan's entry of a fault that has begun.
  mutating func replace(_ index: Int, _ body: PlannedFault.Body) { plan[index].body = body }

  /// Keeps a fault active past its planned end, until ``finish(_:)``.
  mutating func keepActive(_ index: Int) {
    pending.removeAll { $0.index == index }
    nextAt = pending.min()?.at
  }

  /// Ends an active fault; false for any other.
  mutating func finish(_ index: Int) -> Bool {
    keepActive(index)
    guard let position = active.firstIndex(of: index) else { return false }
    active.remove(at: position)
    return true
  }

  /// Drops all future steps and returns the active faults, in plan order.
  mutating func endAll() -> [Int] {
    pending = []
    nextAt = nil
    defer { active = [] }
    return active
  }
}
