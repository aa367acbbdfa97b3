import Simulator
import Link

/// Changes fault plans for `--strategy guided`.
///
/// What it makes is a valid plan for the run: ids are unique, faults are in the order of their beginnings, and all have
/// ended by the end of the nemesis, with restarts.
struct PlanMutation {
  let nemesis: Nemesis
  let end: VirtualTime
  /// The nodes played by other programs.
  var apps: [NodeRole] = []
  /// More faults than this are cut.
  static let faultsMax = 80

  private let seed: UInt64
  private let random: RandomStream
  private var drawCount: UInt64 = 0
  private var newCount = 0

  /// - Parameters:
  ///   - seed: The seed of the run, on which all draws depend.
  ///   - end: When all faults have ended, with restarts.
  init(_ nemesis: Nemesis, seed: UInt64, end: VirtualTime) {
    self.nemesis = nemesis
    self.seed = seed
    self.end = end
    random = RandomStream(seed: seed, name: "guided.mutation")
  }

  /// A number below a bound, all equally likely.
  mutating func below(_ bound: Int) -> Int {
    drawCount += 1
    return Int(random.number(below: UInt64(bound), for: drawCount))
  }

  /// A changed plan.
  ///
  /// - Parameters:
  ///   - plan: The drawn faults of a parent.
  ///   - instants: What happened in the parent's run, by kind of event.
  ///   - other: The drawn faults of another run.
  mutating func change(
    _ plan: [PlannedFault], _ instants: [[StateCoverage.Instant]], other: [PlannedFault]
  ) -> [PlannedFault] {
    var plan = plan
    for _ in 0...below(4) {
      switch below(10) {
      case 0...3: plan.append(contentsOf: placed(instants))
      case 4: plan = thinned(plan)
      case 5: plan = spliced(plan, other)
      default:
        guard !plan.isEmpty else { continue }
        let index = below(plan.count)
        changeOne(&plan, index, instants)
      }
    }
    return valid(plan)
  }

  /// Changes one fault: its time, length or target, or removes it.
  private mutating func changeOne(_ plan: inout [PlannedFault], _ index: Int, _ instants: [[StateCoverage.Instant]]) {
    let fault = plan[index]
    switch below(6) {
    case 0: if let instant = pick(instants) { move(&plan[index], to: instant.at) }
    case 1:
      let by = VirtualTime.Span.milliseconds(Int64(below(10_000)))
      move(
        &plan[index],
        to: below(2) == 0 ? fault.begin + by : VirtualTime(nanoseconds: fault.begin.nanoseconds - by.nanoseconds))
    case 2:
      guard type(of: fault.body.fault).lasts, let end = fault.end else { return }
      let length = (end - fault.begin).nanoseconds
      plan[index].end = fault.begin + VirtualTime.Span(nanoseconds: below(2) == 0 ? length / 2 : length * 2)
    case 3:
      guard type(of: fault.body.fault).isSelective, !fault.isOnUplink else { return }
      plan[index].direction = [nil, Direction.watchToPhone, .phoneToWatch][below(3)]
    case 4:
      guard type(of: fault.body.fault).isSelective, type(of: fault.body.fault).hasChannels, !fault.isOnUplink else {
        return
      }
      plan[index].channels = below(3) == 0 ? nil : [Channel.ofLink[below(Channel.ofLink.count)]]
    default: plan.remove(at: index)
    }
  }

  private func move(_ fault: inout PlannedFault, to begin: VirtualTime) {
    let by = begin - fault.begin
    // The restarts of a kill or reboot fitted into the time that it was drawn for, so it only moves forward.
    guard type(of: fault.body.fault).lasts || begin < fault.begin else { return }
    fault.begin = begin
    fault.end = fault.end.map { $0 + by }
  }

  /// Leaves out half of the faults, or three quarters.
  private mutating func thinned(_ plan: [PlannedFault]) -> [PlannedFault] {
    let part = below(2) == 0 ? 2 : 4
    return plan.filter { _ in below(part) == 0 }
  }

