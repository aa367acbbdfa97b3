/// The behaviour of a link without faults.
public struct LinkProfile: Sendable, Equatable {
  /// The mean travel time of a frame, in nanoseconds.
  public var latency: Int64
  /// Its variation, in nanoseconds.
  public var jitter: Int64
  public var distribution: DelayDistribution
  /// The radio's losses, independent of each other.
  public var losses: [Loss]
  /// The bytes per second in each direction, and how many may wait.
  public var bandwidth: Bandwidth
  /// The time until a cut is noticed, and how long the radio retries.
  public var supervision: VirtualTime.Span
  /// The time until a return is noticed.
  public var reconnect: Reconnect
  /// Whether the link exists.
  public var exists: Bool
  /// The delay of background items before a device sends them; nil for each device's default.
  public var backgroundDelay: BackgroundDelay?
  /// What the direction from the watch to the phone has for itself; nil if both directions are alike.
  public var toPhone: LinkWay?
  /// The same for the direction from the phone to the watch.
  public var toWatch: LinkWay?

  /// A loss caused by the radio.
  public enum Loss: Sendable, Equatable {
    /// Each frame independently.
    case independent(Probability)
    /// In bursts.
    ///
    /// A radio that retries repeats a frame in every slot until one gets through, and gives up after the supervision
    /// time.
    case bursts(GilbertElliott, isRetried: Bool)
  }

  /// The time until a return is noticed: log-normal around its median, within bounds.
  public struct Reconnect: Sendable, Equatable {
    public var median: VirtualTime.Span
    public var least: VirtualTime.Span
    public var most: VirtualTime.Span

    /// Creates a range; requires `least <= median <= most`.
    public init(median: VirtualTime.Span, least: VirtualTime.Span, most: VirtualTime.Span) {
      precondition(least <= median && median <= most, "\(least) <= \(median) <= \(most)")
      self.median = median
      self.least = least
      self.most = most
    }

    /// Always the same time.
    public init(_ span: VirtualTime.Span) { self.init(median: span, least: span, most: span) }

    /// Draws the time for return number `number`.
    public func draw(_ random: RandomStream, number: UInt64) -> VirtualTime.Span {
      guard least < most else { return median }
      let factor = DelayDistribution.quantile(QuantileTable.logNormal, random.bits(for: number))
      let span = VirtualTime.Span(nanoseconds: Int64((Double(median.nanoseconds) * factor).rounded()))
      return min(max(span, least), most)
    }
  }

  public init(
    latency: VirtualTime.Span, jitter: VirtualTime.Span = .zero, distribution: DelayDistribution = .constant,
    losses: [Loss] = [], bytesPerSecond: Int64? = nil, queueBytes: Int64 = 262_144,
    supervision: VirtualTime.Span = .seconds(6), reconnect: Reconnect = Reconnect(.seconds(1)), exists: Bool = true
  ) {
    self.latency = latency.nanoseconds
    self.jitter = jitter.nanoseconds
    self.distribution = distribution
    self.losses = losses
    bandwidth = Bandwidth(bytesPerSecond: bytesPerSecond, queueBytes: queueBytes)
    self.supervision = supervision
    self.reconnect = reconnect
    self.exists = exists
  }
}

