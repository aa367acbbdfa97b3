/// Draws random fault plans from a run's seed.
///
/// Faults begin at exponential intervals and last for exponential times (a Poisson process, as in Jepsen's nemeses).
/// Each fault depends on the seed and its number, and not on the other kinds: removing a kind from the list changes the
/// faults of that kind only (rendezvous hashing; Thaler, Ravishankar, 1998). With `isSwarming` each seed enables about
/// half of the kinds, which finds more than always using all (swarm testing; Groce et al., ISSTA 2012).
///
/// The plan is an ordinary one: every fault has an id (`nemesis-1`, `nemesis-2`, ...), which names its random stream.
/// Written into a scenario by hand, or with some others left out, it affects the same frames.
public struct Nemesis: Sendable, Equatable {
  /// The names of the kinds to draw from, those of the uplink as `uplink.loss`; at least one.
  public var kinds: [String] { didSet { indices = Self.indices(of: kinds) } }
  /// Their indices among all kinds, in ascending order.
  private var indices: [Int]
  /// The mean time from the beginning of one fault to that of the next.
  public var meanInterval: VirtualTime.Span
  /// The mean length of a fault, before bounds.
  public var meanDuration: VirtualTime.Span
  /// Whether each seed draws which kinds are enabled.
  public var isSwarming: Bool
  /// No fault begins earlier.
  public var from: VirtualTime
  /// Every fault has ended by then; nil for the runner's default.
  public var until: VirtualTime?
  /// The largest number of faults.
  public var maximum: Int

  /// Creates a nemesis; without kinds it draws from all.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of faults to draw from; nil for all.
  ///   - hasUplink: Whether that includes the kinds of the uplink.
  ///   - meanInterval: The mean time between the beginnings of faults.
  ///   - meanDuration: The mean duration of a fault.
  ///   - isSwarming: Whether each seed draws from its own subset of the kinds.
  ///   - from: When the first fault may begin.
  ///   - until: When all faults have ended; nil for a bound that the run gives.
  ///   - maximum: The maximum number of faults.
  public init(
    kinds: [String]? = nil, hasUplink: Bool = false, meanInterval: VirtualTime.Span = .seconds(90),
    meanDuration: VirtualTime.Span = .seconds(20),
    isSwarming: Bool = true, from: VirtualTime = .start, until: VirtualTime? = nil, maximum: Int = 1_000
  ) {
    let kinds = kinds ?? Self.standardKinds(hasUplink: hasUplink)
    precondition(!kinds.isEmpty && meanInterval >= Self.intervalMin && meanDuration >= Self.lengthMin && maximum > 0)
    self.kinds = kinds
    indices = Self.indices(of: kinds)
    self.meanInterval = meanInterval
    self.meanDuration = meanDuration
    self.isSwarming = isSwarming
    self.from = from
    self.until = until
    self.maximum = maximum
  }

  private static func indices(of kinds: [String]) -> [Int] {
    every.indices.filter { kinds.contains(every[$0].name) }
  }

  /// The names of all kinds.
  public static func kinds(hasUplink: Bool) -> [String] {
    FaultCatalog.all.map { $0.kind } + (hasUplink ? FaultCatalog.ofUplink.map { FaultCatalog.uplinkName(of: $0) } : [])
  }

  /// The names of the kinds that are drawn by default.
  public static func standardKinds(hasUplink: Bool) -> [String] {
    kinds(hasUplink: hasUplink).filter { !unusualKinds.contains($0) }
  }

  /// The names of the kinds that are drawn only if a scenario lists them, or in runs with apps.
  private static let unusualKinds = FaultCatalog.all.filter { !$0.isDrawnByDefault }.map { $0.kind }
  /// The names of the kinds that are also drawn in runs with apps.
  private static let kindsOfApps = FaultCatalog.all.filter { $0.isDrawnForApps }.map { $0.kind }
  /// The kinds that are not drawn by default, for the reference.
  static let kindsByName =
    unusualKinds.filter { !kindsOfApps.contains($0) }.map { "`\($0)`" }.joined(separator: ", ")
    + "; " + kindsOfApps.map { "`\($0)`" }.joined(separator: " and ") + " only in runs with an app"
    + "; `healthFlaw` and `systemFlaw` with the keys `healthKit` and `system`"

