/// Draws random fault plans from a run's seed.
///
/// Faults come at exponential intervals and last for exponential times (a Poisson process, as in Jepsen's nemeses). What one
/// fault is depends on the seed and on its number, and not on which kinds the others are: taking a kind off the list
/// changes the faults of that kind and no other (rendezvous hashing; Thaler, Ravishankar, 1998). With `isSwarming` each
/// seed has about half of the kinds switched on, which finds more than all of them always (swarm testing; Groce et al.,
/// ISSTA 2012).
///
/// The plan is an ordinary one: every fault has an id (`nemesis-1`, `nemesis-2`, ...), which names its random stream. Written
/// into a scenario by hand, or with some of the others left out, it does to the same frames what it did here.
public struct Nemesis: Sendable, Equatable {
  /// The kinds that may be drawn, by name, those of the uplink as `uplink.loss`; at least one.
  public let kinds: [String]
  /// Where those stand among all kinds, in ascending order.
  private let places: [Int]
  /// The mean time from one fault's begin to the next one's.
  public var meanInterval: VirtualTime.Span
  /// How long a fault lasts on average, before bounds.
  public var meanDuration: VirtualTime.Span
  /// Whether each seed draws which of the kinds are on.
  public var isSwarming: Bool
  /// No fault begins before.
  public var from: VirtualTime
  /// Every fault has ended by then; nil for what the runner finds fit.
  public var until: VirtualTime?
  /// How many faults there are at most.
  public var maximum: Int

  /// Creates a nemesis; without kinds it draws every kind there is.
  ///
  /// - Parameter hasUplink: Whether the kinds of the uplink are among all kinds.
  public init(
    kinds: [String]? = nil, hasUplink: Bool = false, meanInterval: VirtualTime.Span = .seconds(90),
    meanDuration: VirtualTime.Span = .seconds(20),
    isSwarming: Bool = true, from: VirtualTime = .start, until: VirtualTime? = nil, maximum: Int = 1_000
  ) {
    let kinds = kinds ?? Self.kinds(hasUplink: hasUplink)
    precondition(!kinds.isEmpty && meanInterval >= Self.intervalMin && meanDuration >= Self.lengthMin && maximum > 0)
    self.kinds = kinds
    places = Self.every.indices.filter { kinds.contains(Self.every[$0].name) }
    self.meanInterval = meanInterval
    self.meanDuration = meanDuration
    self.isSwarming = isSwarming
    self.from = from
    self.until = until
    self.maximum = maximum
  }

  /// The names of the kinds there are.
  public static func kinds(hasUplink: Bool) -> [String] {
    FaultCatalog.all.map { $0.kind } + (hasUplink ? FaultCatalog.ofUplink.map { FaultCatalog.uplinkName(of: $0) } : [])
  }

  /// A kind that can be drawn.
  private struct Kind {
    var name: String
    var type: any FaultKind.Type
    var isOfUplink = false
    /// Draws for each fault how much this kind wants to be the one; of the run's seed.
    var choice = RandomStream(seed: 0, name: "")
  }

  /// Every kind there is, those of the uplink last.
  private static let every: [Kind] =
    FaultCatalog.all.map { Kind(name: $0.kind, type: $0) }
    + FaultCatalog.ofUplink.map { Kind(name: FaultCatalog.uplinkName(of: $0), type: $0, isOfUplink: true) }

  /// The beginning of every drawn fault's id.
  public static let idPrefix = "nemesis-"
  /// The shortest mean interval.
  public static let intervalMin = VirtualTime.Span.milliseconds(100)
  /// A fault that would be shorter is as long as this, or is not drawn.
  public static let lengthMin = VirtualTime.Span.milliseconds(100)

  /// How many mean durations a fault lasts at most.
  private static let lengthMeansMax: Int64 = 6
  private static let grain = VirtualTime.Span.milliseconds(1)