extension LinkProfile {
  /// The keys of a scenario's `link` and `uplink`: a named profile, single parts, or both, where parts win.
  public static let schema = ObjectSchema<Self>(
    "link", "A named profile ([list](recordings.md#link-profiles)), its parts, or both: a part that is given wins.",
    Self(latency: .milliseconds(5)),
    [
      Field(
        "profile", \.named, .choice(ProfileCatalog.all.map { ($0.name, $0.profile) }), "the parts that are not given",
        .otherwise("`ideal`")),
      Field("latency", \.latency, .nanoseconds(max: .hours(24)), "mean travel time"),
      Field("jitter", \.jitter, .nanoseconds(max: .hours(24)), "how much it varies"),
      Field(
        "distribution", \.distribution, .word, "how it varies", .otherwise("constant, or uniform with a jitter")),
      Field(
        "loss", \.losses, Loss.list,
        "`{ probability }`, or the keys of a `gilbert-elliott` loss with `model` and `retry`"),
      Field(
        "bytesPerSecond", \.bandwidth.bytesPerSecond, .integer(1...1 << 40), "of each direction",
        .otherwise("no limit")),
      Field(
        "queueBytes", \.bandwidth.queueBytes, .integer(1...1 << 40),
        "how much may wait; frames that do not fit are dropped as `overflow`"),
      Field("supervision", \.supervision, .duration(max: .hours(24)), "how long a cut goes unnoticed"),
      Field("reconnect", \.reconnect, Reconnect.value, "how long a return goes unnoticed", .otherwise("1s")),
      Field(
        "backgroundDelay", \.backgroundDelay, BackgroundDelay.value,
        "of link only: how long contexts, user infos and files wait before a device sends them, drawn evenly; messages"
          + " and complication transfers do not wait",
        .otherwise("none between the simulated devices; 0.2s to 5s for an app")),
      Field(
        "toPhone", \.toPhone, .object(LinkWay.schema),
        "of link only: what frames from the watch to the phone have in place of the link's values",
        .otherwise("the same values in both directions")),
      Field(
        "toWatch", \.toWatch, .object(LinkWay.schema),
        "of link only: what frames from the phone to the watch have in place of the link's values",
        .otherwise("the same values in both directions")),
      Field("exists", \.exists, .bool, "whether there is a link at all").omittedAtDefault,
    ]
  ) { profile, reader in
    if reader.has("jitter"), !reader.has("distribution"), profile.distribution == .constant {
      profile.distribution = .uniform
    }
    for way in [\LinkProfile.toPhone, \.toWatch] {
      guard let own = profile[keyPath: way], own.jitter ?? 0 > 0, own.distribution == nil else { continue }
      if profile.distribution == .constant { profile[keyPath: way]?.distribution = .uniform }
    }
    let ways = [profile.toPhone, profile.toWatch].compactMap { $0 }
    for case .bursts(let chain, isRetried: true) in profile.losses + ways.flatMap({ $0.losses ?? [] })
    where profile.supervision.nanoseconds / chain.slot.nanoseconds > retriesMax {
      reader.error(
        "found slots so short that a frame is retried more than \(retriesMax) times within `supervision`,"
          + " expected a longer `slot`")
      return false
    }
    return true
  }

  /// The most retries of one frame: each is a draw.
  ///
  /// A supervision time of six seconds has 200 slots of 30 ms.
  private static let retriesMax: Int64 = 1_000_000

  /// Replaces all parts by those of a named profile; nil to read, since parts are written without a name.
  private var named: LinkProfile? {
    get { nil }
    set { if let newValue { self = newValue } }
  }

  /// All parts in the keys of a scenario, with plain numbers and without a profile's name.
  public var params: JSONValue { .object(Self.schema.members(of: self)) }
}

extension LinkProfile.Loss {
  private static let object = ObjectSchema<Self>(
    "linkLoss", "A loss caused by the radio.", Self.independent(.never),
    forms: [
      [Field("probability", \Self.probability, .probability, "of each frame", .required)],
      [.constant("model", GilbertElliott.model, "losses in bursts", in: { $0.chain != nil })]
        + GilbertElliott.schema.fields.map { $0.within(\Self.chain, standard: GilbertElliott.schema.standard) }
        + [Field("retry", \Self.isRetried, .bool, "whether the radio repeats a lost frame", .otherwise("false"))],
    ])

  /// One loss, a number from 0 to 1 for a probability, or an array of both.
  static let list = ValueSchema<[Self]>(
    .either([.number(0...1), .object(object.description), .array(of: one.description, count: 0...8)]),
    read: { value in
      guard case .array = value.node.value else { return one.read(value) }
      return ValueSchema.array(of: one, count: 0...8).read(value)?.flatMap(\.self)
    },
    write: write)

  /// One loss; none for a probability of 0.
  private static let one = ValueSchema<[Self]>(
    .either([.number(0...1), .object(object.description)]),
    read: { value in
      if case .object = value.node.value { return value.object().flatMap { object.readWhole($0) }.map { [$0] } }
      guard let number = value.number(in: 0...1), let probability = Probability(number) else { return nil }
      return probability == .never ? [] : [.independent(probability)]
    }, write: write)

  private static func write(_ losses: [Self], _ style: JSONStyle) -> JSONValue {
    .array(losses.map { JSONNode(.object(object.members(of: $0, style))) })
  }

  private var probability: Probability? {
    get { if case .independent(let probability) = self { probability } else { nil } }
    set { if let newValue { self = .independent(newValue) } }
  }

