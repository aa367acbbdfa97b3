import HealthSim
import Link

/// What the users of apps do in a run, drawn from its seed.
///
/// Each act has a stream of its own: the habits of one leave the others as they are.
struct DrawnHands {
  let draw: ActDraw
  let seed: UInt64
  /// The devices that are apps, in a fixed order.
  let roles: [NodeRole]
  let until: VirtualTime
  /// When the link is cut or an app is away, by the device whose user meets that.
  let away: [NodeRole: [Range<VirtualTime>]]

  /// The acts, in the order of time.
  var acts: [TimedAct] {
    var acts: [TimedAct] = []
    /// The newest names of arguments that are to be fresh, and their numbers.
    var names: [String: Int] = [:]
    var state = 0
    var now = draw.from
    for number in 0..<draw.maximum {
      var dice = Dice(seed: seed, "hands", number)
      now = now + dice.span(draw.every.least...draw.every.most)
      guard now < until else { break }
      let choices = possible(in: state)
      guard let choice = pick(choices, &dice) else { break }
      state = choice.next
      let role = choice.act.role ?? dice.pick(roles)
      if let at = awayTime(role, now, &dice) { now = at }
      let arguments = choice.act.arguments.map { Self.named($0, &names) }
      let act = TimedAct(
        at: now, role: role, name: choice.act.name, arguments: arguments, launches: choice.act.launches)
      acts += [act] + habits(of: act, isOnEither: choice.act.role == nil, &dice)
    }
    return acts.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }

  /// The acts that may come in a state of the model, and the state after each.
  private func possible(in state: Int) -> [(act: ActDraw.Act, next: Int)] {
    draw.acts.filter { act in act.role.map { roles.contains($0) } ?? true }.compactMap { act in
      guard let model = draw.model else { return (act, 0) }
      return model.states[state].first { $0.act == act.name }.map { (act, $0.next) }
    }
  }

  private func pick(_ choices: [(act: ActDraw.Act, next: Int)], _ dice: inout Dice) -> (act: ActDraw.Act, next: Int)? {
    let sum = choices.reduce(0) { $0 + $1.act.weight }
    guard sum > 0 else { return nil }
    var left = dice.number(1...sum)
    return choices.first {
      left -= $0.act.weight
      return left <= 0
    }
  }

  /// A time at which the other device is out of reach, if the habit strikes and one is near.
  private func awayTime(_ role: NodeRole, _ now: VirtualTime, _ dice: inout Dice) -> VirtualTime? {
    guard dice.happens(Self.percent(draw.habits.away)) else { return nil }
    let latest = now + draw.every.most * 3
    guard let stretch = away[role]?.first(where: { $0.upperBound > now && $0.lowerBound < latest }) else { return nil }
    let from = max(now, stretch.lowerBound)
    let to = min(until, stretch.upperBound) + .milliseconds(-1)
    return from < to ? dice.instant(from...to) : nil
  }

  private func habits(of act: TimedAct, isOnEither: Bool, _ dice: inout Dice) -> [TimedAct] {
    var more: [TimedAct] = []
    if dice.happens(Self.percent(draw.habits.twice)) {
      var again = act
      again.at = act.at + dice.span(.milliseconds(20)...(.milliseconds(1_500)))
      more.append(again)
    }
    if isOnEither, dice.happens(Self.percent(draw.habits.both)), let other = roles.first(where: { $0 != act.role }) {
      var there = act
      there.role = other
      there.at = max(.start, act.at + .milliseconds(dice.number(-2_000...2_000)))
      more.append(there)
    }
    return more.filter { $0.at < until }
  }

  private static func percent(_ share: Double) -> Int64 { Int64((share * 100).rounded()) }

  /// Arguments with the names that `fresh` and `last` stand for.
  private static func named(_ arguments: JSONNode, _ names: inout [String: Int]) -> JSONNode {
    guard case .object(var members) = arguments.value else { return arguments }
    for index in members.indices {
      let key = members[index].key
      switch members[index].node.value {
      case .string("fresh"): names[key, default: 0] += 1
      case .string("last"): names[key] = names[key] ?? 1
      default: continue
      }
      members[index].node = JSONNode(.string("\(key)-\(names[key] ?? 1)"))
    }
    return JSONNode(.object(members))
  }
}

extension Scenario {
  /// The same run with its users' acts written out; the scenario itself if none are drawn.
  package var handed: Scenario {
    guard let draw = actDraw else { return self }
    var scenario = self
    scenario.actDraw = nil
    let access = DrawnAccess(seed: seed, duration: duration)
    if draw.drawsAccess, ownHealthKit == HealthSettings() { scenario.ownHealthKit = access.healthKit }
    if draw.drawsAccess, ownSystem == SystemSettings() { scenario.ownSystem = access.system }
    let until = min(draw.until ?? nemesisEnd, .start + duration)
    scenario.acts +=
      DrawnHands(
        draw: draw, seed: seed, roles: appRoles, until: until,
        away: [.watch: away(from: .watch), .phone: away(from: .phone)]
      ).acts
    return scenario
  }

  /// When a device's user cannot reach the other device, in the order of time.
  private func away(from role: NodeRole) -> [Range<VirtualTime>] {
    let end = VirtualTime.start + duration
    return basePlan.compactMap { fault -> Range<VirtualTime>? in
      let isAway: Bool =
        switch fault.body {
        case .world: !fault.isOnUplink
        case .node(let body): body.node != role && fault.kind != "clockSkew"
        case .frame: false
        }
      let until = fault.end ?? end
      return isAway && fault.begin < until ? fault.begin..<until : nil
    }.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
  }
}