  /// The same nemesis for a run with an app: one that lists no kinds also draws those of apps.
  public func ofApps(_ apps: [NodeRole]) -> Self { apps.isEmpty ? self : adding(Self.kindsOfApps) }

  /// The same nemesis, which also draws these kinds if it lists none.
  public func adding(_ others: [String]) -> Self {
    guard !others.isEmpty, Self.standardKinds(hasUplink: false).allSatisfy(kinds.contains) else { return self }
    var nemesis = self
    nemesis.kinds += others.filter { !kinds.contains($0) }
    return nemesis
  }

  /// A kind of fault to draw.
  struct Kind {
    var name: String
    var type: any FaultKind.Type
    var isOfUplink = false
    /// Draws the weight of this kind for each fault, from the run's seed.
    var choice = RandomStream(seed: 0, name: "")
  }

  /// All kinds, those of the uplink last.
  private static let every: [Kind] =
    FaultCatalog.all.map { Kind(name: $0.kind, type: $0) }
    + FaultCatalog.ofUplink.map { Kind(name: FaultCatalog.uplinkName(of: $0), type: $0, isOfUplink: true) }

  /// The prefix of every drawn fault's id.
  public static let idPrefix = "nemesis-"
  /// The shortest mean interval.
  public static let intervalMin = VirtualTime.Span.milliseconds(100)
  /// The shortest length of a fault: shorter ones are extended to it, or not drawn.
  public static let lengthMin = VirtualTime.Span.milliseconds(100)

  /// The longest length of a fault, in mean lengths.
  static let lengthMeansMax: Int64 = 6
  private static let grain = VirtualTime.Span.milliseconds(1)

  /// Draws the plan of a seed, in the order of the faults' beginnings.
  ///
  /// - Parameters:
  ///   - seed: The seed of the run.
  ///   - end: Replaces ``until`` if that is nil.
  ///   - points: The available crash points; at least one.
  ///   - apps: The nodes played by other programs, which only have the session's points.
  public func faults(
    seed: UInt64, before end: VirtualTime, points: [CrashPoint] = CrashPoint.session, apps: [NodeRole] = []
  ) -> [PlannedFault] {
    let random = RandomStream(seed: seed, name: "nemesis")
    let until = self.until ?? end
    let kinds = ofApps(apps).enabled(seed: seed)
    var plan: [PlannedFault] = []
    var begin = from
    for number in 1...maximum {
      let key = UInt64(number)
      begin = begin + Self.exponential(meanInterval, bits: random.bits(for: key, draw: 0))
      let room = until - begin
      guard begin < until, room >= Self.lengthMin else { break }
      let drawn = Self.exponential(meanDuration, bits: random.bits(for: key, draw: 1))
      let bounded = min(max(drawn, Self.lengthMin), meanDuration * Self.lengthMeansMax)
      plan.append(
        planned(
          id: "\(Self.idPrefix)\(number)", number: number, seed: seed, kinds, random, begin: begin,
          length: min(bounded, room), points: points, apps: apps))
    }
    return plan
  }

  /// Draws the kind of a fault, and what it does.
  ///
  /// - Parameter number: Its number, from which all streams follow but the one of its target.
  func planned(
    id: String, number: Int, seed: UInt64, _ kinds: [Kind], _ random: RandomStream, begin: VirtualTime,
    length: VirtualTime.Span, points: [CrashPoint], apps: [NodeRole]
  ) -> PlannedFault {
    let kind = Self.chooseKind(kinds, number: number)
    var dice = FaultDice(seed: seed, kind: kind.name, number: number, length: length, points: points)
    dice.apps = apps
    let fault = Self.drawBody(kind.type, &dice)
    let length = kind.type.lasts ? dice.length : dice.waiting
    var planned = PlannedFault(
      id: id, begin: begin, end: length.map { begin + $0 }, onUplink: kind.isOfUplink, fault)
    if kind.type.isSelective { Self.limitTarget(&planned, random, key: UInt64(number)) }
    return planned
  }

  /// The kinds enabled for a seed; at least one.
  public func enabledKinds(seed: UInt64) -> [String] { enabled(seed: seed).map(\.name) }