  private var chain: GilbertElliott? {
    get { if case .bursts(let chain, _) = self { chain } else { nil } }
    set { if let newValue { self = .bursts(newValue, isRetried: isRetried ?? false) } }
  }

  private var isRetried: Bool? {
    get { if case .bursts(_, let isRetried) = self { isRetried } else { nil } }
    set { if let newValue, let chain { self = .bursts(chain, isRetried: newValue) } }
  }
}

extension LinkProfile.Reconnect {
  private static let object = ObjectSchema<Draft>(
    "reconnect", "A time that varies around its median.", Draft(),
    [
      Field("median", \.median, .duration(max: .hours(24)), "in the middle", .required),
      Field("least", \.least, .duration(max: .hours(24)), "at least", .otherwise("the median")),
      Field("most", \.most, .duration(max: .hours(24)), "at most", .otherwise("the median")),
    ]
  ) { draft, reader in
    let isOrdered = draft.least ?? draft.median <= draft.median && draft.median <= draft.most ?? draft.median
    if !isOrdered { reader.error("least, median and most do not ascend") }
    return isOrdered
  }

  /// A range that may be out of order while it is read.
  private struct Draft {
    var median = VirtualTime.Span.zero
    var least: VirtualTime.Span?
    var most: VirtualTime.Span?
  }

  /// A duration, or an object.
  static let value = ValueSchema<Self>(
    .either([.duration(.zero ... .hours(24)), .object(object.description)]),
    read: { value in
      guard case .object = value.node.value else { return value.duration(in: .zero ... .hours(24)).map { Self($0) } }
      return value.object().flatMap { object.readWhole($0) }.map {
        Self(median: $0.median, least: $0.least ?? $0.median, most: $0.most ?? $0.median)
      }
    },
    write: { range, style in
      .object(object.members(of: Draft(median: range.median, least: range.least, most: range.most), style))
    })
}

extension BackgroundDelay {
  private static let object = ObjectSchema<Draft>(
    "backgroundDelay", "A delay that is drawn evenly.", Draft(),
    [
      Field("least", \.least, .duration(max: .hours(24)), "at least"),
      Field("most", \.most, .duration(max: .hours(24)), "at most", .required),
    ]
  ) { draft, reader in
    if draft.least > draft.most { reader.error("least and most do not ascend") }
    return draft.least <= draft.most
  }

  /// A range that may be out of order while it is read.
  private struct Draft {
    var least = VirtualTime.Span.zero
    var most = VirtualTime.Span.zero
  }

  /// A duration, or an object.
  package static let value = ValueSchema<Self>(
    .either([.duration(.zero ... .hours(24)), .object(object.description)]),
    read: { value in
      guard case .object = value.node.value else {
        return value.duration(in: .zero ... .hours(24)).map { Self(least: $0, most: $0) }
      }
      return value.object().flatMap { object.readWhole($0) }.map { Self(least: $0.least, most: $0.most) }
    },
    write: { delay, style in .object(object.members(of: Draft(least: delay.least, most: delay.most), style)) })
}

/// A profile with its name and the sources of its numbers.
public struct NamedProfile: Sendable {
  /// The name in scenarios.
  public var name: String
  /// A description.
  public var about: String
  /// For each number, whether it is `grounded` in published measurements or `assumed`.
  public var sources: [String]
  public var profile: LinkProfile
  /// Whether it is for the phone-edge link.
  public var isUplink = false
}

/// All profiles.
public enum ProfileCatalog {
  private static func chain(_ goodToBad: Double, _ badToGood: Double, slot: VirtualTime.Span = .milliseconds(30))
    -> LinkProfile.Loss
  {
    .bursts(
      GilbertElliott(
        goodToBad: Probability(goodToBad) ?? .never, badToGood: Probability(badToGood) ?? .always, slot: slot),
      isRetried: true)
  }

  /// 1 to 5 s, mostly 2: assumed, after reports of watch reconnections.
  private static let bleReconnect = LinkProfile.Reconnect(median: .seconds(2), least: .seconds(1), most: .seconds(5))

  /// The sources that the Bluetooth profiles share.
  private static let bleSources = [
    "grounded: supervision 6 s, the least that Apple's Accessory Design Guidelines ask for (6 to 18 s)",
    "grounded: a slot of 30 ms, a connection interval that iPhones often choose",
    "assumed: 40 ms and an exponential 20 ms per hop, so that a round trip takes 80 to 300 ms; a reconnect of 1 to 5 s,"
      + " log-normal around 2 s; queueBytes",
  ]
  private static let uplinkSources = ["assumed: supervision, reconnect and queueBytes too; no measurement was taken"]