  /// Draws the plan of a seed, in the order of the faults' beginnings.
  ///
  /// - Parameters:
  ///   - end: Stands in for ``until`` where that is nil.
  ///   - points: The places at which a crash can be asked for; at least one.
  ///   - apps: The nodes that are programs of their own: they pass the session's points alone.
  public func faults(
    seed: UInt64, before end: VirtualTime, points: [CrashPoint] = CrashPoint.session, apps: [NodeRole] = []
  ) -> [PlannedFault] {
    let random = RandomStream(seed: seed, name: "nemesis")
    let until = self.until ?? end
    let kinds = enabled(seed: seed)
    var plan: [PlannedFault] = []
    var begin = from
    for number in 1...maximum {
      let key = UInt64(number)
      begin = begin + Self.exponential(meanInterval, bits: random.bits(for: key, draw: 0))
      let room = until - begin
      guard begin < until, room >= Self.lengthMin else { break }
      let drawn = Self.exponential(meanDuration, bits: random.bits(for: key, draw: 1))
      let bounded = min(max(drawn, Self.lengthMin), meanDuration * Self.lengthMeansMax)
      let kind = Self.choose(kinds, number: number)
      var dice = FaultDice(seed: seed, kind: kind.name, number: number, length: min(bounded, room), points: points)
      dice.apps = apps
      let fault = Self.draw(kind.type, &dice)
      let length = kind.type.lasts ? dice.length : dice.waiting
      var planned = PlannedFault(
        id: "\(Self.idPrefix)\(number)", begin: begin, end: length.map { begin + $0 }, onUplink: kind.isOfUplink, fault)
      if kind.type.isSelective { Self.narrow(&planned, random, key: key) }
      plan.append(planned)
    }
    return plan
  }

  /// The kinds that are on for a seed; at least one.
  public func enabledKinds(seed: UInt64) -> [String] { enabled(seed: seed).map(\.name) }

  private func enabled(seed: UInt64) -> [Kind] {
    let swarm = RandomStream(seed: seed, name: "nemesis.swarm.")
    let choice = RandomStream(seed: seed, name: "nemesis.choice.")
    var on: [Kind] = []
    var nearest: (place: Int, bits: UInt64)?
    for place in places {
      let name = Self.every[place].name
      let bits = swarm.named(name).bits(for: 0)
      if nearest.map({ bits >= $0.bits }) ?? true { nearest = (place, bits) }
      guard !isSwarming || bits >> 63 == 1 else { continue }
      on.append(Self.every[place])
      on[on.count - 1].choice = choice.named(name)
    }
    // Where none is on, the one that came nearest is: a run without any fault shows nothing.
    if on.isEmpty, let nearest {
      on.append(Self.every[nearest.place])
      on[0].choice = choice.named(on[0].name)
    }
    return on
  }

  /// The kind of a fault: the one with the highest draw of its own, so that no kind's absence moves another's faults.
  private static func choose(_ kinds: [Kind], number: Int) -> Kind {
    var best: (place: Int, bits: UInt64)?
    for place in kinds.indices {
      let bits = kinds[place].choice.bits(for: UInt64(number))
      if best.map({ bits > $0.bits }) ?? true { best = (place, bits) }
    }
    guard let best else { preconditionFailure("a nemesis without kinds") }
    return kinds[best.place]
  }

  private static func draw(_ type: any FaultKind.Type, _ dice: inout FaultDice) -> PlannedFault.Body {
    type.draw(&dice).body
  }

  /// Half of the faults that can be are aimed: at one direction, at some channels, or at both.
  ///
  /// The uplink has one channel only, so there three in eight are aimed, all of them at a direction.
  private static func narrow(_ planned: inout PlannedFault, _ random: RandomStream, key: UInt64) {
    let aim = random.number(below: 8, for: key, draw: 2)
    if aim == 4 || aim == 5 || aim == 7 {
      let directions = planned.isOnUplink ? Direction.ofUplink : Direction.ofLink
      planned.direction = directions[Int(random.number(below: 2, for: key, draw: 3))]
    }
    if aim >= 6, !planned.isOnUplink, type(of: planned.body.fault).hasChannels {
      // Any set of channels but none and all.
      let count = UInt64(Channel.ofLink.count)
      let mask = random.number(below: (1 << count) - 2, for: key, draw: 4) + 1
      planned.channels = Channel.ofLink.enumerated().filter { mask >> UInt64($0.offset) & 1 == 1 }.map(\.element)
    }
  }

  private static func exponential(_ mean: VirtualTime.Span, bits: UInt64) -> VirtualTime.Span {
    let drawn = DelayDistribution.exponential.draw(mean: mean.nanoseconds, jitter: mean.nanoseconds, bits: bits)
    return grain * (drawn / grain.nanoseconds)
  }
}
