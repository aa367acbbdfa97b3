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