  func enabled(seed: UInt64) -> [Kind] {
    let swarm = RandomStream(seed: seed, name: "nemesis.swarm.")
    let choice = RandomStream(seed: seed, name: "nemesis.choice.")
    var on: [Kind] = []
    var nearest: (index: Int, bits: UInt64)?
    for index in indices {
      let name = Self.every[index].name
      let bits = swarm.appending(name).bits(for: 0)
      if nearest.map({ bits >= $0.bits }) ?? true { nearest = (index, bits) }
      guard !isSwarming || bits >> 63 == 1 else { continue }
      on.append(Self.every[index])
      on[on.count - 1].choice = choice.appending(name)
    }
    // If none is enabled, use the nearest: a run without faults shows nothing.
    if on.isEmpty, let nearest {
      on.append(Self.every[nearest.index])
      on[0].choice = choice.appending(on[0].name)
    }
    return on
  }

  /// The kind with the highest draw, so that removing a kind does not change faults of other kinds.
  private static func chooseKind(_ kinds: [Kind], number: Int) -> Kind {
    var best: (index: Int, bits: UInt64)?
    for index in kinds.indices {
      let bits = kinds[index].choice.bits(for: UInt64(number))
      if best.map({ bits > $0.bits }) ?? true { best = (index, bits) }
    }
    guard let best else { preconditionFailure("a nemesis has kinds") }
    return kinds[best.index]
  }

  private static func drawBody(_ type: any FaultKind.Type, _ dice: inout FaultDice) -> PlannedFault.Body {
    type.draw(&dice).body
  }

  /// Limits half of the faults that can be limited to one direction, to some channels, or both.
  ///
  /// The uplink has one channel, so there three in eight are limited, to a direction.
  private static func limitTarget(_ planned: inout PlannedFault, _ random: RandomStream, key: UInt64) {
    let aim = random.number(below: 8, for: key, draw: 2)
    if aim == 4 || aim == 5 || aim == 7 {
      let directions = planned.isOnUplink ? Direction.ofUplink : Direction.ofLink
      planned.direction = directions[Int(random.number(below: 2, for: key, draw: 3))]
    }
    if aim >= 6, !planned.isOnUplink, type(of: planned.body.fault).hasChannels {
      // Any set of channels except none and all.
      let count = UInt64(Channel.ofLink.count)
      let mask = random.number(below: (1 << count) - 2, for: key, draw: 4) + 1
      planned.channels = Channel.ofLink.enumerated().filter { mask >> UInt64($0.offset) & 1 == 1 }.map(\.element)
    }
  }

  static func exponential(_ mean: VirtualTime.Span, bits: UInt64) -> VirtualTime.Span {
    let drawn = DelayDistribution.exponential.draw(mean: mean.nanoseconds, jitter: mean.nanoseconds, bits: bits)
    return grain * (drawn / grain.nanoseconds)
  }
}

extension Nemesis {
  /// The keys of a scenario's `nemesis`.
  ///
  /// - Parameter hasUplink: Whether the scenario has an uplink.
  public static func schema(hasUplink: Bool) -> ObjectSchema<Self> {
    ObjectSchema(
      "nemesis",
      "Draws faults from the seed and adds them to `faults` ([how](sweeps.md#the-nemesis)). The trace's header has the"
        + " drawn plan, and `run --save FILE` writes it as a scenario.",
      Self(hasUplink: hasUplink),
      [
        Field(
          "kinds", \.kinds, .array(of: kindSchema(hasUplink: hasUplink), count: 1...kinds(hasUplink: true).count),
          "what may be drawn", .otherwise("all of them but \(Self.kindsByName)")
        ).omittedAtDefault,
        Field(
          "meanInterval", \.meanInterval, .duration(intervalMin ... .hours(24)),
          "from the beginning of one fault to that of the next, on average"),
        Field(
          "meanDuration", \.meanDuration, .duration(lengthMin ... .hours(24)),
          "how long a fault lasts on average; six times that at most"),
        Field("swarm", \.isSwarming, .bool, "whether each seed enables only about half of the kinds"),
        Field("from", \.from, .instant, "no fault begins before"),
        Field(
          "until", \.until, .instant, "every fault has ended, and every killed app is back, by then; after `from`",
          .otherwise("a tenth before the run's end, at most a minute")),
        Field("maximum", \.maximum, .integer(1...10_000), "how many faults at most"),
      ]
    ) { nemesis, reader in
      if let until = nemesis.until, until <= nemesis.from {
        reader.value("until")?.refuse(expected: "a time after `from`")
        return false
      }
      let kinds = nemesis.kinds
      guard let again = kinds.indices.first(where: { kinds[..<$0].contains(kinds[$0]) }) else { return true }
      reader.value("kinds")?.array()?[again].error("found \"\(kinds[again])\" a second time")
      return false
    }
  }