  /// The plan up to an instant, and another one's from there on.
  private mutating func spliced(_ plan: [PlannedFault], _ other: [PlannedFault]) -> [PlannedFault] {
    let cut = VirtualTime(nanoseconds: Int64(below(Int(max(1, end.nanoseconds / 1_000_000)))) * 1_000_000)
    return plan.filter { $0.begin < cut } + other.filter { $0.begin >= cut }
  }

  /// An instant of the parent's run; rare kinds of events are as likely as frequent ones.
  private mutating func pick(_ instants: [[StateCoverage.Instant]]) -> StateCoverage.Instant? {
    guard !instants.isEmpty else { return nil }
    let kind = instants[below(instants.count)]
    return kind[below(kind.count)]
  }

  /// A new fault at an instant of the parent's run: on what was sent then, or any that the nemesis may draw.
  private mutating func placed(_ instants: [[StateCoverage.Instant]]) -> [PlannedFault] {
    guard let instant = pick(instants), instant.at < end else { return [] }
    newCount += 1
    let id = "guided-\(seed)-\(newCount)"
    let before = VirtualTime.Span.milliseconds([0, 0, 50, 1_000][below(4)])
    let begin = max(nemesis.from, VirtualTime(nanoseconds: instant.at.nanoseconds - before.nanoseconds))
    if let channel = instant.channel, let direction = instant.direction, below(2) == 0 {
      let length = VirtualTime.Span.milliseconds([50, 500, 5_000, 30_000][below(4)])
      let fault: (any FrameFault)?
      switch below(3) {
      case 0: fault = isAllowed(LossFault.kind) ? LossFault(.independent(.always)) : nil
      case 1:
        let by = VirtualTime.Span.milliseconds([1_000, 5_000, 12_000, 40_000][below(4)])
        fault = isAllowed(ReorderFault.kind) ? ReorderFault(probability: .always, by: by) : nil
      default: fault = isAllowed(DuplicateFault.kind) ? DuplicateFault(probability: .always) : nil
      }
      guard let fault else { return [] }
      return [
        PlannedFault(
          id: id, begin: begin, end: begin + before + length, direction: direction, channels: [channel], fault.body)
      ]
    }
    let types = FaultCatalog.all.filter { isAllowed($0.kind) }
    guard !types.isEmpty else { return [] }
    let type = types[below(types.count)]
    let length = VirtualTime.Span.milliseconds([300, 2_000, 8_000, 20_000, 60_000][below(5)])
    let room = end - begin
    guard room >= Nemesis.lengthMin else { return [] }
    var dice = FaultDice(
      seed: seed, kind: type.kind, number: 1_000_000 + newCount, length: min(length, room), points: CrashPoint.all)
    dice.apps = apps
    let body = type.draw(&dice).body
    let lasting = type.lasts ? dice.length : dice.waiting
    return [PlannedFault(id: id, begin: begin, end: lasting.map { begin + $0 }, body)]
  }

  private func isAllowed(_ kind: String) -> Bool { nemesis.kinds.contains(kind) }

  /// The plan within its bounds.
  private func valid(_ plan: [PlannedFault]) -> [PlannedFault] {
    var ids: Set<String> = []
    var found: [PlannedFault] = []
    let sorted = plan.enumerated().sorted { ($0.element.begin, $0.offset) < ($1.element.begin, $1.offset) }
    for (_, fault) in sorted.prefix(Self.faultsMax) {
      var fault = fault
      fault.begin = max(fault.begin, nemesis.from)
      if let until = fault.end {
        fault.end = min(until, end)
        guard until > fault.begin, end > fault.begin + Nemesis.lengthMin else { continue }
        fault.end = max(fault.end ?? end, fault.begin + .milliseconds(1))
      }
      guard fault.begin < end else { continue }
      while !ids.insert(fault.id).inserted { fault.id += "-again" }
      found.append(fault)
    }
    return found
  }
}