  /// In the order of the reference page.
  public static let all: [NamedProfile] = [
    NamedProfile(
      name: "ideal", about: "5 ms, nothing lost, no limit",
      sources: ["assumed: all values; a link that never causes a problem"],
      profile: LinkProfile(latency: .milliseconds(5))),
    NamedProfile(
      name: "ble-still", about: "watch and phone on a desk",
      sources: [
        "grounded: no loss at a fade margin over 30 dB (a fit to the NICTA on-body channel at 2.4 GHz)",
        "assumed: 40 KB/s; 3 to 7 KB/s (BluetoothKit issue 18, arduino-esp32 issue 8540) to 300 to 400 kbit/s (Apple"
          + " forums 770717) are reported",
      ] + bleSources,
      profile: LinkProfile(
        latency: .milliseconds(60), jitter: .milliseconds(20), distribution: .exponential, bytesPerSecond: 40_000,
        reconnect: bleReconnect)),
    NamedProfile(
      name: "ble-running", about: "running, watch and pocket on one side",
      sources: [
        "grounded: margin 20 dB, good to bad 0.025 and bad to good 0.70 a slot (a fit to the NICTA on-body channel at"
          + " 2.4 GHz, everyday movement)",
        "assumed: 32 KB/s",
      ] + bleSources,
      profile: LinkProfile(
        latency: .milliseconds(60), jitter: .milliseconds(20), distribution: .exponential,
        losses: [chain(0.025, 0.70)], bytesPerSecond: 32_000, reconnect: bleReconnect)),
    NamedProfile(
      name: "ble-crowd", about: "the start of a marathon: the body between the devices, and many other radios",
      sources: [
        "grounded: margin 10 dB, good to bad 0.073 and bad to good 0.33 a slot of 30 ms (the same fit, across the body)",
        "assumed: interference of half a second every 12 s or so, in slots of 100 ms; 25 KB/s",
      ] + bleSources,
      profile: LinkProfile(
        latency: .milliseconds(60), jitter: .milliseconds(20), distribution: .exponential,
        losses: [chain(0.073, 0.33), chain(0.008, 0.2, slot: .milliseconds(100))], bytesPerSecond: 25_000,
        reconnect: bleReconnect)),
    NamedProfile(
      name: "wifi", about: "both on a known Wi-Fi network, without Bluetooth",
      sources: ["assumed: all values: 20 to 80 ms round trip, 1 MB/s, 10 to 30 s to join, supervision 6 s, queueBytes"],
      profile: LinkProfile(
        latency: .milliseconds(25), jitter: .milliseconds(15), distribution: .uniform, bytesPerSecond: 1_000_000,
        queueBytes: 1_048_576,
        reconnect: LinkProfile.Reconnect(median: .seconds(15), least: .seconds(10), most: .seconds(30)))),
    NamedProfile(
      name: "lte", about: "the phone's connection to the cloud, in town",
      sources: ["assumed: 60 ms with 20 ms of jitter, 0.1 % lost, 500 KB/s"] + uplinkSources,
      profile: LinkProfile(
        latency: .milliseconds(60), jitter: .milliseconds(20), distribution: .normal,
        losses: [.independent(Probability(0.001) ?? .never)], bytesPerSecond: 500_000, queueBytes: 1_048_576,
        reconnect: bleReconnect),
      isUplink: true),
    NamedProfile(
      name: "lte-edge", about: "the phone's connection to the cloud, at the edge of a cell",
      sources: ["assumed: 300 ms with 150 ms of jitter, 3 % lost, 20 KB/s"] + uplinkSources,
      profile: LinkProfile(
        latency: .milliseconds(300), jitter: .milliseconds(150), distribution: .normal,
        losses: [.independent(Probability(0.03) ?? .never)], bytesPerSecond: 20_000, reconnect: bleReconnect),
      isUplink: true),
    NamedProfile(
      name: "none", about: "no connection to the cloud",
      sources: ["by definition"],
      profile: LinkProfile(latency: .milliseconds(5), exists: false),
      isUplink: true),
  ]

  /// The profile with this name; nil for an unknown one.
  public static func profile(named name: String) -> LinkProfile? { all.first { $0.name == name }?.profile }
}