  private static func kindSchema(hasUplink: Bool) -> ValueSchema<String> {
    ValueSchema<String>.words(kinds(hasUplink: true)).map(
      reading: { kind, value in
        guard hasUplink || !kind.hasPrefix("uplink.") else {
          value.error("found \"\(kind)\", expected no kind of the uplink in a scenario without one")
          return nil
        }
        return kind
      }, writing: { $0 })
  }
}

/// Faults near what users do.
extension Nemesis {
  /// The prefix of the ids of faults that are drawn near something.
  public static let nearPrefix = idPrefix + "near-"
  /// Moments that are further apart are not covered by one fault.
  private static let gapMax = VirtualTime.Span.seconds(600)
  /// How long before the first moment, and after the last one, a fault that covers both lasts at most.
  private static let margin = VirtualTime.Span.seconds(5)
  /// Numbers of these faults for streams that both kinds share.
  private static let numbersFrom = 1_000_000

  /// Draws further faults of a seed near some moments, beside ``faults(seed:before:points:apps:)``: half as many as these on
  /// average.
  ///
  /// A third of them covers two moments that follow one another, such as an end and the next start.
  ///
  /// - Parameters:
  ///   - moments: When users do something, in any order.
  ///   - seed: The seed of the run.
  ///   - end: Replaces ``until`` if that is nil.
  ///   - points: The available crash points; at least one.
  ///   - apps: The nodes played by other programs, which only have the session's points.
  public func faults(
    near moments: [VirtualTime], seed: UInt64, before end: VirtualTime, points: [CrashPoint] = CrashPoint.session,
    apps: [NodeRole] = []
  ) -> [PlannedFault] {
    let until = self.until ?? end
    let moments = moments.filter { $0 >= from && $0 + Self.lengthMin < until }.sorted()
    guard !moments.isEmpty else { return [] }
    let random = RandomStream(seed: seed, name: "nemesis.near")
    let kinds = ofApps(apps).enabled(seed: seed)
    let expected = (until - from).nanoseconds / max(1, meanInterval.nanoseconds) / 2
    let count = min(Int64(maximum), max(1, expected), Int64(moments.count) * 2)
    var plan: [PlannedFault] = []
    for number in 1...Int(count) {
      let key = UInt64(number)
      let index = Int(random.number(below: UInt64(moments.count), for: key, draw: 0))
      let drawn = Self.exponential(meanDuration, bits: random.bits(for: key, draw: 1))
      var length = min(max(drawn, Self.lengthMin), meanDuration * Self.lengthMeansMax)
      // The moment lies in the fault, or up to a second before it.
      var begin = moments[index] + Self.part(of: length, random, key, 2) * -1
      if random.number(below: 10, for: key, draw: 3) == 0 {
        begin = moments[index] + Self.part(of: .seconds(1), random, key, 2)
      }
      if index + 1 < moments.count, random.number(below: 3, for: key, draw: 4) == 0,
        moments[index + 1] - moments[index] <= Self.gapMax
      {
        begin = moments[index] + Self.part(of: Self.margin, random, key, 5) * -1
        length = moments[index + 1] - begin + Self.part(of: Self.margin, random, key, 6)
      }
      begin = max(from, begin)
      let room = until - begin
      guard room >= Self.lengthMin else { continue }
      plan.append(
        planned(
          id: "\(Self.nearPrefix)\(number)", number: number + Self.numbersFrom, seed: seed, kinds, random, begin: begin,
          length: min(max(length, Self.lengthMin), room), points: points, apps: apps))
    }
    return plan
  }

  private static func part(
    of span: VirtualTime.Span, _ random: RandomStream, _ key: UInt64, _ draw: UInt64
  ) -> VirtualTime.Span {
    let milliseconds = UInt64(max(0, span.nanoseconds / 1_000_000))
    return .milliseconds(Int64(random.number(below: milliseconds + 1, for: key, draw: draw)))
  }
}
